import type { Command } from 'commander';
import { collected, required } from './option-kinds.ts';
import { verb } from './verb.ts';

/** The verb `client`. */
export function clientCommand(): Command {
  return verb({
    name: 'client',
    summary: 'run the client scenarios on a client of yours, offline, against scripted answers',
    options: {
      client: required('<file>', 'module whose default export is a client adapter, TypeScript or JavaScript'),
      only: collected('<what>', 'a scenario or a group of them (exchange); may be given more than once'),
    },
    help: `
An adapter has a name, createClient and explain; see ClientAdapter in tests/support/client-adapters/adapter.ts. What the
client is known to do otherwise stands in its expectedFailures, each with its reason.

Examples
  legacy-conformance client --client ./my-adapter.ts
  legacy-conformance client --client ./my-adapter.ts --only refresh --only exchange.code-once

Exit codes
  0  every scenario passed, or failed as the adapter expects
  1  a scenario failed, or an expected failure is stale
  2  wrong usage: no such file, no adapter, no such scenario
  3  nothing was evaluated: every scenario was skipped
  4  the suite itself failed`,
    run: async (options) => {
      const { runClientScenarios } = await import('../app/client-scenarios.ts');
      return runClientScenarios(options);
    },
  });
}

import type { Command } from 'commander';
import { print, printJson } from '../app/print.ts';
import { EXIT, type ExitCode } from '../report/verdict.ts';
import { flag } from './options.ts';
import { type Declaration, verb } from './verb.ts';

type NoOptions = Readonly<Record<never, never>>;

interface ListDeclaration extends Omit<Declaration<NoOptions>, 'options' | 'run'> {
  readonly list: (
    args: readonly string[],
  ) => Promise<{ readonly text: string; readonly json: unknown; readonly exitCode?: ExitCode }>;
}

/** Declares a verb that prints a list as a text, or with `--json` its data. */
export function listVerb({ list, ...declared }: ListDeclaration): () => Command {
  return verb({
    ...declared,
    options: { json: flag('print JSON') },
    run: async (options, args) => {
      const { text, json, exitCode = EXIT.conforms } = await list(args);
      options.json ? printJson(json) : print(text);
      return exitCode;
    },
  });
}

export const explainCommand = listVerb({
  name: 'explain',
  summary:
    'explain requirements: what each demands, why it matters, how the suite checks it, which defects break it',
  args: [
    [
      '<what...>',
      'a requirement (exchange.code-single-use), a group (exchange) or a clause (4.3); also of clients (pair.own-user)',
    ],
  ],
  help: `
Examples
  legacy-conformance explain exchange.code-single-use
  legacy-conformance explain 4.3 --json`,
  list: async (words) => (await import('../app/explain.ts')).explainAll(words),
});

export const coverageCommand = listVerb({
  name: 'coverage',
  summary: 'print the table of clauses, requirements and checks; runs no check',
  list: async () => {
    const { runCoverage } = await import('../app/coverage-report.ts');
    const { CHECKS } = await import('../conformance/index.ts');
    return runCoverage(CHECKS.map((check) => check.id));
  },
});

export const defectsCommand = listVerb({
  name: 'defects',
  summary: "list the emulator's switchable defects and the requirements that each breaks",
  list: async () => (await import('../app/defects.ts')).listDefects(),
});

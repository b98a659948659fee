import { test } from '@playwright/test';
import type { ClientAdapter, ClientUnderTest } from './adapter.ts';
import { adapters } from './chosen-adapters.ts';
import { judge } from './judge.ts';
import { type ScenarioId, titleOf } from './scenario-ids.ts';
import { Stage } from './stage.ts';

/** What a client may lack: the scenarios of these groups are skipped for clients without it. */
const NEEDS: Readonly<Record<string, keyof ClientUnderTest>> = {
  authorize: 'authorizationRequest',
  callback: 'readCallback',
};

/**
 * Registers one test for each chosen client. It fails if `play` throws, if the client sent a request that was not
 * scripted, or if it never fetched an answer that was. Where the adapter expects the scenario to fail, it must.
 */
export function scenario(id: ScenarioId, play: (stage: Stage) => Promise<void>): void {
  const needs = NEEDS[id.split('.')[0] ?? ''];
  for (const adapter of adapters) {
    test(`${adapter.name}: ${id}: ${titleOf(id)}`, async () => {
      const lacking = needs !== undefined && (await lacks(adapter, needs));
      test.skip(lacking, `${adapter.name} has no ${needs}`);
      const expected = adapter.expectedFailures?.[id];
      const failure = await failureOf(adapter, play);
      const verdict = judge({ clientName: adapter.name, scenarioId: id, failure, expected });
      if (verdict !== undefined) throw verdict;
      if (expected === undefined) return;
      test.info().annotations.push({ type: 'expected failure', description: expected.reason });
    });
  }
}

/** The rejection of a call. Fails if it succeeded. */
export async function rejection(call: Promise<unknown>, what: string): Promise<unknown> {
  const outcome = await call.then(
    () => ({ succeeded: true as const }),
    (error: unknown) => ({ succeeded: false as const, error }),
  );
  if (outcome.succeeded) throw new Error(`expected a rejection of ${what}, but it succeeded`);
  return outcome.error;
}

async function failureOf(
  adapter: ClientAdapter,
  play: (stage: Stage) => Promise<void>,
): Promise<Error | undefined> {
  const stage = new Stage(adapter);
  let thrown: unknown;
  let failed = false;
  try {
    await play(stage);
  } catch (error) {
    failed = true;
    thrown = error;
  }
  const problems = await stage.close();
  if (!failed) return problems.length === 0 ? undefined : new Error(problems.join('\n'));
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (problems.length > 0) error.message = [error.message, ...problems].join('\n');
  return error;
}

async function lacks(adapter: ClientAdapter, needs: keyof ClientUnderTest): Promise<boolean> {
  const stage = new Stage(adapter);
  try {
    return (await stage.client())[needs] === undefined;
  } finally {
    await stage.close();
  }
}

import { test } from '@playwright/test';
import { type ScenarioId, titleOf } from './scenario-ids.ts';
import { Stage } from './stage.ts';

/**
 * Registers one test. It fails if `play` throws, if the client sent a request that was not scripted, or if it never fetched an
 * answer that was.
 */
export function scenario(id: ScenarioId, play: (stage: Stage) => Promise<void>): void {
  test(`${id}: ${titleOf(id)}`, async () => {
    const stage = new Stage();
    const failure = await play(stage).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    );
    const problems = await stage.close();
    if (failure === undefined && problems.length === 0) return;
    const error = failure ?? new Error();
    error.message = [error.message, ...problems].filter((part) => part !== '').join('\n');
    throw error;
  });
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

import { stripVTControlCharacters } from 'node:util';
import type { ExpectedFailure } from './adapter.ts';

/** A scenario that was played on a client. */
export interface Played {
  readonly clientName: string;
  readonly scenarioId: string;
  /** The failure, or undefined. */
  readonly failure: Error | undefined;
  /** The failure that the adapter declares, or undefined. */
  readonly expected: ExpectedFailure | undefined;
}

/**
 * The error that the test has to throw, or undefined if all went as it should: a scenario that is expected to fail must
 * fail, and with the words that were recorded.
 */
export function judge({ clientName, scenarioId, failure, expected }: Played): Error | undefined {
  if (expected === undefined) return failure;
  const stale = `the expected failures of ${clientName} are stale: ${scenarioId} is expected to fail (${expected.reason})`;
  if (failure === undefined) return new Error(`${stale}, but it passed. Take it out of the list`);
  const message = stripVTControlCharacters(failure.message);
  if (message.includes(expected.failsWith)) return undefined;
  return new Error(`${stale} with "${expected.failsWith}", but it failed with: ${message}`, {
    cause: failure,
  });
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Machine } from './machine.ts';
import { type Choices, choose } from './variations.ts';
import type { Answer } from './wire.ts';

/** Statuses after which a call is sent again, how often, and after which time. */
type Patience = readonly [
  statuses: readonly number[],
  times: number,
  waitMs: (retryAfter: string, count: number, nowMs: number) => number,
];

const THROTTLED = [429, 503];

const PATIENCE: Choices<Patience> = {
  'retry-after-as-milliseconds': [THROTTLED, 1, (retryAfter) => Number(retryAfter) || 0],
  'retry-after-as-seconds-alone': [THROTTLED, 1, (retryAfter) => Number(retryAfter) * 1_000 || 0],
  'waits-as-told': [
    THROTTLED,
    2,
    (retryAfter, _, nowMs) =>
      /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Math.max(0, Date.parse(retryAfter) - nowMs),
  ],
  'throttled-again-at-once': [THROTTLED, 2, () => 1],
  'throttled-again-and-again': [THROTTLED, 8, () => 1],
  'gone-again-and-again': [[410], 8, () => 0],
  'calls-repeated-after-500': [[500], 2, (_, count) => 50 * 2 ** count],
  'calls-stormed-after-500': [[500], 8, () => 1],
};

/** Sends a call again as long as its answers ask for it, or a variation does not heed them. */
export async function patiently(
  machine: Machine,
  first: Answer,
  again: () => Promise<Answer>,
): Promise<Answer> {
  const [statuses, times, waitMs] = choose(machine.is, PATIENCE, [[], 0, () => 0]);
  let answer = first;
  for (let count = 0; count < times && statuses.includes(answer.status); count += 1) {
    await pause(waitMs(answer.headers['retry-after'] ?? '', count, machine.now()));
    answer = await again();
  }
  return answer;
}

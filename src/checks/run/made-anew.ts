import { isBusy } from '../../exchange/exchange.ts';
import { waitReally } from '../../flow/clean-up.ts';
import type { Session } from '../../flow/session.ts';
import type { Evidence } from '../../report/results.ts';
import type { CheckOutcome } from '../run-check.ts';

/** Milliseconds before a check is made for the second time, and for the third and last: a deployment takes a moment. */
const PAUSES_MS = [1_000, 4_000] as const;

/** The purpose of requests that no check's evaluation rests on. */
const CLEANING_UP = 'unassign again';

/** An answer that an intermediary or an overloaded service gave in place of one on the matter. */
interface BusyAnswer {
  /** Which request of its check it was: its codes and tokens are others each time. */
  readonly request: string;
  readonly inWords: string;
}

/**
 * Makes a check; on a live target anew, whole and with codes and tokens of its own, where one of its answers was 429, 502,
 * 503 or 504, whatever was asked and whatever the check made of it. Nothing that was sent is sent again. A service that answers the
 * same request so each time, and other requests well after it, means it: then the outcome stands.
 */
export async function unlessBusy(
  make: () => Promise<CheckOutcome>,
  { target }: Session,
): Promise<CheckOutcome> {
  let outcome = await make();
  if (target.kind !== 'live') return outcome;
  const { pause = waitReally } = target;
  const madeAnew: string[] = [];
  let before: readonly BusyAnswer[] = [];
  for (const ms of PAUSES_MS) {
    const busy = busyAnswers(outcome.result.evidence);
    if (busy.length === 0 || isMeant(busy, before, outcome.result.evidence)) break;
    madeAnew.push(`the service was busy: ${busy.map(({ inWords }) => inWords).join(', ')}`);
    before = busy;
    await pause(ms);
    outcome = await make();
  }
  return madeAnew.length === 0 ? outcome : { ...outcome, result: { ...outcome.result, madeAnew } };
}

function busyAnswers(evidence: readonly Evidence[]): readonly BusyAnswer[] {
  const asked = new Map<string, number>();
  return evidence.flatMap((entry) => {
    const request = entry.kind === 'exchange' ? `${entry.request.method} ${entry.purpose}` : entry.purpose;
    const times = (asked.get(request) ?? 0) + 1;
    asked.set(request, times);
    const status = statusOf(entry);
    if (status === undefined || !isBusy(status) || entry.purpose === CLEANING_UP) return [];
    return [{ request: `${request} ${times}`, inWords: `${entry.purpose}: status ${status}` }];
  });
}

function isMeant(
  busy: readonly BusyAnswer[],
  before: readonly BusyAnswer[],
  evidence: readonly Evidence[],
): boolean {
  const last = statusOf(evidence.at(-1));
  if (last === undefined || isBusy(last)) return false;
  return busy.every(({ request }) => before.some((one) => one.request === request));
}

function statusOf(entry: Evidence | undefined): number | undefined {
  return entry?.kind === 'exchange' ? entry.response?.status : entry?.status;
}

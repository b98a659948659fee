import { isBusy } from '../../exchange/exchange.ts';
import { waitReally } from '../../flow/clean-up.ts';
import type { Session } from '../../flow/session.ts';
import type { CheckFact } from '../../report/facts.ts';
import type { Evidence } from '../../report/results.ts';
import type { CheckOutcome } from './run-check.ts';

/** Milliseconds before the second and the third, last attempt at a check; long enough for a deployment. */
const PAUSES_MS = [1_000, 4_000] as const;

const CLEANING_UP = 'unassign again';

interface BusyAnswer {
  /** Identifies the request within its check, because codes and tokens differ in each attempt. */
  readonly request: string;
  readonly text: string;
}

/**
 * Runs a check. On a live target, reruns it with its own codes and tokens after a 429, 502, 503 or 504; no request is
 * resent. If the same request gets that answer each time and later requests succeed, that attempt is the last.
 */
export async function repeatIfBusy(
  attempt: () => Promise<CheckOutcome>,
  { target }: Session,
): Promise<CheckOutcome> {
  let outcome = await attempt();
  if (!target.shared) return outcome;
  const { pause = waitReally } = target;
  const attempts: CheckFact[] = [];
  let before: readonly BusyAnswer[] = [];
  for (const ms of PAUSES_MS) {
    const busy = busyAnswers(outcome.result.evidence);
    if (busy.length === 0 || isMeant(busy, before, outcome.result.evidence)) break;
    const answers = busy.map(({ text }) => text).join(', ');
    attempts.push({ kind: 'busy', requirement: outcome.result.id, answers });
    before = busy;
    await pause(ms);
    outcome = await attempt();
  }
  return { ...outcome, facts: [...attempts, ...outcome.facts] };
}

function busyAnswers(evidence: readonly Evidence[]): readonly BusyAnswer[] {
  const asked = new Map<string, number>();
  return evidence.flatMap((entry) => {
    const request = entry.kind === 'exchange' ? `${entry.request.method} ${entry.purpose}` : entry.purpose;
    const times = (asked.get(request) ?? 0) + 1;
    asked.set(request, times);
    const status = statusOf(entry);
    if (status === undefined || !isBusy(status) || entry.purpose === CLEANING_UP) return [];
    return [{ request: `${request} ${times}`, text: `${entry.purpose}: status ${status}` }];
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

import type { RequirementId } from '../../../generated/ids.ts';
import type { RecordEntry } from '../../http/recorder.ts';
import { type AnswerView, toEvidence } from '../../http/to-evidence.ts';
import { keysOf, unreachedText } from '../../http/unreachable.ts';
import { countText } from '../../report/count-text.ts';
import { endOfRun, type LeftBehind } from '../../service/flow/end-of-run.ts';
import { type LateAnswer, SOON_MS } from '../../service/flow/late-answers.ts';
import type { Session } from '../../service/flow/session.ts';
import { ownerOfRefusal } from '../../service/flow/smoke-steps.ts';
import type { Target } from '../../service/target.ts';
import { ConformanceFailure, noEffect, shownLate } from '../language/outcome.ts';
import { seenBroken } from './check-outcome.ts';
import type { CollectedRun } from './collected-run.ts';
import type { ReadyTarget } from './prepare-target.ts';

/** Cleans up, and notes what the smoke flow, the lock, late answers and the clean-up showed. */
export async function noteEnd({ environment }: ReadyTarget, run: CollectedRun): Promise<void> {
  const { session, answerView, smokeFlow } = environment;
  const seen = (
    requirement: RequirementId,
    failure: ConformanceFailure,
    where: string,
    entries: readonly RecordEntry[],
    warns = false,
  ) => {
    const evidence = toEvidence(entries, session.secrets, answerView);
    const fact = seenBroken(requirement, failure, environment, { where, evidence });
    run.note(warns ? { ...fact, failure: { ...fact.failure, result: 'warning' } } : fact);
  };
  const { stopped } = smokeFlow;
  if (stopped?.step === 'unassign' && stopped.httpStatus !== undefined) {
    const got = `status ${stopped.httpStatus}`;
    const refused = new ConformanceFailure('unassign to be honoured for a user who is listed', got);
    seen(ownerOfRefusal('unassign', stopped.httpStatus), refused, 'the smoke flow', stopped.entries);
  }
  const { lock } = session;
  if (lock.shown === 'late') seen('list.fresh', shownLate('assign'), 'taking the lock', []);
  if (lock.shown === 'never') seen('assign.adds-user', noEffect('assign'), 'taking the lock', []);
  for (const { of, delayMs, count, exchanges } of session.late.found) {
    const [requirement, wanted, got] = LATE[of];
    const where = `${countText(count, 'request')} of the run, at most ${delayMs} ms late`;
    const entries = exchanges.map((exchange) => ({ kind: 'exchange', exchange }) as const);
    const warns = of === 'list' && delayMs <= SOON_MS;
    seen(requirement, new ConformanceFailure(wanted, got), where, entries, warns);
  }
  noteLeft(await endOfRun(session), session, run, answerView);
}

const LATE: Readonly<Record<LateAnswer['of'], readonly [RequirementId, wanted: string, got: string]>> = {
  list: ['list.fresh', 'a list to show a change at once', 'one that shows it later'],
  exchange: ['exchange.token-acts', 'a new access token to act', 'one that acts later'],
  refresh: ['refresh.new-token-acts', 'a new access token to act', 'one that acts later'],
};

/** Notes the users who stay assigned. @param left what the clean-up left behind; undefined if nothing */
export function noteLeft(
  left: LeftBehind | undefined,
  { secrets, leftovers, target }: Session,
  run: CollectedRun,
  answerView?: AnswerView,
): void {
  if (left === undefined) return;
  // The trouble of the run names the reason already.
  const isTold = left.unreachable && (target.traffic?.unreached() ?? []).length > 0;
  run.note({
    kind: 'left-assigned',
    message: secrets.redact(isTold ? left.brief : left.message),
    explainedBy: [leftovers.owner, ...EXPLAIN_LEFT],
    listed: left.listed,
    evidence: toEvidence(left.entries, secrets, answerView),
  });
}

/** Requirements whose failure explains users who stay assigned: an unassign does nothing, or no token may unassign. */
const EXPLAIN_LEFT = [
  'unassign.removes-user',
  'list.returns-assigned',
  'authorize.scope-combined',
  'scope.granted-scopes-act',
] as const;

/** Notes that the service no longer answers. @param times requests in a row without an answer; by default the transport's limit */
export function noteGone({ traffic, authUrl, baseUrl }: Target, run: CollectedRun, times?: number): void {
  const gone = traffic?.unreached(times) ?? [];
  if (gone.length === 0) return;
  run.note({
    kind: 'service-gone',
    message: unreachedText(gone, keysOf({ authUrl, baseUrl })),
  });
}

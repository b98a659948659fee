import { isSuccess, TransportFailure, type WireResponse } from '../../exchange/exchange.ts';
import type { RecordEntry } from '../../exchange/recorder.ts';
import { leftText } from '../../flow/assigned-by-run.ts';
import { CLEAN_UP_MS, cleanUp } from '../../flow/clean-up.ts';
import { Conversation } from '../../flow/conversation.ts';
import { type Session, sessionUntil } from '../../flow/session.ts';
import { NOT_THERE } from '../../flow/smoke-steps.ts';
import { Given } from '../given.ts';
import { Blocked, NotRun } from '../outcome.ts';

export interface NotCleanedUp {
  readonly message: string;
  /** True if a list shows one of them; false if no list could be read. */
  readonly listed: boolean;
  readonly acknowledged: boolean;
  /** As `acknowledged`, or the service answers that they are not assigned. */
  readonly answered: boolean;
  readonly entries: readonly RecordEntry[];
}

/**
 * Tries again, at the end of a run, to unassign users whom the service did not unassign: a list may have been stale, and an
 * outage may be over.
 *
 * @returns undefined if no own user remains assigned
 */
export async function lastCleanUp(session: Session): Promise<NotCleanedUp | undefined> {
  const { leftovers } = session;
  if (!leftovers.any) return undefined;
  // A stopped run cleans up too.
  const own = sessionUntil(session, AbortSignal.timeout(CLEAN_UP_MS));
  const conversation = new Conversation(own, own.newRecorder());
  let why = '';
  try {
    const token = await new Given(conversation).accessToken();
    leftovers.set(await cleanUp(conversation, token, leftovers.users));
  } catch (error) {
    const known = error instanceof Blocked || error instanceof NotRun || error instanceof TransportFailure;
    if (!known) throw error;
    why = ` (${error.message})`;
  }
  if (!leftovers.any) return undefined;
  const { entries } = conversation.recorder;
  const unassigning = entries.flatMap((entry) =>
    entry.kind === 'exchange' && entry.exchange.request.method === 'DELETE' ? [entry.exchange] : [],
  );
  return {
    message: `${leftText(leftovers.users)}${why}`,
    listed: leftovers.users.some(({ unread }) => unread === undefined),
    acknowledged: unassigning.length > 0 && unassigning.every(({ response }) => isSuccess(response)),
    answered: unassigning.length > 0 && unassigning.every(({ response }) => isDone(response)),
    entries,
  };
}

function isDone(response: WireResponse | undefined): boolean {
  return isSuccess(response) || (response !== undefined && NOT_THERE.includes(response.status));
}

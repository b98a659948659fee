import type { Exchange, WireResponse } from '../exchange/exchange.ts';
import type { Recorder } from '../exchange/recorder.ts';
import type { Session } from '../flow/session.ts';

/** What several checks look at: an answer together with its exchange. */
export interface Provoked {
  readonly answer: { readonly exchange: Exchange; readonly response: WireResponse };
}

/**
 * Provokes something that several checks look at from different sides once in a session; the others get the same answer, and
 * its exchange as their evidence. An answer of a busy or broken service is nobody's but the asking check's.
 *
 * @param key what is provoked, and nothing else that it depends on
 */
export async function onceInSession<T extends Provoked>(
  session: Session,
  recorder: Recorder,
  key: string,
  provoke: () => Promise<T>,
): Promise<T> {
  const before = session.shared.get(key) as T | undefined;
  if (before !== undefined) {
    recorder.keep(before.answer.exchange);
    return before;
  }
  const provoked = await provoke();
  shareInSession(session, key, provoked);
  return provoked;
}

/** {@link onceInSession} for the check that is about the request and has sent it: the others get its answer. */
export function shareInSession(session: Session, key: string, provoked: Provoked): void {
  const { status } = provoked.answer.response;
  if (status < 500 && status !== 429) session.shared.set(key, provoked);
}

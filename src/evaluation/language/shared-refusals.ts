import type { Exchange, WireResponse } from '../../http/exchange.ts';
import type { RecordEntry, Recorder } from '../../http/recorder.ts';
import type { Answered, TokenAnswer } from '../../service/flow/answers.ts';
import type { TokenError } from '../requests/wrong-requests.ts';

export interface ProvokedRefusal<A extends Exchange = Exchange> {
  readonly name: string;
  readonly answer: Answered<A>;
}

export interface ProvokedTokenRefusal extends ProvokedRefusal<TokenAnswer> {
  /** Errors that fit (RFC 6749 section 5.2). */
  readonly errors: readonly TokenError[];
}

/** The refusals of a run whose form several checks evaluate (clause 7). */
export class SharedRefusals {
  readonly token = new Shared<ProvokedTokenRefusal>();
  readonly resource = new Shared<ProvokedRefusal>();
}

class Shared<R extends { readonly answer: { readonly response: WireResponse } }> {
  #kept: { readonly refusals: readonly R[]; readonly entries: readonly RecordEntry[] } | undefined;

  /** Provokes the refusals for the first check. The others get the same refusals, and the first check's exchanges as evidence. */
  async provoked(recorder: Recorder, provoke: () => Promise<readonly R[]>): Promise<readonly R[]> {
    if (this.#kept !== undefined) {
      recorder.repeat(this.#kept.entries);
      return this.#kept.refusals;
    }
    const from = recorder.entries.length;
    const refusals = await provoke();
    // A server error may pass, so the next check sends the requests again.
    if (refusals.every(({ answer }) => answer.response.status < 500))
      this.#kept = { refusals, entries: recorder.entries.slice(from) };
    return refusals;
  }
}

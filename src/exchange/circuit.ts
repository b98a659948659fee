import { isBusy, type Transport, TransportFailure, type WireResponse } from './exchange.ts';
import { putsBack } from './ledger.ts';

/** Requests in a row without a word on the matter, after which nobody asks any more. */
const UNHEARD_IN_A_ROW = 6;

/** The service is gone, or wants to be left alone, so nothing was sent. */
export class ServiceGone extends TransportFailure {
  constructor(last: string) {
    super(
      'not-sent',
      `not sent: the last ${UNHEARD_IN_A_ROW} requests got no answer on the matter (${last}), so the service is left alone`,
    );
    this.name = 'ServiceGone';
  }
}

/**
 * Stops asking a service that does not answer: a run against a service that has died halfway ends at once and not after a
 * deadline per request. Unassigning is still tried, and an answer to it closes the circuit again.
 */
export class Circuit {
  #unheard = 0;
  #last = '';

  /** Throws {@link ServiceGone} when the circuit is open. */
  demandClosed(): void {
    if (this.#unheard >= UNHEARD_IN_A_ROW) throw new ServiceGone(this.#last);
  }

  /** The transport with this circuit in its way. */
  guard(inner: Transport): Transport {
    return async (request, signal) => {
      if (!putsBack(request)) this.demandClosed();
      try {
        const response = await inner(request, signal);
        this.#heard(response);
        return response;
      } catch (error) {
        if (error instanceof TransportFailure && error.kind !== 'not-sent') this.#missed(error.message);
        throw error;
      }
    };
  }

  #heard({ status }: WireResponse): void {
    if (isBusy(status)) this.#missed(`status ${status}`);
    else this.#unheard = 0;
  }

  #missed(last: string): void {
    this.#unheard += 1;
    this.#last = last;
  }
}

import { isBusy, type Transport, TransportFailure, type WireResponse } from './exchange.ts';
import { putsBack } from './ledger.ts';

/** Consecutive requests without a usable answer that open the circuit. */
const UNANSWERED_IN_A_ROW = 6;

/** The service is down or asks for a pause, so nothing was sent. */
export class ServiceGone extends TransportFailure {
  constructor(last: string) {
    super(
      'not-sent',
      `not sent: the last ${UNANSWERED_IN_A_ROW} requests got no answer on the matter (${last}), so the service is left alone`,
    );
    this.name = 'ServiceGone';
  }
}

/**
 * Stops sending to a service that does not answer, to end the run quickly. Unassigning is still tried; an answer to it
 * closes the circuit.
 */
export class Circuit {
  #unanswered = 0;
  #last = '';

  demandClosed(): void {
    if (this.#unanswered >= UNANSWERED_IN_A_ROW) throw new ServiceGone(this.#last);
  }

  guard(inner: Transport): Transport {
    return async (request, signal) => {
      if (!putsBack(request)) this.demandClosed();
      try {
        const response = await inner(request, signal);
        this.#answered(response);
        return response;
      } catch (error) {
        if (error instanceof TransportFailure && error.kind !== 'not-sent') this.#missed(error.message);
        throw error;
      }
    };
  }

  #answered({ status }: WireResponse): void {
    if (isBusy(status)) this.#missed(`status ${status}`);
    else this.#unanswered = 0;
  }

  #missed(last: string): void {
    this.#unanswered += 1;
    this.#last = last;
  }
}

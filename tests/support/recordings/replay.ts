import { isDeepStrictEqual } from 'node:util';
import nock from 'nock';
import { bodyText, type RecordedExchange } from '../../../src/contracts/recordings/recording.ts';

/** Addresses for replaying recordings; they exist nowhere. */
export const RECORDED_AUTH_URL = 'https://auth.recorded.test';
export const RECORDED_BASE_URL = 'https://api.recorded.test';

/**
 * Answers exactly the recorded requests, each once, with nothing else reaching any network. Method, address, form and the
 * presented token must be the recorded ones.
 */
export class Replay {
  readonly #unexpected: string[] = [];
  readonly #onNoMatch = (first: { method?: string; path?: string }, second?: typeof first) => {
    const { method = '', path = '' } = second ?? first;
    this.#unexpected.push(`${method} ${path}`);
  };

  constructor(exchanges: readonly RecordedExchange[]) {
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
    nock.emitter.on('no match', this.#onNoMatch);
    for (const exchange of exchanges) intercept(exchange);
  }

  /** Takes the interceptors back. Returns what is wrong: requests that were not recorded, answers that nobody fetched. */
  close(): readonly string[] {
    const unfetched = nock.isDone() ? [] : nock.pendingMocks();
    nock.emitter.off('no match', this.#onNoMatch);
    nock.cleanAll();
    nock.enableNetConnect();
    nock.restore();
    return [
      ...this.#unexpected.map((request) => `not recorded: ${request}`),
      ...unfetched.map((request) => `recorded and not sent: ${request}`),
    ];
  }
}

function intercept({ request, response }: RecordedExchange): void {
  const { authorization } = request.headers;
  const { form } = request;
  const matches = (body: unknown) =>
    form === undefined ? body === '' : isDeepStrictEqual({ ...(body as object) }, { ...form });
  nock(
    request.address === 'auth' ? RECORDED_AUTH_URL : RECORDED_BASE_URL,
    authorization === undefined ? { badheaders: ['authorization'] } : { reqheaders: { authorization } },
  )
    .intercept(request.path, request.method, matches)
    .reply(response.status, bodyText(response), { ...response.headers });
}

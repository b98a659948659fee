import {
  type Exchange,
  headerOf,
  isSuccess,
  jsonOf,
  type WireRequest,
  type WireResponse,
} from '../../../src/exchange/exchange.ts';
import { encodeForm, encodeId, type Parameters } from '../../../src/flow/requests.ts';
import type { Session } from '../../../src/flow/session.ts';
import { type AnsweredPair, ProbeContext } from '../../../src/observe/probe-context.ts';
import { bodyOf, challengeOf, contentTypeOf, pageOf } from '../../../src/observe/read.ts';
import { SeenSoFar } from '../../../src/observe/seen-so-far.ts';
import { canonical } from '../../../src/profiles/aspects.ts';
import type { Application, Target } from '../../../src/targets/target.ts';

/** Headers that a profile can give, beside those that have aspects of their own. */
const KNOWN_HEADERS =
  /^(cache-control|pragma|vary|access-control-|strict-transport-security|deprecation|sunset|link|ratelimit)/;

/** One of two services that get the same requests, with tokens of its own. */
export class Side {
  readonly context: ProbeContext;
  readonly target: Target;
  readonly #pairs = new Map<string, AnsweredPair>();

  constructor(session: Session) {
    this.context = new ProbeContext(session, new SeenSoFar(), () => true);
    this.target = session.target;
  }

  /** A pair that was granted these scopes; the same one each time. */
  async pair(scope: string): Promise<AnsweredPair> {
    const known = this.#pairs.get(scope) ?? (await this.context.pair({ scope }));
    this.#pairs.set(scope, known);
    return known;
  }

  /** The other application of the suite. */
  get other(): Application {
    const { secondApplication } = this.target;
    if (secondApplication === undefined) throw new Error('both services have two applications');
    return secondApplication;
  }

  /** The result of an authorization request of the signed-in owner. */
  async authorized(parameters: Parameters): Promise<string> {
    return canonical(pageOf(await this.context.authorize(parameters)));
  }

  /** The result of a form at the token endpoint. */
  async posted(parameters: Parameters, change: Partial<WireRequest> = {}): Promise<string> {
    const form: WireRequest = {
      method: 'POST',
      url: `${this.target.authUrl}/oauth/token`,
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      body: encodeForm(parameters),
    };
    return this.sent({ ...form, ...change });
  }

  /** What comes of a request to the resource API, its path below the address and its token in the usual header. */
  async asked(method: string, path: string, token?: string, body?: string): Promise<string> {
    return this.sent({
      method,
      url: `${this.target.baseUrl}${path}`,
      headers: [
        ['Accept', 'application/json'],
        ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
        ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ],
      body,
    });
  }

  /** Path of a project's list, or of one user in it; ids by their place among the suite's own, or as they are. */
  path(project: number | string, user?: number | string): string {
    const id = (ids: readonly string[], which: number | string) =>
      encodeId(typeof which === 'number' ? (ids[which] ?? '') : which);
    const list = `/v2/projects/${id(this.target.projects, project)}/assigned_users`;
    return user === undefined ? list : `${list}/${id(this.target.users, user)}`;
  }

  async sent(request: WireRequest): Promise<string> {
    const { response }: Exchange = await this.context.conversation.recorder.send('compare', request);
    return response === undefined ? 'no answer' : shown(response, request);
  }
}

/** What a client can tell two answers by, as far as a profile has a say in it: status, media type, shape, challenge, headers. */
function shown(response: WireResponse, { method }: WireRequest): string {
  const challenge = challengeOf(response);
  const headers = response.headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => KNOWN_HEADERS.test(name) && (isSuccess(response) || name === 'cache-control'))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return canonical({
    status: response.status,
    contentType: contentTypeOf(response),
    body: method === 'HEAD' ? 'none' : bodyOf(response),
    error: (jsonOf(response) as { error?: unknown } | null | undefined)?.error ?? null,
    challenge: challenge && [challenge.scheme, challenge.parameters.realm, challenge.parameters.error],
    allow: headerOf(response, 'allow') !== undefined,
    headers,
  });
}

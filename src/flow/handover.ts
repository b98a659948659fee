import { LIFETIME } from '../catalogue/lifetime.ts';
import { isSuccess } from '../exchange/exchange.ts';
import type { RecordEntry } from '../exchange/recorder.ts';
import { ALL_SCOPES, type Application } from '../targets/target.ts';
import { exchangedPair, freshAccessToken, grantedCode, refreshedPair } from './actor.ts';
import { type Attempt, answerText, type ReceivedPair } from './answers.ts';
import { Conversation } from './conversation.ts';
import { readCode, showsConsent } from './read-code.ts';
import type { RequestStyle } from './request-style.ts';
import { authorizationParameters } from './requests.ts';
import type { Session } from './session.ts';
import { flowToToken } from './smoke-flow.ts';

/** Grants and an assignment that the old service keeps, to ask the new one about. Holds secrets. */
export interface Handover {
  readonly from: { readonly name: string; readonly authUrl: string; readonly baseUrl: string };
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly requestStyle: RequestStyle;
  readonly assigned: { readonly project: string; readonly user: string };
  readonly pair: ReceivedPair;
  readonly code: string;
  /** A pair whose access token has expired; only a service with a clock has one. */
  readonly expired?: ReceivedPair;
  readonly created?: Application;
  /** A pair that the new service issued, for the way back. */
  readonly issuedByNew?: ReceivedPair;
}

export const HANDOVER_ANSWERS = {
  'access-token': ['works', 'refused'],
  'refresh-token': ['works', 'refused'],
  'refresh-token-after-expiry': ['works', 'refused'],
  'unused-code': ['works', 'refused'],
  consent: ['remembered', 'asked-again'],
  'assigned-user': ['assigned', 'unassigned'],
  'created-application': ['works', 'refused'],
  'new-access-token': ['works', 'refused'],
  'new-refresh-token': ['works', 'refused'],
} as const;

export type HandoverAspect = keyof typeof HANDOVER_ANSWERS;

export interface HandoverObservation {
  readonly aspect: HandoverAspect;
  /** One of the aspect's answers; undefined if the service gave none. */
  readonly answer?: string;
  readonly reason: string;
  readonly entries: readonly RecordEntry[];
}

export class HandoverStopped extends Error {
  override readonly name = 'HandoverStopped';
}

function need<T>(what: string, attempt: Attempt<T>): T {
  if (attempt.ok) return attempt.value;
  throw new HandoverStopped(`${what}: ${attempt.message}`);
}

/**
 * Leaves grants, a code and an assigned user at the old service.
 *
 * @param session its only own user is the reserved one
 * @throws HandoverStopped naming the step that the service refused
 */
export async function leaveBehind(session: Session): Promise<Handover> {
  const { target } = session;
  const [project] = target.projects;
  const [user] = target.users;
  const flow = await flowToToken(session);
  if (flow.tokens === undefined) throw new HandoverStopped(flow.stopped?.message ?? 'no token');
  const talk = new Conversation(session, session.newRecorder(), flow.requestStyle);
  const pair = async () => need('exchange', await exchangedPair(talk, need('code', await grantedCode(talk))));
  const created = await createdApplication(talk);
  const expired = target.clock && (await pair());
  await target.clock?.advance(LIFETIME + target.skewSeconds);
  const live = await pair();
  const answer = await talk.resource('assign the reserved user', {
    operation: 'assign',
    project,
    user,
    token: live.accessToken,
  });
  if (!isSuccess(answer.response)) throw new HandoverStopped(`assign user ${user}: ${answerText(answer)}`);
  // Last, because codes have the shortest life.
  const code = need('code', await grantedCode(talk));
  const { name, authUrl, baseUrl } = target;
  return {
    from: { name, authUrl, baseUrl },
    at: new Date().toISOString(),
    requestStyle: flow.requestStyle,
    assigned: { project, user },
    pair: live,
    code,
    expired,
    created,
  };
}

async function createdApplication(talk: Conversation): Promise<Application | undefined> {
  const { pages, abilities, application } = talk.session.target;
  if (pages.accountArea === undefined || !abilities.has('create-application')) return undefined;
  const [redirectUri] = application.redirectUris;
  const { clientId, clientSecret } = await talk.createApplication(pages.accountArea, {
    name: 'handover',
    redirectUri,
  });
  return clientId && clientSecret ? { clientId, clientSecret, redirectUris: [redirectUri] } : undefined;
}

/**
 * Asks a service which parts of a handover it knows.
 *
 * @param back true at the old service after a roll-back: also asks for the pair that the new one issued
 * @param now milliseconds since the epoch
 */
export async function askWhatLives(
  session: Session,
  left: Handover,
  back: boolean,
  now: number,
): Promise<{ readonly seen: readonly HandoverObservation[]; readonly issued?: ReceivedPair }> {
  const asking = new Asking(session, left, (now - Date.parse(left.at)) / 1000);
  await asking.accessToken('access-token', left.pair.accessToken);
  if (back && left.issuedByNew) await asking.accessToken('new-access-token', left.issuedByNew.accessToken);
  await asking.code();
  await asking.refreshToken('refresh-token', left.pair.refreshToken);
  if (left.expired) await asking.refreshToken('refresh-token-after-expiry', left.expired.refreshToken);
  if (back && left.issuedByNew) await asking.refreshToken('new-refresh-token', left.issuedByNew.refreshToken);
  // Every grant would affect this question, so it comes first.
  await asking.consent();
  await asking.assignedUser();
  if (left.created) await asking.application(left.created);
  return { seen: asking.seen, issued: asking.issued };
}

class Asking {
  readonly seen: HandoverObservation[] = [];
  issued: ReceivedPair | undefined;
  #token: string | undefined;
  readonly #session: Session;
  readonly #left: Handover;
  readonly #ageSeconds: number;

  constructor(session: Session, left: Handover, ageSeconds: number) {
    this.#session = session;
    this.#left = left;
    this.#ageSeconds = ageSeconds;
  }

  async accessToken(aspect: HandoverAspect, token: string): Promise<void> {
    if (aspect === 'access-token' && this.#ageSeconds > LIFETIME) {
      const hours = (this.#ageSeconds / 3600).toFixed(1);
      this.#keep(aspect, undefined, `it expired: \`before\` ran ${hours} hours ago`, []);
      return;
    }
    const talk = this.#talk();
    const answer = await talk.resource(`list with the ${aspect}`, {
      operation: 'list',
      project: this.#left.assigned.project,
      token,
    });
    const { response } = answer;
    const actual = answerText(answer);
    if (response === undefined || response.status === 429 || response.status >= 500)
      return this.#keep(aspect, undefined, actual, talk);
    if (isSuccess(response)) this.#token ??= token;
    this.#keep(aspect, isSuccess(response) ? 'works' : 'refused', actual, talk);
  }

  async code(): Promise<void> {
    const talk = this.#talk();
    const age = `${Math.round(this.#ageSeconds)} s after it was issued`;
    this.#pair('unused-code', talk, await exchangedPair(talk, this.#left.code), age);
  }

  async refreshToken(aspect: HandoverAspect, token: string): Promise<void> {
    const talk = this.#talk();
    this.#pair(aspect, talk, await refreshedPair(talk, token), 'a new pair');
  }

  async consent(): Promise<void> {
    const talk = this.#talk();
    const parameters = authorizationParameters(this.#session.target.application, this.#left.requestStyle, {
      scope: ALL_SCOPES,
    });
    const outcome = await talk.authorize(parameters, { decision: 'view', signedIn: true, through: 'page' });
    if (showsConsent(outcome)) return this.#keep('consent', 'asked-again', 'the consent page', talk);
    const code = readCode(outcome);
    if (!code.ok) return this.#keep('consent', undefined, code.message, talk);
    this.#keep('consent', 'remembered', 'a code without the page', talk);
  }

  async assignedUser(): Promise<void> {
    const talk = this.#talk();
    const { project, user } = this.#left.assigned;
    const token = this.#token ?? (await freshAccessToken(talk));
    if (typeof token !== 'string' && !token.ok)
      return this.#keep('assigned-user', undefined, `no token to list with: ${token.message}`, talk);
    const { response } = await talk.resource('list the reserved user', {
      operation: 'list',
      project,
      token: typeof token === 'string' ? token : token.value,
    });
    if (!isSuccess(response))
      return this.#keep('assigned-user', undefined, `the list answered ${response?.status}`, talk);
    const listed = talk.listsAnyOf(response, [user]);
    this.#keep('assigned-user', listed ? 'assigned' : 'unassigned', `user ${user}, project ${project}`, talk);
  }

  async application(application: Application): Promise<void> {
    const talk = this.#talk();
    const code = await grantedCode(talk, { application });
    const tokens = code.ok ? await exchangedPair(talk, code.value, { application }) : code;
    const answer = tokens.ok ? 'works' : tokens.status === 'refused' ? 'refused' : undefined;
    this.#keep('created-application', answer, tokens.ok ? 'a token pair' : tokens.message, talk);
  }

  #pair(aspect: HandoverAspect, talk: Conversation, pair: Attempt<ReceivedPair>, when: string): void {
    if (pair.ok) {
      this.#token ??= pair.value.accessToken;
      this.issued ??= pair.value;
      this.#keep(aspect, 'works', when, talk);
    } else this.#keep(aspect, pair.status === 'refused' ? 'refused' : undefined, pair.message, talk);
  }

  #talk(): Conversation {
    return new Conversation(this.#session, this.#session.newRecorder(), this.#left.requestStyle);
  }

  #keep(aspect: HandoverAspect, answer: string | undefined, reason: string, talk: Conversation | []): void {
    const entries = talk instanceof Conversation ? talk.recorder.entries : [];
    this.seen.push({ aspect, answer, reason, entries });
  }
}

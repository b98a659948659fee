import { memberOf } from '../exchange/answer-body.ts';
import { headerOf, isSuccess, type WireResponse } from '../exchange/exchange.ts';
import { retirementSign, saysRetired } from '../exchange/retirement.ts';
import { ALL_SCOPES } from '../targets/target.ts';
import { Conversation } from './conversation.ts';
import { edgeRefusal } from './edge-refusal.ts';
import { authorizationParameters, authorizeUrl } from './requests.ts';
import type { Session } from './session.ts';
import type { StepOutcome } from './smoke-steps.ts';

export interface Diagnosis {
  readonly retired: boolean;
  readonly proof?: RetirementProof;
  readonly message: string;
}

/**
 * Diagnoses a step of the smoke flow that failed and that no workaround fixes. Sends at most four reads, without tokens
 * and credentials.
 */
export async function diagnose(session: Session, stopped: StepOutcome): Promise<Diagnosis> {
  const seen = answerOf(stopped) ?? (await secondLook(session, stopped)) ?? { url: '' };
  const said = `${stopped.step}: ${stopped.message}`;
  if (seen.response !== undefined && saysRetired(seen.response)) {
    const status = seen.response.status === 410 ? 'it answers 410' : 'its answer says so';
    const proof = await proveRetirement(session);
    return { retired: true, proof, message: `retired: the service is no more, ${status} (${said})` };
  }
  const edge = seen.response && (await edgeRefusal(session.target, seen.url, seen.response));
  if (edge !== undefined) return { retired: false, message: `${said}; ${edge.observed}: ${edge.remedy}` };
  if (seen.response !== undefined && isPage(seen.response) && (await answersAnything(session))) {
    const why =
      'both addresses answer everything with a web page: a captive portal or a proxy stands in between, or `authUrl` and `baseUrl` lead elsewhere';
    return { retired: false, message: `${said}; ${why}` };
  }
  const hint = likelySetting(stopped, seen.response);
  const parts = [said, seen.failure, hint].filter(
    (part, i) => part !== undefined && (i === 0 || !said.includes(part)),
  );
  return { retired: false, message: parts.join('; ') };
}

interface Seen {
  readonly url: string;
  readonly response?: WireResponse;
  readonly failure?: string;
}

/**
 * Returns the answer to the documented request, which is sent first; for pages, the answer of the last one. Browser
 * requests are not recorded completely.
 */
function answerOf({ step, entries }: StepOutcome): Seen | undefined {
  const exchanges = entries.filter((entry) => entry.kind === 'exchange');
  const decisive = step === 'authorize' || step === 'sign-in' ? exchanges.at(-1) : exchanges[0];
  if (decisive === undefined) return undefined;
  const { request, response, failure } = decisive.exchange;
  return { url: request.url, response, failure: failure?.message };
}

/** Requests the authorization address again without a browser, which gives better errors and a readable page. */
async function secondLook(session: Session, { step }: StepOutcome): Promise<Seen | undefined> {
  if (step !== 'authorize' && step !== 'sign-in') return undefined;
  const { target, requestStyle } = session;
  const parameters = authorizationParameters(target.application, requestStyle, { scope: ALL_SCOPES });
  const url = authorizeUrl(target, requestStyle, parameters);
  const { response, failure } = await session.newRecorder().send('look again without a browser', {
    method: 'GET',
    url,
    headers: [['Accept', 'text/html']],
  });
  return { url, response, failure: failure?.message };
}

function isPage(response: WireResponse): boolean {
  const type = headerOf(response, 'content-type') ?? '';
  return isSuccess(response) && (/html/i.test(type) || /^\s*<(?:!doctype|html)/i.test(response.body));
}

/** Returns true if the resource API answers a list without a token with a page too. */
async function answersAnything(session: Session): Promise<boolean> {
  const conversation = new Conversation(session, session.newRecorder());
  const { response } = await conversation.resource('list without a token', {
    operation: 'list',
    project: session.target.projects[0],
    token: undefined,
  });
  return response !== undefined && isPage(response);
}

export interface RetirementProof {
  /** Both addresses announce the retirement in a way that no outage does. */
  readonly proven: boolean;
  readonly signs: readonly string[];
}

/**
 * Sends one read to each address, without token and credentials. Both must agree: a gateway may answer 410 for its own
 * reasons, and a half working service is not retired.
 */
export async function proveRetirement(session: Session): Promise<RetirementProof> {
  const { target, requestStyle } = session;
  const parameters = authorizationParameters(target.application, requestStyle, { scope: ALL_SCOPES });
  const authorize = await session.newRecorder().send('ask the authorization server whether it is retired', {
    method: 'GET',
    url: authorizeUrl(target, requestStyle, parameters),
    headers: [['Accept', 'text/html']],
  });
  const conversation = new Conversation(session, session.newRecorder());
  const list = await conversation.resource('ask the resource API whether it is retired', {
    operation: 'list',
    project: target.projects[0],
    token: undefined,
  });
  const asked = [
    ['authorization server', authorize.response],
    ['resource API', list.response],
  ] as const;
  return {
    proven: asked.every(([, response]) => response !== undefined && retirementSign(response) !== undefined),
    signs: asked.map(([name, response]) => `${name}: ${saidBy(response)}`),
  };
}

function saidBy(response: WireResponse | undefined): string {
  if (response === undefined) return 'no answer';
  return retirementSign(response) ?? `status ${response.status}, which is no sign of retirement`;
}

/**
 * Returns the setting that likely causes a failed step of the smoke flow that no workaround fixes; undefined without a
 * clue. Pure.
 */
export function likelySetting(
  { step, message }: Pick<StepOutcome, 'step' | 'message'>,
  response: WireResponse | undefined,
): string | undefined {
  if (step === 'authorize' || step === 'sign-in') return aboutAuthorize(message, response);
  if (response === undefined) return undefined;
  if (response.status >= 300 && response.status < 400) return aboutRedirect(step, response);
  if (step === 'exchange' || step === 'refresh') return aboutToken(step, response);
  if (step === 'act') return aboutToken403(response) ?? aboutAct(response);
  if (step === 'assign' || step === 'unassign') return aboutUser(step, response);
  return undefined;
}

const REDIRECT_ERRORS: Readonly<Record<string, string>> = {
  invalid_scope: 'check that `application` may ask for read, write and destroy',
  unauthorized_client: 'check that `application` may use the authorization code grant',
  access_denied: 'check that `consent.grant` names the button that grants, and that `owner` may grant',
  invalid_request:
    'check how `application` is registered: it must need no parameter beyond the documented ones',
};

function aboutAuthorize(message: string, response: WireResponse | undefined): string | undefined {
  const error = /error=([a-z_]+)/.exec(message)?.[1];
  if (error !== undefined) return REDIRECT_ERRORS[error];
  if (response === undefined) return undefined;
  const { status } = response;
  if (status === 404) return 'check `authUrl`: it must be the address before `/oauth/authorize`';
  if (status >= 400 && status < 500) {
    const said = response.body.toLowerCase();
    if (said.includes('redirect'))
      return 'likely `application.redirectUris[0]` is not authorized for this application';
    if (said.includes('client')) return 'likely the service does not know `application.clientId`';
    return 'check that the service knows `application.clientId`, and that `application.redirectUris[0]` is authorized for it';
  }
  if (!message.includes('it was shown')) return undefined;
  return 'if that page asks to sign in, correct `signIn.form`; if it asks for consent, correct `consent.grant`';
}

function aboutToken(step: 'exchange' | 'refresh', response: WireResponse): string | undefined {
  const error = memberOf(response, 'error');
  if (error === 'invalid_client' || (error === undefined && response.status === 401))
    return 'likely `application.clientSecret` is wrong, or belongs to another `application.clientId`';
  if (error === 'unauthorized_client') return 'check that `application` may use this grant';
  if (error === 'invalid_grant' && step === 'exchange')
    return 'check that the service knows `application.redirectUris[0]` in exactly this spelling';
  if (error === 'invalid_grant')
    return 'if the service accepts a refresh only after expiry, configure `clock`, or wait with --wait-expiry';
  if ([404, 405].includes(response.status) || isHtml(response))
    return 'check `authUrl`: it must be the address before `/oauth/token`';
  return undefined;
}

function aboutToken403({ status }: WireResponse): string | undefined {
  if (status !== 403) return undefined;
  return 'check that `owner` may see and change `projects[0]`, and that `application` may have read, write and destroy';
}

function aboutAct(response: WireResponse): string | undefined {
  if (response.status === 401)
    return 'the service accepts none of the usual ways to present a token: set `token.presentation`';
  if (response.status === 404)
    return 'check that `owner` may see a project `projects[0]`, and that `baseUrl` is the address before `/v2`';
  return isHtml(response) ? 'check that `baseUrl` is the address of the resource API' : undefined;
}

function aboutUser(step: 'assign' | 'unassign', { status }: WireResponse): string | undefined {
  if (status === 404) return 'check that there is a user `users[0]`';
  if (status === 403) return `check that \`owner\` may ${step} in \`projects[0]\``;
  if ([400, 411, 415, 422].includes(status))
    return `check that the service knows \`users[0]\`; if it wants a body or a header, set \`requests.${step}\``;
  return undefined;
}

function aboutRedirect(step: StepOutcome['step'], response: WireResponse): string {
  const location = headerOf(response, 'location') ?? '';
  const to = /^https?:/i.test(location) && URL.canParse(location) ? ` (${new URL(location).origin})` : '';
  const key = step === 'exchange' || step === 'refresh' ? 'authUrl' : 'baseUrl';
  return `it redirects${to}: check that \`${key}\` is the service's own address`;
}

function isHtml(response: WireResponse): boolean {
  return /html/i.test(headerOf(response, 'content-type') ?? '');
}

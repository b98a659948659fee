import { headerOf, jsonOf, type WireResponse } from '../../exchange/exchange.ts';
import type { StepOutcome } from '../smoke-steps.ts';

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
  const error = errorOf(response);
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

function errorOf(response: WireResponse): unknown {
  const json = jsonOf(response);
  return typeof json === 'object' && json !== null && 'error' in json ? json.error : undefined;
}

function isHtml(response: WireResponse): boolean {
  return /html/i.test(headerOf(response, 'content-type') ?? '');
}

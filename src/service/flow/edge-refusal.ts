import { memberOf } from '../../http/answer-body.ts';
import { headerOf, isSuccess, TransportFailure, type WireResponse } from '../../http/exchange.ts';
import { orError } from '../../http/or-else.ts';
import { withoutRandomParts } from '../agent/page-address.ts';
import { isClientAddress, redirectUrisOf, serviceOrigins } from '../redirect-address.ts';
import type { ConfigurationFinding, Target } from '../target.ts';

/**
 * Distinguishes a gateway's refusal from the service's own. A 401 or 403 is the gateway's if a path that the service does not
 * have gets the same; that takes one more read. The remedy names the key that passes the gateway.
 */
export async function edgeRefusal(
  target: Target,
  url: string,
  response: WireResponse,
): Promise<ConfigurationFinding | undefined> {
  const { origin } = new URL(url);
  const gateway = `a gateway before ${origin}`;
  const { status, body } = response;
  // Both addresses may have one origin.
  const ofApi = url.startsWith(`${target.baseUrl}/`) && !url.startsWith(`${target.authUrl}/oauth/`);
  const html = ofApi ? htmlInstead(response) : undefined;
  if (html !== undefined) return { observed: html, remedy: 'check `baseUrl`, or sign in to the gateway' };
  if (status === 400 && /SSL certificate/i.test(body)) {
    const observed = `${gateway} asks for a client certificate, or does not accept this one (status 400)`;
    return { observed, remedy: CERTIFICATE };
  }
  if (status === 401 && challengesBasic(response))
    return { observed: `${gateway} asks for HTTP Basic (status 401)`, remedy: BASIC };
  const login = loginElsewhere(target, response, url);
  if (login !== undefined) {
    const observed = `${origin} redirects to ${login}, which is neither the service nor a client`;
    const remedy = `if that is the login of a gateway, ${HEADERS}; if it is the service's own sign-in, add it to \`signIn.origins\``;
    return { observed, remedy };
  }
  if (status !== 401 && status !== 403) return undefined;
  if (!(await refusesEveryPath(target, url, response))) return undefined;
  return { observed: `${gateway} answers ${status} to every path`, remedy: HEADERS };
}

/** Says that an answer which should be JSON is a page, such as a company's portal. */
export function htmlInstead(response: WireResponse): string | undefined {
  const type = headerOf(response, 'content-type') ?? '';
  if (!isSuccess(response) || !/^text\/html\b/i.test(type) || response.body.trim() === '') return undefined;
  const [, title = 'no title'] = /<title[^>]*>\s*([^<]{1,80})/i.exec(response.body) ?? [];
  return `\`baseUrl\` answered with an HTML page ("${withoutRandomParts(title.trim())}", ${type}) instead of JSON`;
}

const CERTIFICATE =
  'add `tls.client`; if it is there, use a certificate of the authority that the gateway trusts, with those in between in its file';

const BASIC =
  'add `edge.basic`, or correct its user and password; add `"at": "authUrl"` if the API does not ask for it; if the API does, the access token needs `Authorization` there: have the gateway accept a header of its own, and name it in `requests.headers`';

const HEADERS =
  'name the header that it asks for in `requests.headers`, or correct its value; a login in the browser needs a service account of the gateway; or is this machine in a network that it lets in?';

/** A token endpoint may challenge with Basic, too (RFC 6749 section 5.2): then its JSON has an `error`. */
function challengesBasic(response: WireResponse): boolean {
  const challenge = headerOf(response, 'www-authenticate') ?? '';
  return /(?:^|,)\s*Basic\b/i.test(challenge) && memberOf(response, 'error') === undefined;
}

/** Returns the origin of a login page that no setting names. A module or a saved session may pass it. */
function loginElsewhere(target: Target, response: WireResponse, url: string): string | undefined {
  const { pages } = target;
  if (response.status < 300 || response.status >= 400) return undefined;
  if (pages.savedSession || pages.signInModule?.signIn !== undefined) return undefined;
  const to = URL.parse(headerOf(response, 'location') ?? '', url);
  if (to === null || !/^https?:$/.test(to.protocol)) return undefined;
  const service = serviceOrigins(target);
  if (isClientAddress(to.href, redirectUrisOf(target), service)) return undefined;
  const known = [...service, ...(target.guardedOrigins ?? []), ...pages.signInOrigins];
  return known.map((origin) => new URL(origin).origin).includes(to.origin) ? undefined : to.origin;
}

async function refusesEveryPath(target: Target, url: string, refused: WireResponse): Promise<boolean> {
  const isPage = /html/i.test(headerOf(refused, 'content-type') ?? '');
  // An API may refuse any request without a token, whatever the path.
  const isApi = url.startsWith(`${target.baseUrl}/v2/`);
  if (memberOf(refused, 'error') !== undefined || (isApi && !isPage)) return false;
  const nowhere = new URL('no-such-page-of-the-service', url).href;
  const wanted = { method: 'GET', url: nowhere, headers: [['Accept', 'text/html']] } as const;
  const answer = await orError(target.transport(wanted), TransportFailure);
  if (answer instanceof TransportFailure) return false;
  return answer.status === refused.status && textOf(answer) === textOf(refused);
}

/** Returns a body without parts that differ between two answers, such as a request id. */
function textOf({ body }: WireResponse): string {
  return body.replaceAll(/[0-9a-f-]*\d[0-9a-f-]*/gi, '');
}

import type { Call } from '../../../src/client-checks/drive/client-driver.ts';
import { ENDLESS_MS, type Machine, type Pair } from './machine.ts';
import { type Choices, choose } from './variations.ts';
import { type Answer, Failed, type Wire } from './wire.ts';

const SCHEMES: Choices<string> = {
  'bearer-twice': 'Bearer Bearer ',
  'bearer-left-out': '',
  'bearer-in-small-letters': 'bearer ',
};

/** Ids as segments of a path. */
const SEGMENTS: Choices<(id: string) => string> = {
  'ids-not-encoded': (id) => id.replaceAll(' ', '%20'),
  'ids-decoded-once-more': (id) => encodeURIComponent(decodedAgain(id)),
  'zeros-dropped-from-ids': (id) => encodeURIComponent(id.replace(/^0+(?=\d+$)/, '')),
  'ids-read-as-numbers': (id) => encodeURIComponent(/^\d+$/.test(id) ? Number(id) : id),
  'ids-encoded-but-slashes': (id) => encodeURIComponent(id).replaceAll('%2F', '/'),
  'ids-encoded-as-forms': (id) => encodeURIComponent(id).replaceAll('%20', '+'),
  'ids-encoded-to-the-last-letter': (id) => Buffer.from(id).toString('hex').replaceAll(/../g, '%$&'),
};

/** Decodes a text that may already be decoded. */
export function decodedAgain(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Sends a call to the service. `isRetry`: its request was refused before. */
export async function requestApi(machine: Machine, pair: Pair, call: Call, isRetry = false): Promise<Answer> {
  const { is, service } = machine;
  const process = machine.current;
  const isChange = call.operation !== 'list';
  if (!isChange) process.project = call.project;
  const wire = wireOf(machine, pair, call, isRetry);
  if (is('other-resources', 'other-resource-needed')) {
    const headers = [['Authorization', `Bearer ${pair.accessToken}`]] as const;
    const url = `${service.baseUrl}/v2/users/current`;
    const { status } = await machine.send({ method: 'GET', url, headers });
    if (status !== 200 && is('other-resource-needed')) throw new Failed('502: who is it?');
  }
  if (is('introspection'))
    await machine.send({
      method: 'POST',
      url: `${service.authUrl}/oauth/introspect`,
      headers: [],
      body: '',
    });
  const deadlineMs = is('calls-without-deadline') ? ENDLESS_MS : undefined;
  const answer = await machine.send(wire, deadlineMs).catch((error): Answer => {
    if (is('lost-call-is-the-end')) process.isStuck = !error.timedOut;
    if (isChange && is('lost-change-called-good')) return { status: 200, headers: {}, body: '' };
    throw error;
  });
  const { location } = answer.headers;
  const follows = is('calls-redirected-with-token') || (isChange && is('changes-redirected-with-token'));
  return answer.status === 307 && location !== undefined && follows
    ? machine.send({ ...wire, url: location }, deadlineMs)
    : answer;
}

function wireOf(machine: Machine, { accessToken, refreshToken }: Pair, call: Call, isRetry: boolean): Wire {
  const { is } = machine;
  const { clientSecret } = machine.service;
  const { operation } = call;
  const isChange = operation !== 'list';
  const assign = is('assign-by-post', 'assign-by-post-to-the-list') ? 'POST' : 'PUT';
  const method = { list: 'GET', assign, unassign: 'DELETE' }[operation];
  const isInQuery = is('access-token-in-query');
  const query = isInQuery ? `?access_token=${encodeURIComponent(accessToken)}` : '';
  const headers: [string, string][] = [];
  if (!isInQuery) headers.push(['Authorization', `${choose(is, SCHEMES, 'Bearer ')}${accessToken}`]);
  if (is('secret-in-calls')) headers.push(['X-Client-Secret', clientSecret]);
  if (is('secret-in-calls-encoded'))
    headers.push(['X-Client', Buffer.from(`client:${clientSecret}`).toString('base64')]);
  if (is('refresh-token-in-a-header')) headers.push(['X-Session', refreshToken]);
  if (is('refresh-token-in-calls')) headers.push(['Content-Type', 'application/x-www-form-urlencoded']);
  if (isChange && is('bodies-on-changes')) headers.push(['Content-Type', 'application/json']);
  const bodies = {
    'refresh-token-in-calls': `refresh_token=${encodeURIComponent(refreshToken)}`,
    'bodies-on-changes': '{}',
  };
  const body = isChange ? choose(is, bodies, undefined) : undefined;
  return {
    method: isRetry && is('refused-change-again-by-get') ? 'GET' : method,
    url: urlOf(machine, call) + query,
    headers,
    body,
  };
}

function urlOf({ is, service, current }: Machine, { operation, project, user }: Call): string {
  const isAssign = operation === 'assign';
  const place = is('project-of-the-last-list') ? current.project : project;
  const named = is('letters-of-users-made-small') ? user.toLowerCase() : user;
  const isSwapped = operation === 'unassign' && is('ids-swapped-in-unassign');
  const ids = isSwapped ? [named, place] : [place, named];
  const [first, second] = ids.map((id) => choose(is, SEGMENTS, encodeURIComponent)(id));
  const origin = is('calls-at-the-other-address') ? service.authUrl : service.baseUrl;
  const version = is('no-version-in-path') ? '' : '/v2';
  const plural = isAssign && is('another-path-to-assign') ? 'users' : 'assigned_users';
  const isOfList = operation === 'list' || (isAssign && is('assign-by-post-to-the-list'));
  return `${origin}${version}/projects/${first}/${plural}${isOfList ? '' : `/${second}`}`;
}

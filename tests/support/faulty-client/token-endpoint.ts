import type { VariationId } from './faults.ts';
import { ENDLESS_MS, type Machine, type Pair } from './machine.ts';
import { type Choices, choose, type Is } from './variations.ts';
import { type Answer, Failed, type Wire } from './wire.ts';

export type Fields = [name: string, value: string][];

/** Variations that change refreshes alone. */
const OF_REFRESHES: readonly VariationId[] = [
  'refresh-at-another-address',
  'refresh-without-deadline',
  'refresh-without-deadline-under-one-lock',
  'refresh-given-up-too-soon',
  'refresh-values-not-encoded',
  'refresh-in-query',
  'json-body-on-refresh',
  'basic-alone-on-refresh',
  'basic-and-form-on-refresh',
  'bearer-in-place-of-secret',
];

const DEADLINES_MS: Choices<number> = {
  'token-requests-without-deadline': ENDLESS_MS,
  'refresh-without-deadline': ENDLESS_MS,
  'refresh-without-deadline-under-one-lock': ENDLESS_MS,
  'refresh-given-up-too-soon': 350,
};

/** Requests with HTTP Basic, and whether a form follows after the answer. */
const BY_BASIC: Choices<(answer: Answer) => boolean> = {
  'basic-alone': () => false,
  'basic-alone-on-refresh': () => false,
  'basic-then-form': ({ status }) => status === 401,
  'basic-then-form-by-error': ({ status, body }) => status === 401 && body.includes('"invalid_client"'),
};

type Write = (url: string, fields: Fields) => Omit<Wire, 'method'>;

const FORM = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
const BOUNDARY = `${'-'.repeat(24)}0123456789abcdef`;

const encoded = (fields: Fields) => new URLSearchParams(fields).toString();

const inQuery: Write = (url, fields) => ({
  url: `${url}?${encoded(fields)}`,
  headers: [['Content-Length', '0'], ...(isRefresh(fields) ? [] : [FORM])],
});

const asJson: Write = (url, fields) => ({
  url,
  headers: [['Content-Type', 'application/json']],
  body: JSON.stringify(Object.fromEntries(fields)),
});

const asMultipart: Write = (url, fields) => {
  const parts = fields.map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    url,
    headers: [['Content-Type', `multipart/form-data; boundary=${BOUNDARY}`]],
    body: `${parts.join('')}--${BOUNDARY}--\r\n`,
  };
};

/** Token requests that are no forms. */
const SHAPES: Choices<Write> = {
  'all-in-query': inQuery,
  'refresh-in-query': inQuery,
  'token-request-by-get': (url, fields) => ({ ...inQuery(url, fields), headers: [] }),
  'json-body': asJson,
  'json-body-on-refresh': asJson,
  'multipart-body': asMultipart,
};

/** The headers of a form; `further` holds its Authorization, if any. */
const FORM_HEADERS: Choices<(further: Wire['headers']) => Wire['headers']> = {
  'without-accept': (further) => [FORM, ...further],
  'no-content-type': (further) => further,
  'headers-in-another-order': (further) => [
    ['x-request-id', '1'],
    ...further,
    ['ACCEPT', '*/*'],
    ['content-type', `${FORM[1]}; charset=UTF-8`],
  ],
};

function form(is: Is, url: string, fields: Fields, authorization?: string): Wire {
  const isRaw = is('form-values-not-encoded', 'refresh-values-not-encoded');
  const usual = (further: Wire['headers']) => [FORM, ['Accept', 'application/json'] as const, ...further];
  const further = authorization === undefined ? [] : [['Authorization', authorization] as const];
  return {
    method: 'POST',
    url,
    headers: choose(is, FORM_HEADERS, usual)(further),
    body: isRaw ? fields.map((field) => field.join('=')).join('&') : encoded(fields),
  };
}

const isRefresh = (fields: Fields) => fields.some(([, value]) => value === 'refresh_token');

export async function requestTokens(machine: Machine, fields: Fields): Promise<Answer> {
  const { authUrl, clientId, clientSecret } = machine.service;
  const is: Is = (...variations) =>
    machine.is(...variations.filter((one) => isRefresh(fields) || !OF_REFRESHES.includes(one)));
  const deadlineMs = choose(is, DEADLINES_MS, undefined);
  const url = `${authUrl}/oauth/${is('refresh-at-another-address') ? 'refresh_token' : 'token'}`;
  const without = fields.filter(([name]) => name !== 'client_id' && name !== 'client_secret');
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const isFormNext = choose(is, BY_BASIC, undefined);
  if (isFormNext !== undefined) {
    const answer = await machine.send(form(is, url, without, basic), deadlineMs);
    if (!isFormNext(answer)) return answer;
  }
  const write = choose(is, SHAPES, undefined);
  if (write !== undefined) {
    const method = is('token-request-by-get') ? 'GET' : 'POST';
    return machine.send({ method, ...write(url, fields) }, deadlineMs);
  }
  const [old] = machine.disk.pairs.values();
  const authorizations: Choices<string | undefined> = {
    'access-token-in-token-requests': old && `Bearer ${old.accessToken}`,
    'basic-and-form-on-refresh': basic,
    'bearer-in-place-of-secret': 'Bearer of-the-last-call',
  };
  const query = is('secret-in-query') ? `?${encoded([['client_secret', clientSecret]])}` : '';
  const sent = is('bearer-in-place-of-secret') ? without : fields;
  const wire = form(is, url + query, sent, choose(is, authorizations, undefined));
  const answer = await machine.send(wire, deadlineMs);
  const { location } = answer.headers;
  return answer.status === 307 && location !== undefined && is('redirects-followed')
    ? machine.send({ ...wire, url: location }, deadlineMs)
    : answer;
}

/** Returns the pair of a token response. @throws Failed if the application finds none */
export function pairIn(machine: Machine, { status, body }: Answer, generation: number): Pair {
  const { is } = machine;
  const failed = { accessToken: '', refreshToken: '', expiresAt: 0, generation };
  if (status !== 200 && body.startsWith('{')) {
    const text = 'undefined';
    if (is('error-stored-as-pair'))
      return { ...failed, accessToken: text, refreshToken: text, expiresAt: Number.POSITIVE_INFINITY };
    if (status >= 429 && is('outage-stored-as-pair')) return { ...failed, accessToken: 'null' };
  }
  if (status !== 200 && is('error-stored-as-empty-pair', 'empty-pair-called-good')) return failed;
  if (status !== 200) throw new Failed(`the token endpoint answered ${status}`, status);
  let read: Record<string, unknown>;
  try {
    read = JSON.parse(body);
  } catch {
    throw new Failed('no JSON', 500);
  }
  const { access_token: accessToken, refresh_token: refreshToken } = read;
  if (typeof accessToken !== 'string' || typeof refreshToken !== 'string') throw new Failed('no tokens', 500);
  if (is('token-type-to-the-letter') && read.token_type !== 'bearer')
    throw new Failed('another token_type', 500);
  if (is('created-at-needed') && !('created_at' in read)) throw new Failed('no created_at', 500);
  const isUnknown =
    (is('unknown-fields-refused') && 'id' in read) ||
    (is('documented-fields-alone') && Object.keys(read).length > 4);
  if (isUnknown) throw new Failed('an unknown field', 500);
  const pattern = is('json-read-by-pattern') ? /"access_token":"([^"]*)"/.exec(body)?.[1] : undefined;
  const most = is('tokens-of-255-characters') ? 255 : undefined;
  return {
    accessToken: (pattern ?? accessToken).slice(0, most),
    refreshToken: refreshToken.slice(0, most),
    expiresAt: machine.now() + Number(read.expires_in) * (is('expires-in-as-milliseconds') ? 1 : 1_000),
    generation,
  };
}

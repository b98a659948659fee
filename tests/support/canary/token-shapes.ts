import type { Fault } from '../faulty-service/faults.ts';
import type { Canary } from './find-canaries.ts';

/** A token response of the emulator, as documented. */
type Issued = Readonly<Record<string, unknown>> & {
  readonly access_token: string;
  readonly refresh_token: string;
};

interface Shape {
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Values that a shape adds: nobody may see these either. */
const SESSION = 'SESSION0f0f0f0f0f0f0f0f0f';
const EMAIL = 'jane.roe@corp.example';
const SHORT = 'Xk9!q2';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const hex = (text: string) => Buffer.from(text).toString('hex');
const CLAIMS = { sub: '1', email: EMAIL, sid: SESSION };
const JWT = `${base64('{"alg":"RS256"}')}.${Buffer.from(JSON.stringify(CLAIMS)).toString('base64url')}.c2lnbmF0dXJl`;

/** Token responses that the suite cannot read, by name: a run ends at the exchange, and says so. */
export const UNREADABLE: Readonly<Record<string, (v: Issued) => Shape>> = {
  camel: (v) => ({ body: JSON.stringify({ accessToken: v.access_token, refreshToken: v.refresh_token }) }),
  token: (v) => ({ body: JSON.stringify({ token: v.access_token, error: SESSION }) }),
  double: (v) => ({ body: JSON.stringify(JSON.stringify(v)) }),
  xml: (v) => ({ body: `<o><access_token>${v.access_token}</access_token><r>${v.refresh_token}</r></o>` }),
  single: (v) => ({ body: JSON.stringify(v).replaceAll('"', "'") }),
  pairs: (v) => ({ body: JSON.stringify(Object.entries(v).map(([name, value]) => ({ name, value }))) }),
  plain: (v) => ({ body: `${v.access_token}\n${v.refresh_token}\n` }),
  html: (v) => ({
    body: `<title>${v.access_token}</title><p>Your token: <b>${v.refresh_token}</b></p>`,
    headers: { 'Content-Type': 'text/html' },
  }),
  base64: (v) => ({ body: base64(JSON.stringify(v)) }),
  hex: (v) => ({ body: hex(JSON.stringify(v)) }),
  utf16: (v) => ({ body: Buffer.from(`\ufeff${JSON.stringify(v)}`, 'utf16le') }),
  bom: (v) => ({ body: `\ufeff${JSON.stringify(v)}` }),
  names: (v) => ({ body: JSON.stringify({ [v.access_token]: { [v.refresh_token]: true } }) }),
  header: (v) => ({
    body: '{}',
    headers: { 'X-Access-Token': v.access_token, 'X-Refresh': v.refresh_token },
  }),
  'header in base64': (v) => ({ body: '{}', headers: { 'X-Session': base64(JSON.stringify(v)) } }),
  'header in hexadecimal': (v) => ({
    body: '{}',
    headers: { Link: `<https://a.example/?t=${hex(v.access_token)}>` },
  }),
  'media type': (v) => ({ body: '{}', headers: { 'Content-Type': `application/${v.access_token}` } }),
};

/** Token responses that the suite can use, so that a run goes on. */
export const READABLE: Readonly<Record<string, (v: Issued) => Shape>> = {
  extra: (v) => ({
    body: JSON.stringify({ ...v, id_token: JWT, session_token: SESSION, user: { email: EMAIL, pin: SHORT } }),
  }),
  wrong: (v) => ({
    body: JSON.stringify({ ...v, token_type: SHORT, expires_in: SESSION, scope: `${EMAIL} ${SHORT}` }),
    headers: { 'Content-Type': `text/plain; session=${SESSION}`, Sunset: SESSION.repeat(4) },
  }),
  beside: (v) => ({
    body: JSON.stringify({ ...v, [SESSION]: 1 }),
    headers: {
      'X-Access-Token': v.access_token,
      'X-Session': base64(`${v.refresh_token}:${SESSION}`),
      'X-Hex': hex(v.access_token),
      'X-User': EMAIL,
      ETag: `"${SESSION}"`,
    },
  }),
};

export const SHAPES = { ...UNREADABLE, ...READABLE };

/** Gives every token response a shape, and collects what must be found nowhere. */
export function shaping(name: keyof typeof SHAPES): { readonly fault: Fault; readonly canaries: Canary[] } {
  const canaries: Canary[] = [SESSION, EMAIL, SHORT, JWT].map((value) => ({ kind: 'value beside', value }));
  const shaped: Fault = async (req, res, passOn) => {
    if (!req.url?.startsWith('/oauth/token')) return false;
    const { status, headers, content } = await passOn();
    const json = JSON.parse(content.toString() || '{}') as Issued;
    if (status !== 200 || json.access_token === undefined) {
      res.writeHead(status, Object.fromEntries(headers)).end(content);
      return true;
    }
    for (const value of [json.access_token, json.refresh_token]) canaries.push({ kind: 'token', value });
    const { body, headers: own = {} } = SHAPES[name]?.(json) ?? { body: content };
    for (const [header, value] of [...headers, ...Object.entries(own)])
      if (header.toLowerCase() !== 'content-length') res.setHeader(header, value);
    res.writeHead(200).end(body);
    return true;
  };
  return { fault: shaped, canaries };
}

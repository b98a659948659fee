import type { Emulator } from '../../../src/emulator/start/start-emulator.ts';
import type { TokenPair } from '../server-process.ts';

/** Token pairs, each from its own grant by a user (clauses 4.1 and 4.2). */
export async function grantedTokens(emulator: Emulator, count: number): Promise<readonly TokenPair[]> {
  const cookie = await signIn(emulator);
  const pairs: TokenPair[] = [];
  for (let i = 0; i < count; i += 1) pairs.push(await grant(emulator, cookie));
  return pairs;
}

async function signIn(emulator: Emulator): Promise<string> {
  const [owner] = emulator.seed.owners;
  const page = await send(emulator, '/sign-in', {});
  const fields = hiddenFields(await page.text());
  const form = { ...fields, email: owner.email, password: owner.password };
  return cookieOf(await send(emulator, '/sign-in', { form, cookie: cookieOf(page) }));
}

async function grant(emulator: Emulator, cookie: string): Promise<TokenPair> {
  const [application] = emulator.seed.applications;
  const [redirectUri = ''] = application.redirectUris;
  const query = new URLSearchParams({
    client_id: application.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'read write destroy',
  });
  let answer = await send(emulator, `/oauth/authorize?${query}`, { cookie });
  if (answer.status === 200) {
    const form = { ...hiddenFields(await answer.text()), decision: 'grant' };
    answer = await send(emulator, '/oauth/authorize', { form, cookie });
  }
  const code = URL.parse(answer.headers.get('location') ?? '')?.searchParams.get('code');
  if (!code) throw new Error(`Expected a redirect with a code (clause 4.1), got status ${answer.status}.`);
  return token(emulator, { grant_type: 'authorization_code', code, redirect_uri: redirectUri });
}

async function token(emulator: Emulator, parameters: Readonly<Record<string, string>>): Promise<TokenPair> {
  const { clientId, clientSecret } = emulator.seed.applications[0];
  const form = { client_id: clientId, client_secret: clientSecret, ...parameters };
  const answer = await send(emulator, '/oauth/token', { form });
  if (answer.status !== 200) throw new Error(`Expected tokens (clause 2.1), got status ${answer.status}.`);
  const { access_token, refresh_token } = (await answer.json()) as Record<string, string>;
  return { access: access_token ?? '', refresh: refresh_token ?? '' };
}

/** The content of a request: a form makes it a POST. */
interface Carried {
  readonly form?: Readonly<Record<string, string>>;
  readonly cookie?: string;
}

function send(emulator: Emulator, path: string, { form, cookie }: Carried): Promise<Response> {
  return emulator.fetch(
    new Request(emulator.authUrl + path, {
      ...(cookie === undefined ? {} : { headers: { cookie } }),
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    }),
  );
}

function hiddenFields(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [, name = '', value = ''] of html.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)) {
    fields[name] = value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
  }
  return fields;
}

function cookieOf(response: Response): string {
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

import type { AspectOf } from '../../../../generated/ids.ts';
import { aspectsOfPoint } from '../../../document/profiles/aspects.ts';
import type { WireRequest } from '../../../http/exchange.ts';
import {
  type Good,
  WRONG_EXCHANGES,
  WRONG_REFRESHES,
  type WrongTokenRequest,
} from '../../../judge/requests/wrong-requests.ts';
import { refusalOf } from '../../../target/flow/answer-shape.ts';
import type { Answered, ReceivedPair, TokenAnswer } from '../../../target/flow/answers.ts';
import {
  encodeForm,
  exchangeParameters,
  type ParameterChanges,
  type Parameters,
  tokenRequest,
} from '../../../target/flow/requests.ts';
import { ALL_SCOPES, type Application } from '../../../target/target.ts';
import { neverIssued, type Probe, type ProbeContext } from '../probe-context.ts';

type Aspect = AspectOf<'token-failures'>;

type Failure = readonly [Aspect, (good: Good) => ParameterChanges];

function failures(rows: readonly WrongTokenRequest[], apart: readonly Aspect[]): readonly Failure[] {
  return rows.flatMap(({ aspect, change }) => {
    const name = aspect?.replace('token-failures.', '') as Aspect | undefined;
    if (name === undefined || apart.includes(name)) return [];
    return [[name, (good: Good) => change(good)[0] ?? {}] as const];
  });
}

const EXCHANGES = failures(WRONG_EXCHANGES, ['exchange.other-client', 'exchange.other-redirect-uri']);
const REFRESHES = failures(WRONG_REFRESHES, ['refresh.other-client']);

function goodOf({ application }: ProbeContext, credential: string): Good {
  return { application, redirectUri: application.redirectUris[0], scope: ALL_SCOPES, credential };
}

export const exchangeFailures: Probe = {
  aspects: [
    ...EXCHANGES.map(([aspect]) => `token-failures.${aspect}` as const),
    'token-failures.exchange.other-client',
    'token-failures.exchange.duplicate-parameter',
    'failed-exchange.burns-code',
    'token-failures.exchange.other-redirect-uri',
  ],
  requests: 28,
  async run(context) {
    for (const [aspect, change] of EXCHANGES) {
      if (!context.wants(`token-failures.${aspect}`)) continue;
      const code = await context.code();
      const answer = await context.exchange(purpose(aspect), code, change(goodOf(context, code)));
      context.see(`token-failures.${aspect}`, refusalOf(answer));
    }
    await otherRedirectUri(context);
    await byOtherClient(context, 'exchange', async ({ clientId, clientSecret }) => {
      const others = { client_id: clientId, client_secret: clientSecret };
      return context.exchange('exchange by another client', await context.code(), others);
    });
    await duplicate(context);
  },
};

async function byOtherClient(
  context: ProbeContext,
  request: 'exchange' | 'refresh',
  send: (other: Application) => Promise<Answered<TokenAnswer>>,
): Promise<void> {
  const { secondApplication } = context.target;
  const aspect = `${request}.other-client` as const;
  if (secondApplication !== undefined)
    return context.see(`token-failures.${aspect}`, refusalOf(await send(secondApplication)));
  const reason = 'it takes a second application (configure `secondApplication`)';
  context.cannot(`token-failures.${aspect}`, reason);
}

/** Tests open point 11: the effect on the code of a refusal after the client and the code are recognized. */
async function otherRedirectUri(context: ProbeContext): Promise<void> {
  const code = await context.code();
  const other = { redirect_uri: `${context.application.redirectUris[0]}-other` };
  const answer = await context.exchange('exchange with another redirect_uri', code, other);
  context.see('token-failures.exchange.other-redirect-uri', refusalOf(answer));
  if (context.pairOf(answer) !== undefined) {
    return context.cannot(
      'failed-exchange.burns-code',
      'an exchange with another redirect_uri does not fail',
    );
  }
  const again = await context.exchange('exchange the code after a failure', code);
  context.see('failed-exchange.burns-code', context.pairOf(again) === undefined);
}

/** Sends the code twice, one right and one wrong; the accepted order shows which one counts. */
async function duplicate(context: ProbeContext): Promise<void> {
  const aspect = 'token-failures.exchange.duplicate-parameter';
  if (!context.wants(aspect)) return;
  const twice = async (order: (right: string, wrong: string) => readonly [string, string]) => {
    const [one, other] = order(await context.code(), neverIssued());
    const parameters = exchangeParameters(context.application, one);
    const request = tokenRequest(context.target, context.conversation.requestStyle, parameters);
    return context.tokenWire('exchange with the code twice', {
      ...request,
      body: encodeForm(
        parameters.flatMap(([name, value]) =>
          name === 'code' ? [[name, value] as const, [name, other] as const] : [[name, value] as const],
        ),
      ),
    });
  };
  const first = await twice((right, wrong) => [right, wrong]);
  if (context.pairOf(first) !== undefined) return context.see(aspect, 'first-wins');
  const last = await twice((right, wrong) => [wrong, right]);
  if (context.pairOf(last) !== undefined) return context.see(aspect, 'last-wins');
  context.see('token-failures.exchange.duplicate-parameter', refusalOf(last));
}

/** Open point 6: refreshes, each with its own token pair. If refreshes must wait for expiry, all wait together. */
export const refreshFailures: Probe = {
  aspects: [
    ...REFRESHES.map(([aspect]) => `token-failures.${aspect}` as const),
    'token-failures.refresh.other-client',
  ],
  requests: 25,
  async run(context) {
    const pairs: ReceivedPair[] = [];
    for (let i = 0; i < REFRESHES.length + 1; i += 1) {
      pairs.push(await context.pair({ scope: ALL_SCOPES }));
    }
    await context.refreshable();
    const next = () => pairs.pop()?.refreshToken ?? '';
    for (const [aspect, change] of REFRESHES) {
      const token = next();
      const answer = await context.refresh(purpose(aspect), token, change(goodOf(context, token)));
      context.see(`token-failures.${aspect}`, refusalOf(answer));
    }
    await byOtherClient(context, 'refresh', (other) =>
      context.refresh('refresh by another client', next(), {}, other),
    );
  },
};

function purpose(aspect: Aspect): string {
  return aspect.replace('.', ', ').replaceAll('-', ' ');
}

const BOUNDARY = 'a-boundary-of-the-suite';

type Way = Exclude<AspectOf<'client-authentication'>, 'basic-encoding'>;

const WAYS: Readonly<Record<Way, (context: ProbeContext, parameters: Parameters) => WireRequest>> = {
  basic: (context, p) => inRequestStyle(context, p, 'basic', 'form'),
  'basic-and-form': (context, p) => ({
    ...inRequestStyle(context, p, 'basic', 'form'),
    body: encodeForm(p),
  }),
  'query-string': (context, p) => {
    const request = inRequestStyle(context, p, 'form', 'form');
    return { ...request, url: `${request.url}?${encodeForm(p)}`, body: '' };
  },
  'json-body': (context, p) => inRequestStyle(context, p, 'form', 'json'),
  multipart: (context, p) => typed(context, p, MULTIPART, multipartOf(p)),
};

export const clientAuthentication: Probe = {
  aspects: [...aspectsOfPoint('client-authentication'), 'token-failures.exchange.authenticated-twice'],
  requests: 12,
  async run(context) {
    for (const way of Object.keys(WAYS) as Way[]) {
      const answer = await exchange(context, `exchange, ${way}`, (p) => WAYS[way](context, p));
      const yes = context.pairOf(answer) !== undefined;
      context.see(`client-authentication.${way}`, yes);
      if (way === 'basic')
        context.see('client-authentication.basic-encoding', yes ? await basicEncoding(context) : null);
      if (way === 'basic-and-form')
        context.see('token-failures.exchange.authenticated-twice', refusalOf(answer));
    }
  },
};

/** Sends the secret with one percent-encoded character; services that do not decode it refuse. */
async function basicEncoding(context: ProbeContext): Promise<'raw' | 'form'> {
  const { clientId, clientSecret } = context.application;
  const percent = (text: string) => `%${Buffer.from(text).toString('hex').toUpperCase()}`;
  const spelled = percent(clientSecret.slice(0, 1)) + encodeForm([['v', clientSecret.slice(1)]]).slice(2);
  const credentials = Buffer.from(`${clientId}:${spelled}`).toString('base64');
  const answer = await exchange(context, 'exchange with HTTP Basic, the secret encoded', (p) => {
    const request = inRequestStyle(context, p, 'basic', 'form');
    const headers = request.headers.filter(([name]) => name !== 'Authorization');
    return { ...request, headers: [...headers, ['Authorization', `Basic ${credentials}`]] };
  });
  return context.pairOf(answer) === undefined ? 'raw' : 'form';
}

const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

async function exchange(
  context: ProbeContext,
  purpose: string,
  request: (parameters: Parameters) => WireRequest,
) {
  return context.tokenWire(purpose, request(exchangeParameters(context.application, await context.code())));
}

function inRequestStyle(
  context: ProbeContext,
  parameters: Parameters,
  clientAuthentication: 'form' | 'basic',
  tokenBody: 'form' | 'json',
): WireRequest {
  return tokenRequest(
    context.target,
    { ...context.conversation.requestStyle, clientAuthentication, tokenBody },
    parameters,
  );
}

function typed(context: ProbeContext, parameters: Parameters, type: string, body: string): WireRequest {
  const request = inRequestStyle(context, parameters, 'form', 'form');
  const headers = request.headers.filter(([name]) => name !== 'Content-Type');
  return { ...request, headers: [...headers, ['Content-Type', type]], body };
}

function multipartOf(parameters: Parameters): string {
  const parts = parameters.map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

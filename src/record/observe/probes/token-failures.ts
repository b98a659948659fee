import type { AspectOf } from '../../../../generated/ids.ts';
import { aspectsOfPoint } from '../../../document/profiles/aspects.ts';
import { WRONG_EXCHANGES, WRONG_REFRESHES } from '../../../evaluation/requests/wrong-requests.ts';
import { type WireRequest, withHeader } from '../../../http/exchange.ts';
import { refusalOf } from '../../../service/flow/answer-shape.ts';
import type { ReceivedPair } from '../../../service/flow/answers.ts';
import {
  encodeForm,
  exchangeParameters,
  type Parameters,
  tokenRequest,
} from '../../../service/flow/requests.ts';
import { ALL_SCOPES } from '../../../service/target.ts';
import { failuresIn, type Probe, type ProbeContext, unissuedToken } from '../probe-context.ts';

type Aspect = `token-failures.${AspectOf<'token-failures'>}`;

const EXCHANGES = failuresIn<Aspect>(WRONG_EXCHANGES, ['token-failures.exchange.other-redirect-uri']);
const REFRESHES = failuresIn<Aspect>(WRONG_REFRESHES);

export const exchangeFailures: Probe = {
  aspects: [
    ...EXCHANGES.map(({ aspect }) => aspect),
    'token-failures.exchange.duplicate-parameter',
    'failed-exchange.burns-code',
    'token-failures.exchange.other-redirect-uri',
  ],
  async run(context) {
    for (const row of EXCHANGES) {
      if (!context.wants(row.aspect) || context.changesOf(row) === undefined) continue;
      const code = await context.code();
      const answer = await context.exchange(purpose(row.aspect), code, context.changesOf(row, code));
      context.see(row.aspect, refusalOf(answer));
    }
    await otherRedirectUri(context);
    await duplicate(context);
  },
};

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
    const [one, other] = order(await context.code(), unissuedToken());
    const parameters = exchangeParameters(context.application, one);
    const request = tokenRequest(context.target, context.requestStyle, parameters);
    return context.tokenWire('exchange with the code twice', {
      ...request,
      body: encodeForm(parameters.flatMap((one) => (one[0] === 'code' ? [one, ['code', other]] : [one]))),
    });
  };
  const first = await twice((right, wrong) => [right, wrong]);
  if (context.pairOf(first) !== undefined) return context.see(aspect, 'first-wins');
  const last = await twice((right, wrong) => [wrong, right]);
  if (context.pairOf(last) !== undefined) return context.see(aspect, 'last-wins');
  context.see(aspect, refusalOf(last));
}

/** Open point 6: refreshes, each with its own token pair. If refreshes must wait for expiry, all wait together. */
export const refreshFailures: Probe = {
  aspects: REFRESHES.map(({ aspect }) => aspect),
  async run(context) {
    const rows = REFRESHES.filter((row) => context.changesOf(row) !== undefined);
    const prepared: (ReceivedPair & (typeof rows)[number])[] = [];
    for (const row of rows) prepared.push({ ...row, ...(await context.pair({ scope: ALL_SCOPES })) });
    await context.waitUntilRefreshIsAllowed();
    for (const { refreshToken, ...row } of prepared) {
      const changes = context.changesOf(row, refreshToken);
      context.see(row.aspect, refusalOf(await context.refresh(purpose(row.aspect), refreshToken, changes)));
    }
  },
};

function purpose(aspect: Aspect): string {
  return aspect.replace('token-failures.', '').replace('.', ', ').replaceAll('-', ' ');
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
  multipart: (context, p) => ({
    ...withHeader(inRequestStyle(context, p, 'form', 'form'), 'Content-Type', MULTIPART),
    body: multipartOf(p),
  }),
};

export const clientAuthentication: Probe = {
  aspects: [...aspectsOfPoint('client-authentication'), 'token-failures.exchange.authenticated-twice'],
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
    return withHeader(request, 'Authorization', `Basic ${credentials}`);
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
    { ...context.requestStyle, clientAuthentication, tokenBody },
    parameters,
  );
}

function multipartOf(parameters: Parameters): string {
  const parts = parameters.map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

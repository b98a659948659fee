import type { AspectOf } from '../../../generated/ids.ts';
import type { WireRequest } from '../../exchange/exchange.ts';
import { encodeForm, exchangeParameters, type Parameters, tokenRequest } from '../../flow/requests.ts';
import { aspectsOfPoint } from '../../profiles/aspects.ts';
import { noteTokenRefusal } from '../note-refusal.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';

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
  openPoint: 'client-authentication',
  aspects: [
    ...aspectsOfPoint('client-authentication'),
    'token-failures.exchange.authenticated-twice',
    'token-failures.exchange.media-type',
    'token-failures.exchange.unreadable-body',
  ],
  requests: 9 * 4,
  async run(context) {
    const accepted = new Set<Way>();
    for (const way of Object.keys(WAYS) as Way[]) {
      const answer = await exchange(context, `exchange, ${way}`, (p) => WAYS[way](context, p));
      const yes = context.pairOf(answer) !== undefined;
      if (yes) accepted.add(way);
      context.see(`client-authentication.${way}`, yes);
      if (way === 'basic')
        context.see('client-authentication.basic-encoding', yes ? await basicEncoding(context) : null);
      if (way === 'basic-and-form') noteTokenRefusal(context, 'exchange.authenticated-twice', answer);
    }
    const text = await exchange(context, 'exchange with a text body', (p) =>
      typed(context, p, 'text/plain', encodeForm(p)),
    );
    noteTokenRefusal(context, 'exchange.media-type', text);
    await unreadable(
      context,
      accepted.has('json-body') ? 'application/json' : accepted.has('multipart') ? MULTIPART : undefined,
    );
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

async function unreadable(context: ProbeContext, type: string | undefined): Promise<void> {
  if (type === undefined) return context.see('token-failures.exchange.unreadable-body', null);
  const answer = await exchange(context, 'exchange with a body that cannot be read', (p) =>
    typed(context, p, type, '{"code":'),
  );
  noteTokenRefusal(context, 'exchange.unreadable-body', answer);
}

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

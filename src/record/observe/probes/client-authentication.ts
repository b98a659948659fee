import type { AspectOf } from '../../../../generated/ids.ts';
import { aspectsOfPoint } from '../../../document/profiles/aspects.ts';
import type { WireRequest } from '../../../http/exchange.ts';
import { refusalOf } from '../../../target/flow/answer-shape.ts';
import {
  encodeForm,
  exchangeParameters,
  type Parameters,
  tokenRequest,
} from '../../../target/flow/requests.ts';
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

import type { WireRequest } from '../../exchange/exchange.ts';
import { encodeForm, exchangeParameters, type Parameters, tokenRequest } from '../../flow/requests.ts';
import { aspectsOfPoint } from '../../profiles/aspects.ts';
import { noteTokenRefusal } from '../note-refusal.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';

const BOUNDARY = 'a-boundary-of-the-suite';

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
    const accepted = async (purpose: string, request: (parameters: Parameters) => WireRequest) => {
      const answer = await exchange(context, purpose, request);
      return { answer, yes: context.pairOf(answer) !== undefined };
    };
    const basic = await accepted('exchange with HTTP Basic', (p) =>
      inRequestStyle(context, p, 'basic', 'form'),
    );
    context.see('client-authentication.basic', basic.yes);
    context.see(
      'client-authentication.basic-encoding',
      basic.yes ? await basicEncoding(context, accepted) : null,
    );
    const both = await accepted('exchange with HTTP Basic and the form', (p) => ({
      ...inRequestStyle(context, p, 'basic', 'form'),
      body: encodeForm(p),
    }));
    context.see('client-authentication.basic-and-form', both.yes);
    noteTokenRefusal(context, 'exchange.authenticated-twice', both.answer);
    const query = await accepted('exchange with the parameters in the query', (p) => {
      const request = inRequestStyle(context, p, 'form', 'form');
      return { ...request, url: `${request.url}?${encodeForm(p)}`, body: '' };
    });
    context.see('client-authentication.query-string', query.yes);
    const json = await accepted('exchange with a JSON body', (p) =>
      inRequestStyle(context, p, 'form', 'json'),
    );
    context.see('client-authentication.json-body', json.yes);
    const multipart = await accepted('exchange with a multipart body', (p) =>
      typed(context, p, MULTIPART, multipartOf(p)),
    );
    context.see('client-authentication.multipart', multipart.yes);
    const text = await accepted('exchange with a text body', (p) =>
      typed(context, p, 'text/plain', encodeForm(p)),
    );
    noteTokenRefusal(context, 'exchange.media-type', text.answer);
    await unreadable(context, json.yes ? 'application/json' : multipart.yes ? MULTIPART : undefined);
  },
};

/** Sends the secret with one percent-encoded character; services that do not decode it refuse. */
async function basicEncoding(
  context: ProbeContext,
  accepted: (
    purpose: string,
    request: (parameters: Parameters) => WireRequest,
  ) => Promise<{ readonly yes: boolean }>,
): Promise<'raw' | 'form'> {
  const { clientId, clientSecret } = context.application;
  const percent = (text: string) => `%${Buffer.from(text).toString('hex').toUpperCase()}`;
  const spelled = percent(clientSecret.slice(0, 1)) + encodeForm([['v', clientSecret.slice(1)]]).slice(2);
  const credentials = Buffer.from(`${clientId}:${spelled}`).toString('base64');
  const { yes } = await accepted('exchange with HTTP Basic, the secret encoded', (p) => {
    const request = inRequestStyle(context, p, 'basic', 'form');
    const headers = request.headers.filter(([name]) => name !== 'Authorization');
    return { ...request, headers: [...headers, ['Authorization', `Basic ${credentials}`]] };
  });
  return yes ? 'form' : 'raw';
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

import type { WireRequest } from '../../exchange/exchange.ts';
import { exchangeParameters } from '../../flow/parameters.ts';
import { encodeForm, type Parameters, tokenRequest } from '../../flow/requests.ts';
import { aspectsOfPoint } from '../../profiles/aspects.ts';
import type { Lab } from '../lab.ts';
import { noteTokenRefusal } from '../notes.ts';
import type { Probe } from '../probe.ts';

const BOUNDARY = 'a-boundary-of-the-suite';

/** Open point 8: other ways to authenticate the client and to encode the request, each with a fresh code. */
export const clientAuthentication: Probe = {
  openPoint: 'client-authentication',
  aspects: [
    ...aspectsOfPoint('client-authentication'),
    'token-failures.exchange.authenticated-twice',
    'token-failures.exchange.media-type',
    'token-failures.exchange.unreadable-body',
  ],
  requests: 9 * 4,
  async run(lab) {
    const accepted = async (purpose: string, request: (parameters: Parameters) => WireRequest) => {
      const answer = await exchange(lab, purpose, request);
      return { answer, yes: lab.pairOf(answer) !== undefined };
    };
    const basic = await accepted('exchange with HTTP Basic', (p) => inDialect(lab, p, 'basic', 'form'));
    lab.see('client-authentication.basic', basic.yes);
    lab.see('client-authentication.basic-encoding', basic.yes ? await basicEncoding(lab, accepted) : null);
    const both = await accepted('exchange with HTTP Basic and the form', (p) => ({
      ...inDialect(lab, p, 'basic', 'form'),
      body: encodeForm(p),
    }));
    lab.see('client-authentication.basic-and-form', both.yes);
    noteTokenRefusal(lab, 'exchange.authenticated-twice', both.answer);
    const query = await accepted('exchange with the parameters in the query', (p) => {
      const request = inDialect(lab, p, 'form', 'form');
      return { ...request, url: `${request.url}?${encodeForm(p)}`, body: '' };
    });
    lab.see('client-authentication.query-string', query.yes);
    const json = await accepted('exchange with a JSON body', (p) => inDialect(lab, p, 'form', 'json'));
    lab.see('client-authentication.json-body', json.yes);
    const multipart = await accepted('exchange with a multipart body', (p) =>
      typed(lab, p, MULTIPART, multipartOf(p)),
    );
    lab.see('client-authentication.multipart', multipart.yes);
    const text = await accepted('exchange with a text body', (p) =>
      typed(lab, p, 'text/plain', encodeForm(p)),
    );
    noteTokenRefusal(lab, 'exchange.media-type', text.answer);
    await unreadable(lab, json.yes ? 'application/json' : multipart.yes ? MULTIPART : undefined);
  },
};

/** The secret with one character written as forms may write it, and as who takes it raw does not know it. */
async function basicEncoding(
  lab: Lab,
  accepted: (
    purpose: string,
    request: (parameters: Parameters) => WireRequest,
  ) => Promise<{ readonly yes: boolean }>,
): Promise<'raw' | 'form'> {
  const { clientId, clientSecret } = lab.application;
  const percent = (text: string) => `%${Buffer.from(text).toString('hex').toUpperCase()}`;
  const spelled = percent(clientSecret.slice(0, 1)) + encodeForm([['v', clientSecret.slice(1)]]).slice(2);
  const credentials = Buffer.from(`${clientId}:${spelled}`).toString('base64');
  const { yes } = await accepted('exchange with HTTP Basic, the secret encoded', (p) => {
    const request = inDialect(lab, p, 'basic', 'form');
    const headers = request.headers.filter(([name]) => name !== 'Authorization');
    return { ...request, headers: [...headers, ['Authorization', `Basic ${credentials}`]] };
  });
  return yes ? 'form' : 'raw';
}

const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

async function unreadable(lab: Lab, type: string | undefined): Promise<void> {
  if (type === undefined) return lab.see('token-failures.exchange.unreadable-body', null);
  const answer = await exchange(lab, 'exchange with a body that cannot be read', (p) =>
    typed(lab, p, type, '{"code":'),
  );
  noteTokenRefusal(lab, 'exchange.unreadable-body', answer);
}

async function exchange(lab: Lab, purpose: string, request: (parameters: Parameters) => WireRequest) {
  return lab.tokenWire(purpose, request(exchangeParameters(lab.application, await lab.code())));
}

function inDialect(
  lab: Lab,
  parameters: Parameters,
  clientAuthentication: 'form' | 'basic',
  tokenBody: 'form' | 'json',
): WireRequest {
  return tokenRequest(
    lab.target,
    { ...lab.conversation.dialect, clientAuthentication, tokenBody },
    parameters,
  );
}

function typed(lab: Lab, parameters: Parameters, type: string, body: string): WireRequest {
  const request = inDialect(lab, parameters, 'form', 'form');
  const headers = request.headers.filter(([name]) => name !== 'Content-Type');
  return { ...request, headers: [...headers, ['Content-Type', type]], body };
}

/** RFC 7578. */
function multipartOf(parameters: Parameters): string {
  const parts = parameters.map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

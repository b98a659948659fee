/** In every channel that a service honours, a wrong request that it honours too is found; a service that refuses it is quiet. */
import { expect, test } from '@playwright/test';
import { explore } from '../../../src/evaluation/explore/explore.ts';
import { openToExplore } from '../../../src/evaluation/explore/replay.ts';
import { headerOf, isSuccess, type Transport, type WireRequest } from '../../../src/http/exchange.ts';
import { emulatorToExplore } from '../../../src/service/emulator.ts';
import { CALL_CHANNELS, type Channel, TOKEN_CHANNELS } from '../../../src/service/flow/channels.ts';

type Parts = Record<'token' | 'call', (request: WireRequest) => WireRequest>;

const isToken = ({ url }: WireRequest) => /oauth\/+(%2574|%74|t)oken/i.test(url);

function withoutHeaders(request: WireRequest, ...names: readonly string[]): WireRequest {
  const headers = request.headers.filter(([name]) => !names.includes(name));
  return { ...request, headers };
}

/** Returns the documented path of any that the channels write. */
function plainPath(url: string): string {
  return url
    .replace(/%(?:25)?(74|61)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/(?<=[a-z0-9])\/\//gi, '/')
    .replace(/TOKEN|ASSIGNED_USERS/, (word) => word.toLowerCase())
    .replace(/(?:\/|\.json|;v=1)(?=$|\?)/, '');
}

/** Return the documented request that a lenient service reads. */
const READ: Parts = {
  token: (request) => {
    const [url = '', query] = plainPath(request.url).split('?');
    const json = headerOf(request, 'content-type') === 'application/json';
    const sent = json ? JSON.parse(request.body ?? '{}') : (query ?? request.body ?? '');
    const form = new URLSearchParams(sent);
    const read = new Map([...form].map(([name, value]) => [name.replace('[]', ''), value]));
    const basic = headerOf(request, 'authorization')?.split(' ')[1];
    if (basic !== undefined) {
      const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
      read.set('client_id', decodeURIComponent(id)).set('client_secret', decodeURIComponent(secret));
    }
    const { headers } = withoutHeaders(request, 'Authorization', 'Content-Type', 'Transfer-Encoding');
    const type = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
    return {
      method: 'POST',
      url,
      headers: [...headers, type],
      body: new URLSearchParams([...read]).toString(),
    };
  },
  call: (request) => {
    const [url = '', query] = plainPath(request.url).split('?');
    const cookie = headerOf(request, 'cookie')?.split('=')[1];
    const [scheme, basic = ''] = headerOf(request, 'authorization')?.split(' ') ?? [];
    const inBasic = scheme === 'Basic' && Buffer.from(basic, 'base64').toString().replace(/:$/, '');
    const elsewhere = new URLSearchParams(query ?? request.body).get('access_token');
    const token = cookie ?? (inBasic || elsewhere);
    const { headers } = withoutHeaders(
      request,
      'Cookie',
      'Content-Type',
      'Transfer-Encoding',
      'X-HTTP-Method-Override',
    );
    const rest = token ? headers.filter(([name]) => name !== 'Authorization') : headers;
    const isChange = !url.endsWith('assigned_users');
    const method =
      headerOf(request, 'x-http-method-override') ??
      (isChange && request.method.startsWith('P') ? 'PUT' : request.method);
    return {
      method,
      url,
      headers: [...rest, ...(token ? [['Authorization', `Bearer ${token}`] as const] : [])],
    };
  },
};

function isSame(one: WireRequest, other: WireRequest): boolean {
  const keyOf = ({ method, url, headers, body = '' }: WireRequest) =>
    JSON.stringify([method, url, headers.map(String).toSorted(), body]);
  return keyOf(one) === keyOf(other);
}

/** Honours one channel; without looking, it takes the last right secret and token for those of the request. */
function honours(channel: Channel, of: 'token' | 'call', looks: boolean) {
  return (inner: Transport): Transport => {
    let secret = '';
    let token = '';
    return async (request, signal) => {
      if (isToken(request) !== (of === 'token')) return inner(request, signal);
      const read = READ[of](request);
      const written = channel.write(read);
      if (written !== undefined && isSame(written, request)) {
        if (looks) return inner(read, signal);
        const form = new URLSearchParams(read.body);
        if (of === 'token') form.set('client_secret', secret);
        const { headers } = of === 'call' ? withoutHeaders(read, 'Authorization') : read;
        const bearer = [...headers, ['Authorization', `Bearer ${token}`] as const];
        return inner(
          of === 'token' ? { ...read, body: form.toString() } : { ...read, headers: bearer },
          signal,
        );
      }
      const response = await inner(request, signal);
      if (isSuccess(response)) {
        secret = new URLSearchParams(request.body).get('client_secret') ?? secret;
        token = headerOf(request, 'authorization')?.split(' ')[1] ?? token;
      }
      return response;
    };
  };
}

async function foundIn(channel: Channel, of: 'token' | 'call', looks: boolean): Promise<readonly string[]> {
  const target = await emulatorToExplore('by-the-rfc', []);
  const { watched, session, close } = await openToExplore({
    ...target,
    transport: honours(channel, of, looks)(target.transport),
  });
  const until = () => !looks;
  try {
    const { findings } = await explore(watched, session, { seed: 1, requests: 900, refusals: true, until });
    return findings.map(({ id, got }) => `${id}: ${got}`);
  } finally {
    await close();
  }
}

for (const [of, channels] of [
  ['token', TOKEN_CHANNELS],
  ['call', CALL_CHANNELS],
] as const) {
  for (const channel of channels) {
    test(`a ${of} request ${channel.name}: whatever is honoured is found, what is refused is not`, async () => {
      expect(await foundIn(channel, of, true)).toEqual([]);
      expect(await foundIn(channel, of, false)).toEqual([expect.stringContaining(`, ${channel.name}`)]);
    });
  }
}

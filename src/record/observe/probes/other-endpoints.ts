import type { AspectOf } from '../../../../generated/ids.ts';
import { type AnswerAt, aspectsOfPoint } from '../../../document/profiles/aspects.ts';
import { headerOf, type WireRequest } from '../../../http/exchange.ts';
import { bodyOf, contentTypeOf } from '../../../target/flow/answer-shape.ts';
import { encodeForm, encodeId, present } from '../../../target/flow/requests.ts';
import { neverIssued, type Probe, type ProbeContext } from '../probe-context.ts';

type Neighbour = AspectOf<'neighbours'>;

export const neighbours: Probe = {
  openPoint: 'neighbours',
  aspects: aspectsOfPoint('neighbours'),
  requests: 7,
  async run(context) {
    const { target, conversation } = context;
    const get = (path: string): WireRequest => ({
      method: 'GET',
      url: `${target.authUrl}${path}`,
      headers: [['Accept', 'application/json']],
    });
    const requests: Readonly<Record<Neighbour, () => WireRequest | Promise<WireRequest>>> = {
      revoke: () => revokeRequest(context, '/oauth/revoke', neverIssued()),
      introspect: () => revokeRequest(context, '/oauth/introspect', neverIssued()),
      'token-info': async () =>
        present(get('/oauth/token/info'), conversation.requestStyle, await context.accessToken()),
      'authorization-server-metadata': () => get('/.well-known/oauth-authorization-server'),
      'openid-configuration': () => get('/.well-known/openid-configuration'),
    };
    for (const name of Object.keys(requests) as Neighbour[]) {
      const { status } = await context.send(name, await requests[name]());
      context.see(`neighbours.${name}`, status);
    }
  },
};

export function revokeRequest(
  { target, application }: ProbeContext,
  path: string,
  token: string,
): WireRequest {
  return {
    method: 'POST',
    url: `${target.authUrl}${path}`,
    headers: [
      ['Accept', 'application/json'],
      ['Content-Type', 'application/x-www-form-urlencoded'],
    ],
    body: encodeForm([
      ['client_id', application.clientId],
      ['client_secret', application.clientSecret],
      ['token', token],
    ]),
  };
}

const OTHER_METHODS = {
  authorize: ['OPTIONS', 'PATCH', 'DELETE'],
  token: ['GET', 'HEAD', 'OPTIONS', 'PATCH', 'DELETE'],
  'account-area': ['OPTIONS', 'PATCH', 'DELETE'],
  'assigned-users': ['HEAD', 'OPTIONS', 'POST', 'PATCH'],
  'assigned-user': ['GET', 'OPTIONS', 'POST', 'PATCH'],
} as const;

type Where = keyof typeof OTHER_METHODS;
type MethodAnswer = AnswerAt<'other-methods.token'>[string];

const PATHS = Object.keys(OTHER_METHODS) as readonly Where[];

export const otherMethods: Probe = {
  openPoint: 'other-methods',
  aspects: PATHS.map((where) => `other-methods.${where}` as const),
  requests: 21,
  async run(context) {
    for (const where of PATHS) {
      const answers: Record<string, MethodAnswer> = {};
      for (const method of OTHER_METHODS[where]) answers[method] = await answered(context, where, method);
      context.see(`other-methods.${where}`, answers, 'each of the methods, once');
    }
  },
};

async function answered(context: ProbeContext, where: Where, method: string): Promise<MethodAnswer> {
  const plain = { method, url: urlOf(context, where), headers: [['Accept', '*/*']] as const };
  // HEAD asks for no more than GET. The others get no token, because its effect is unknown.
  const reads = method === 'HEAD' && where === 'assigned-users';
  const request = reads
    ? present({ ...plain, method: 'GET' }, context.conversation.requestStyle, await context.accessToken())
    : plain;
  const response = await context.send(`${method} there`, { ...request, method });
  const { status } = response;
  const allow = headerOf(response, 'allow') !== undefined;
  return { status, allow, contentType: contentTypeOf(response), body: bodyOf(response) };
}

function urlOf({ target, conversation }: ProbeContext, where: Where): string {
  const { authUrl, baseUrl, projects, users } = target;
  const prefix = conversation.requestStyle.versionPrefix;
  const list = `${baseUrl}${prefix}/projects/${encodeId(projects[0])}/assigned_users`;
  switch (where) {
    case 'authorize':
      return `${authUrl}/oauth/authorize`;
    case 'token':
      return `${authUrl}/oauth/token`;
    case 'account-area':
      return `${authUrl}/access-keys/applications`;
    case 'assigned-users':
      return list;
    case 'assigned-user':
      return `${list}/${encodeId(users[0])}`;
  }
}

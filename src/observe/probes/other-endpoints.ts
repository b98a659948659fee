import { headerOf, type WireRequest } from '../../exchange/exchange.ts';
import { encodeForm, encodeId, present } from '../../flow/requests.ts';
import { type AnswerAt, aspectsOfPoint } from '../../profiles/aspects.ts';
import { neverIssued, type Probe, type ProbeContext } from '../probe-context.ts';
import { bodyOf, contentTypeOf } from '../read.ts';

export const neighbours: Probe = {
  openPoint: 'neighbours',
  aspects: aspectsOfPoint('neighbours'),
  requests: 9,
  async run(context) {
    const get = (path: string): WireRequest => ({
      method: 'GET',
      url: `${context.target.authUrl}${path}`,
      headers: [['Accept', 'application/json']],
    });
    const status = async (purpose: string, request: WireRequest) =>
      (await context.send(purpose, request)).status;
    context.see(
      'neighbours.revoke',
      await status('revoke', revokeRequest(context, '/oauth/revoke', neverIssued())),
    );
    context.see(
      'neighbours.introspect',
      await status('introspect', revokeRequest(context, '/oauth/introspect', neverIssued())),
    );
    const info = present(
      get('/oauth/token/info'),
      context.conversation.requestStyle,
      await context.accessToken(),
    );
    context.see('neighbours.token-info', await status('ask about the token', info));
    context.see(
      'neighbours.authorization-server-metadata',
      await status('ask for metadata', get('/.well-known/oauth-authorization-server')),
    );
    context.see(
      'neighbours.openid-configuration',
      await status('ask for metadata', get('/.well-known/openid-configuration')),
    );
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
  requests: 24,
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

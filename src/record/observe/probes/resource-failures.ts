import type { AspectOf } from '../../../../generated/ids.ts';
import { pathOfAssignedUsers } from '../../../document/assigned-users-path.ts';
import { type AnswerAt, type AspectId, aspectsOfPoint } from '../../../document/profiles/aspects.ts';
import { WRONG_CALLS } from '../../../evaluation/requests/wrong-requests.ts';
import { headerOf, type WireRequest } from '../../../http/exchange.ts';
import { bodyOf, contentTypeOf, failureShape, refusalOf } from '../../../service/flow/answer-shape.ts';
import { encodeForm, resourceRequest, withToken } from '../../../service/flow/requests.ts';
import { type Probe, type ProbeContext, unissuedToken } from '../probe-context.ts';

export const resourceFailures: Probe = {
  aspects: [
    'resource-failures.unknown-project',
    'resource-failures.unknown-user',
    'resource-failures.unknown-path',
    'resource-failures.no-token',
    'resource-failures.invalid-token',
    'other-methods.without-version',
  ],
  async run(context) {
    const { projects, users, baseUrl } = context.target;
    const token = await context.accessToken();
    const place = { project: projects[0], user: users[0] };
    for (const { of, aspect, change } of WRONG_CALLS) {
      if (aspect === undefined) continue;
      const { token: wrong, ...ids } = change({ place, accessToken: token })[0] ?? {};
      const presented = wrong === undefined ? {} : { token: typeof wrong === 'string' ? wrong : undefined };
      const name = aspect.replace('resource-failures.', '') as AspectOf<'resource-failures'>;
      const response = await context.operate(of, { ...ids, ...presented });
      context.see(`resource-failures.${name}`, failureShape(response));
    }
    const elsewhere = await context.send('a path that is none', {
      method: 'GET',
      url: `${baseUrl}/v2/no-such-path`,
      headers: [
        ['Accept', 'application/json'],
        ['Authorization', `Bearer ${token}`],
      ],
    });
    context.see('resource-failures.unknown-path', failureShape(elsewhere));
    const call = { operation: 'list', project: projects[0], token } as const;
    const unversioned = { ...context.requestStyle, versionPrefix: '' } as const;
    const response = await context.send('list', resourceRequest(context.target, unversioned, call));
    context.see('other-methods.without-version', failureShape(response));
  },
};

export const expiredToken: Probe = {
  aspects: ['resource-failures.expired-token', 'token-failures.exchange.expired-code'],
  async run(context) {
    const { accessToken } = await context.pair();
    const withCode = context.seen('token-failures.exchange.expired-code') === undefined;
    const code = withCode ? await context.code() : undefined;
    await context.outlive();
    const answer = await context.operate('list', { token: accessToken });
    context.see('resource-failures.expired-token', failureShape(answer));
    if (code === undefined) return;
    const late = await context.exchange('exchange an old code', code);
    context.see('token-failures.exchange.expired-code', refusalOf(late));
  },
};

/** Open point 5: an access token revoked by any method that the service has. */
export const revokedToken: Probe = {
  aspects: ['resource-failures.revoked-token'],
  async run(context) {
    const token = await revoked(context);
    if (token === undefined) {
      if (WAYS.every((way) => context.seen(way) !== undefined))
        context.see('resource-failures.revoked-token', null);
      return context.cannot('resource-failures.revoked-token', `not looked at: ${WAYS.join(', ')}`);
    }
    context.see('resource-failures.revoked-token', failureShape(await context.operate('list', { token })));
  },
};

const WAYS: readonly AspectId[] = [
  'neighbours.revoke',
  'failed-exchange.replay-revokes',
  'refresh-fate.old-access-token',
  'refresh-fate.reuse',
];

async function revoked(context: ProbeContext): Promise<string | undefined> {
  if (context.seen('neighbours.revoke') === 200) {
    const { accessToken } = await context.pair();
    await context.send('revoke', revokeRequest(context, '/oauth/revoke', accessToken));
    return accessToken;
  }
  if (context.seen('failed-exchange.replay-revokes') === true) {
    const code = await context.code();
    const pair = context.pairOf(await context.exchange('exchange the code', code));
    await context.exchange('exchange the code again', code);
    return pair?.accessToken;
  }
  const fate = context.seen('refresh-fate.old-access-token');
  const isReplaced = fate === 'at-once' || fate === 'on-first-use-of-the-new';
  if (!isReplaced && context.seen('refresh-fate.reuse') !== 'revokes-the-grant') return undefined;
  const old = await context.pair();
  if (!isReplaced) await context.waitUntilRefreshIsAllowed();
  const { accessToken } = await context.refreshedNow(old);
  await context.isAccepted(accessToken);
  if (isReplaced) return old.accessToken;
  const grace = context.seen('refresh-fate.grace-seconds');
  if (typeof grace === 'number') await context.pass(grace);
  await context.refresh('refresh with a dead token', old.refreshToken);
  return accessToken;
}

type Neighbour = AspectOf<'neighbours'>;

export const neighbours: Probe = {
  aspects: aspectsOfPoint('neighbours'),
  async run(context) {
    const { target, requestStyle } = context;
    const get = (path: string): WireRequest => ({
      method: 'GET',
      url: `${target.authUrl}${path}`,
      headers: [['Accept', 'application/json']],
    });
    const requests: Readonly<Record<Neighbour, () => WireRequest | Promise<WireRequest>>> = {
      revoke: () => revokeRequest(context, '/oauth/revoke', unissuedToken()),
      introspect: () => revokeRequest(context, '/oauth/introspect', unissuedToken()),
      'token-info': async () =>
        withToken(get('/oauth/token/info'), requestStyle.presentation, await context.accessToken()),
      'authorization-server-metadata': () => get('/.well-known/oauth-authorization-server'),
      'openid-configuration': () => get('/.well-known/openid-configuration'),
    };
    for (const name of Object.keys(requests) as Neighbour[]) {
      const { status } = await context.send(name, await requests[name]());
      context.see(`neighbours.${name}`, status);
    }
  },
};

function revokeRequest({ target, application }: ProbeContext, path: string, token: string): WireRequest {
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
  aspects: PATHS.map((where) => `other-methods.${where}` as const),
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
    ? withToken({ ...plain, method: 'GET' }, context.requestStyle.presentation, await context.accessToken())
    : plain;
  const response = await context.send(`${method} there`, { ...request, method });
  const { status } = response;
  const allow = headerOf(response, 'allow') !== undefined;
  return { status, allow, contentType: contentTypeOf(response), body: bodyOf(response) };
}

function urlOf({ target, requestStyle }: ProbeContext, where: Where): string {
  const { authUrl, baseUrl, projects, users } = target;
  const pathTo = (user?: string) => pathOfAssignedUsers(requestStyle.versionPrefix, projects[0], user);
  switch (where) {
    case 'authorize':
      return `${authUrl}/oauth/authorize`;
    case 'token':
      return `${authUrl}/oauth/token`;
    case 'account-area':
      return `${authUrl}/access-keys/applications`;
    case 'assigned-users':
      return `${baseUrl}${pathTo()}`;
    case 'assigned-user':
      return `${baseUrl}${pathTo(users[0])}`;
  }
}

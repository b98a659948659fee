import type { AspectOf } from '../../../../generated/ids.ts';
import type { AspectId } from '../../../document/profiles/aspects.ts';
import { WRONG_CALLS } from '../../../judge/requests/wrong-requests.ts';
import { failureOf, refusalOf } from '../../../target/flow/answer-shape.ts';
import type { ReceivedPair } from '../../../target/flow/answers.ts';
import { Player } from '../../../target/flow/player.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { revokeRequest } from './other-endpoints.ts';

export const resourceFailures: Probe = {
  openPoint: 'resource-failures',
  aspects: [
    'resource-failures.unknown-project',
    'resource-failures.unknown-user',
    'resource-failures.unknown-path',
    'resource-failures.no-token',
    'resource-failures.invalid-token',
    'other-methods.without-version',
  ],
  requests: 8,
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
      context.see(`resource-failures.${name}`, failureOf(response));
    }
    const elsewhere = await context.send('a path that is none', {
      method: 'GET',
      url: `${baseUrl}/v2/no-such-path`,
      headers: [
        ['Accept', 'application/json'],
        ['Authorization', `Bearer ${token}`],
      ],
    });
    context.see('resource-failures.unknown-path', failureOf(elsewhere));
    const unversioned = context.conversation.speaking({
      ...context.conversation.requestStyle,
      versionPrefix: '',
    });
    const response = await context.operate('list', { token }, new Player(unversioned));
    context.see('other-methods.without-version', failureOf(response));
  },
};

export const expiredToken: Probe = {
  openPoint: 'resource-failures',
  aspects: ['resource-failures.expired-token', 'token-failures.exchange.expired-code'],
  requests: 3,
  async run(context) {
    const { accessToken } = await context.pair();
    const withCode = context.seen('token-failures.exchange.expired-code') === undefined;
    const code = withCode ? await context.code() : undefined;
    await context.outlive();
    context.see(
      'resource-failures.expired-token',
      failureOf(await context.operate('list', { token: accessToken })),
    );
    if (code === undefined) return;
    context.see(
      'token-failures.exchange.expired-code',
      refusalOf(await context.exchange('exchange an old code', code)),
    );
  },
};

/** Open point 5: an access token revoked by any method that the service has. */
export const revokedToken: Probe = {
  openPoint: 'resource-failures',
  aspects: ['resource-failures.revoked-token'],
  requests: 6,
  async run(context) {
    const token = await revoked(context);
    if (token === undefined) {
      if (WAYS.every((way) => context.seen(way) !== undefined))
        context.see('resource-failures.revoked-token', null);
      return context.cannot('resource-failures.revoked-token', `not looked at: ${WAYS.join(', ')}`);
    }
    context.see('resource-failures.revoked-token', failureOf(await context.operate('list', { token })));
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
  if (fate === 'at-once' || fate === 'on-first-use-of-the-new')
    return replaced(context, await context.pair());
  if (context.seen('refresh-fate.reuse') === 'revokes-the-grant')
    return robbed(context, await context.pair());
  return undefined;
}

async function replaced(context: ProbeContext, old: ReceivedPair): Promise<string> {
  const { accessToken } = await context.refreshedNow(old);
  await context.isAccepted(accessToken);
  return old.accessToken;
}

async function robbed(context: ProbeContext, old: ReceivedPair): Promise<string> {
  await context.refreshable();
  const { accessToken } = await context.refreshedNow(old);
  await context.isAccepted(accessToken);
  await context.refresh('refresh with a dead token', old.refreshToken);
  return accessToken;
}

import type { AspectId } from '../../profiles/aspects.ts';
import { ACCESS_TOKEN_LIFE, type AnsweredPair, type Lab, neverIssued } from '../lab.ts';
import { noteResourceFailure } from '../notes.ts';
import type { Probe } from '../probe.ts';
import { revokeRequest } from './neighbours.ts';

/** Open point 5, without what takes time or revokes. */
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
  requests: 12,
  async run(lab) {
    const { projects, users, baseUrl } = lab.target;
    const token = await lab.accessToken();
    noteResourceFailure(lab, 'unknown-project', await lab.operate('list', { project: nobodys(projects[0]) }));
    noteResourceFailure(lab, 'unknown-user', await lab.operate('assign', { user: nobodys(users[0]) }));
    noteResourceFailure(lab, 'no-token', await lab.operate('list', { token: undefined }));
    noteResourceFailure(lab, 'invalid-token', await lab.operate('list', { token: neverIssued() }));
    const elsewhere = await lab.send('a path that is none', {
      method: 'GET',
      url: `${baseUrl}/v2/no-such-path`,
      headers: [
        ['Accept', 'application/json'],
        ['Authorization', `Bearer ${token}`],
      ],
    });
    noteResourceFailure(lab, 'unknown-path', elsewhere);
    const unversioned = lab.conversation.speaking({ ...lab.conversation.dialect, versionPrefix: '' });
    lab.failure('other-methods.without-version', await lab.operate('list', { token }, unversioned));
  },
};

/** Open point 5: an access token past its 7200 seconds. */
export const expiredToken: Probe = {
  openPoint: 'resource-failures',
  aspects: ['resource-failures.expired-token'],
  requests: 7,
  async run(lab) {
    const { accessToken } = await lab.pair();
    await lab.pass(ACCESS_TOKEN_LIFE + lab.target.skewSeconds);
    noteResourceFailure(lab, 'expired-token', await lab.operate('list', { token: accessToken }));
  },
};

/** Open point 5: an access token that was revoked in whichever way the service has one. */
export const revokedToken: Probe = {
  openPoint: 'resource-failures',
  aspects: ['resource-failures.revoked-token'],
  requests: 14,
  async run(lab) {
    const token = await revoked(lab);
    if (token === undefined) {
      if (WAYS.every((way) => lab.seen(way) !== undefined)) lab.see('resource-failures.revoked-token', null);
      return lab.cannot('resource-failures.revoked-token', `not looked at: ${WAYS.join(', ')}`);
    }
    noteResourceFailure(lab, 'revoked-token', await lab.operate('list', { token }));
  },
};

/** What tells whether a service revokes tokens at all. */
const WAYS: readonly AspectId[] = [
  'neighbours.revoke',
  'failed-exchange.replay-revokes',
  'refresh-fate.old-access-token',
  'refresh-fate.reuse',
];

async function revoked(lab: Lab): Promise<string | undefined> {
  if (lab.seen('neighbours.revoke') === 200) {
    const { accessToken } = await lab.pair();
    await lab.send('revoke', revokeRequest(lab, '/oauth/revoke', accessToken));
    return accessToken;
  }
  if (lab.seen('failed-exchange.replay-revokes') === true) {
    const code = await lab.code();
    const pair = lab.pairOf(await lab.exchange('exchange the code', code));
    await lab.exchange('exchange the code again', code);
    return pair?.accessToken;
  }
  const fate = lab.seen('refresh-fate.old-access-token');
  if (fate === 'at-once' || fate === 'on-first-use-of-the-new') return replaced(lab, await lab.pair());
  if (lab.seen('refresh-fate.reuse') === 'revokes-the-grant') return robbed(lab, await lab.pair());
  return undefined;
}

async function replaced(lab: Lab, old: AnsweredPair): Promise<string> {
  const { accessToken } = await lab.refreshed(old);
  await lab.acts(accessToken);
  return old.accessToken;
}

async function robbed(lab: Lab, old: AnsweredPair): Promise<string> {
  await lab.refreshable();
  const { accessToken } = await lab.refreshed(old);
  await lab.acts(accessToken);
  await lab.refresh('refresh with a dead token', old.refreshToken);
  return accessToken;
}

/** An id in the form of a known one, and nobody's. */
function nobodys(id: string): string {
  if (/^\d+$/.test(id)) return `${'9'.repeat(Math.min(9, id.length + 3))}`;
  return id.replace(/[0-9a-z](?=[^0-9a-z]*$)/i, (last) => `${last}0zq7`);
}

import { atOnce } from '../../flow/at-once.ts';
import type { AspectAnswer } from '../../profiles/aspects.ts';
import type { AnsweredPair, Lab } from '../lab.ts';
import { noteTokenRefusal } from '../notes.ts';
import type { Probe } from '../probe.ts';

/** Open point 9: is a refresh before expiry honoured, and what becomes of the old access token? */
export const oldAccessToken: Probe = {
  openPoint: 'refresh-fate',
  aspects: [
    'refresh-fate.before-expiry',
    'refresh-fate.old-access-token',
    'token-failures.refresh.too-early',
  ],
  requests: 9,
  async run(lab) {
    const old = await lab.pair();
    const answer = await lab.refresh('refresh before expiry', old.refreshToken);
    const next = lab.pairOf(answer);
    lab.see('refresh-fate.before-expiry', next !== undefined);
    if (next === undefined) {
      noteTokenRefusal(lab, 'refresh.too-early', answer);
      return lab.see('refresh-fate.old-access-token', null);
    }
    lab.see('token-failures.refresh.too-early', null);
    if (!lab.wants('refresh-fate.old-access-token')) return;
    if (!(await lab.acts(old.accessToken))) return lab.see('refresh-fate.old-access-token', 'at-once');
    await lab.acts(next.accessToken);
    const dead = !(await lab.acts(old.accessToken));
    lab.see('refresh-fate.old-access-token', dead ? 'on-first-use-of-the-new' : 'never');
  },
};

/** Open point 9: the old refresh token, what its use does once it is dead, and several refreshes at once. */
export const oldRefreshToken: Probe = {
  openPoint: 'refresh-fate',
  aspects: [
    'refresh-fate.old-refresh-token',
    'refresh-fate.reuse',
    'refresh-fate.parallel',
    'token-failures.refresh.revoked-token',
  ],
  requests: 30,
  async run(lab) {
    lab.see('refresh-fate.old-refresh-token', await fate(lab));
    lab.see('refresh-fate.parallel', await parallel(lab));
  },
};

async function fate(lab: Lab): Promise<AspectAnswer> {
  const atOnce = await reused(lab, false);
  if (atOnce) return 'at-once';
  if (await reused(lab, true)) return 'on-first-use-of-the-new';
  lab.see('refresh-fate.reuse', null);
  lab.see('token-failures.refresh.revoked-token', null);
  return 'never';
}

/** Refreshes, uses the new access token if told to, and refreshes with the old token again. @returns whether that was refused */
async function reused(lab: Lab, afterUse: boolean): Promise<boolean> {
  const old = await lab.pair();
  await lab.refreshable();
  const next = await lab.refreshed(old);
  if (afterUse) await lab.acts(next.accessToken);
  const again = await lab.refresh('refresh with a token that was replaced', old.refreshToken);
  if (lab.pairOf(again) !== undefined) return false;
  noteTokenRefusal(lab, 'refresh.revoked-token', again);
  lab.see('refresh-fate.reuse', (await lab.acts(next.accessToken)) ? 'refused' : 'revokes-the-grant');
  return true;
}

const AT_ONCE = 5;

async function parallel(lab: Lab): Promise<AspectAnswer> {
  const old: AnsweredPair = await lab.pair();
  await lab.refreshable();
  const refresh = () => lab.refresh('refresh, several at once', old.refreshToken);
  const answers = await atOnce(
    lab.target,
    Array.from({ length: AT_ONCE }, () => refresh),
  );
  const honoured = answers.filter((answer) => lab.pairOf(answer) !== undefined).length;
  if (honoured === AT_ONCE) return 'all';
  return honoured === 1 ? 'one' : 'some';
}

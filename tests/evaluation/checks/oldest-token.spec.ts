/** At its end a live run lists with its oldest token: one that dies within seconds shows, one that a later grant may end does not. */
import { expect, test } from '@playwright/test';
import { EXPIRED, expiring } from '../../../src/emulator/defects/8-limits.ts';
import { type Defect, defect } from '../../../src/emulator/defects/define-defect.ts';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';
import { attachMonitor } from '../../../src/evaluation/monitor/attach.ts';
import { useOldestToken } from '../../../src/evaluation/run/oldest-token.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { runSmokeFlow } from '../../../src/service/flow/smoke-flow.ts';
import { emulatorAsLiveTarget } from '../../support/emulator-as-live.ts';

const SECONDS = 15;

const diesOfAge = defect(
  'dies-of-age',
  expiring(() => (pair, now, dead) => (now > pair.issuedAt + SECONDS ? EXPIRED : dead)),
);

/** Each grant ends the one before it, which no clause forbids. */
const endsWithNextGrant = defect(
  'ends-with-next-grant',
  expiring(() => {
    let newest = 0;
    return (pair, _now, dead) => {
      newest = Math.max(newest, pair.issuedAt);
      return pair.issuedAt < newest ? EXPIRED : dead;
    };
  }),
);

async function brokenAfter(seconds: number, defects: readonly Defect[]): Promise<readonly string[]> {
  const target = await emulatorAsLiveTarget(await loadProfile('by-the-rfc'), defects);
  const watched = attachMonitor(connectWithoutBrowser(target, new SecretRegistry()));
  const { requestStyle } = await runSmokeFlow(watched.session);
  const session = { ...watched.session, requestStyle };
  await session.target.clock?.advance(seconds);
  await useOldestToken(watched, session);
  await target.close();
  return watched.monitor.findings.map(({ id }) => id);
}

test('a token that dies within seconds does not act for as long as it must', async () => {
  expect(await brokenAfter(SECONDS + 5, [diesOfAge])).toContain('exchange.token-acts');
});

test('neither a healthy service nor one that keeps the newest grant alone breaks anything', async () => {
  expect(await brokenAfter(SECONDS + 5, [])).toEqual([]);
  expect(await brokenAfter(SECONDS + 5, [endsWithNextGrant])).toEqual([]);
});

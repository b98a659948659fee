import type { WatchedAct } from '../judge/watched.ts';
import { type SituationStage, seconds, Unable } from './stage.ts';

/** Calls at the moment of expiry. */
const TOGETHER = 5;

/** Real seconds between two looks at what waits, and until the wait is given up. */
const LOOK_SECONDS = 0.01;
const MOST_SECONDS = 10;

/** Situations of expiry and refresh. */
export const PARTS = {
  expiry: async (stage: SituationStage) => {
    await stage.signedIn();
    await stage.expire();
    await stage.call('after-expiry');
    await stage.call();
  },
  'expiry-time-zone': async (stage: SituationStage) => {
    await stage.signedIn();
    await stage.expire();
    await stage.call('after-expiry');
  },
  'second-expiry': async (stage: SituationStage) => {
    await stage.signedIn();
    for (let round = 0; round < 3; round += 1) {
      await stage.expire();
      await stage.call();
      await stage.call();
    }
  },
  'expiry-after-restart': async (stage: SituationStage) => {
    await stage.signedIn();
    await stage.expire();
    await stage.call();
    await stage.restart();
    await stage.call('after-restart');
    await stage.expire();
    await stage.call('after-restart');
  },
  'calls-at-expiry': async (stage: SituationStage) => {
    await stage.signedIn();
    await stage.expire();
    await callTogether(stage);
    await stage.call('after-race');
  },
  'unauthorized-at-once': async (stage: SituationStage) => {
    await revoked(stage);
    await callTogether(stage);
  },
  'unauthorized-once': async (stage: SituationStage) => {
    await revoked(stage);
    await stage.call('refused-once');
  },
  'refresh-late': async (stage: SituationStage) => {
    await stage.signedIn();
    await stage.expire();
    const { heldMs } = stage.settings;
    stage.emulator.control.faults.arm({ ...REFRESH, kind: 'delay', milliseconds: heldMs, count: 1 });
    await stage.call('lost');
    await stage.call();
  },
  'refresh-stalled': async (stage: SituationStage) => {
    const { manyUsers } = stage.client;
    await stage.signedIn();
    await stage.expire();
    if (manyUsers) {
      await stage.signIn('', 'second');
      await stage.call('', 'second');
    }
    // Of this user alone: another client may refresh before every call.
    const { email: user } = stage.emulator.seed.owners[0];
    stage.emulator.control.faults.arm({ ...REFRESH, user, kind: 'stall', count: 'unlimited' });
    const beside = async () => {
      await stage.waiting();
      return stage.call('beside', 'second');
    };
    await stage.atOnce([() => stage.call('stalled'), ...(manyUsers ? [beside] : [])]);
    stage.emulator.control.faults.clear();
    await stage.recover();
  },
  'refresh-lost': async (stage: SituationStage) => {
    await stage.signedIn();
    await stage.expire();
    stage.emulator.control.faults.arm({
      route: 'token',
      grantType: 'refresh_token',
      kind: 'reset',
      afterEffect: true,
      count: 1,
    });
    await stage.call('lost');
    stage.emulator.control.faults.clear();
    await stage.recover();
  },
  'refresh-503': failedRefresh(503),
  'refresh-429': failedRefresh(429),
  'refresh-refused': async (stage: SituationStage) => {
    await stage.signedIn();
    stage.emulator.control.revoke({ token: stage.newest('refreshToken') });
    await stage.expire();
    if (stage.client.manyUsers) await stage.signIn('', 'second');
    await stage.call('refused-renewal');
    await stage.call('refused-renewal');
    if (stage.client.manyUsers) await stage.call('beside', 'second');
    await stage.recover();
  },
  'call-failed-after-refresh': async (stage: SituationStage) => {
    await stage.signedIn();
    await stage.expire();
    stage.emulator.control.faults.arm({ route: 'list', kind: 'status', status: 500, count: 'unlimited' });
    await stage.call('failed');
    stage.emulator.control.faults.clear();
    await stage.call();
    await stage.expire();
    await stage.call();
  },
  'killed-after-refresh': async (stage: SituationStage) => {
    if (!stage.client.restartable) throw new Unable('the client has no process of its own to kill');
    await stage.signedIn();
    await stage.expire();
    const { ended } = await heldAfterRefresh(stage);
    await stage.kill();
    stage.emulator.control.holds.clear();
    await ended;
    await stage.call('after-restart');
    await stage.expire();
    await stage.call('after-restart');
  },
};

/** Refreshes are held until each call has sent one, or none comes any more. */
async function callTogether(stage: SituationStage): Promise<void> {
  stage.emulator.control.holds.arm({ ...REFRESH, until: TOGETHER, limitMs: stage.settings.heldMs });
  await stage.atOnce(Array.from({ length: TOGETHER }, () => () => stage.call('at-once')));
}

/** The access token is revoked, a minute after it was issued: clients that count whole seconds do not know a younger one as theirs. */
async function revoked(stage: SituationStage): Promise<void> {
  await stage.signedIn();
  await stage.wait();
  stage.emulator.control.revoke({ token: stage.newest('accessToken') });
}

const REFRESH = { route: 'token', grantType: 'refresh_token' } as const;

/** The refresh fails once; the user calls again when the time told is over. */
function failedRefresh(status: number) {
  return async (stage: SituationStage) => {
    await stage.signedIn();
    await stage.expire();
    const retryAfter = stage.settings.retryAfterSeconds;
    stage.emulator.control.faults.arm({ ...REFRESH, kind: 'status', status, retryAfter, count: 1 });
    await stage.call('failed');
    stage.emulator.control.faults.clear();
    await seconds(retryAfter);
    await stage.call('after-503');
    await stage.recover();
  };
}

/**
 * Calls, and returns once a list that follows a refresh has arrived and its answer is held. A list that the client sends first, with the
 * expired token, is let go.
 */
async function heldAfterRefresh(stage: SituationStage): Promise<{ readonly ended: Promise<WatchedAct> }> {
  const { holds } = stage.emulator.control;
  const before = renewals(stage);
  let hold = holds.arm({ route: 'list', limitMs: MOST_SECONDS * 1_000 });
  let over = false;
  const ended = stage.call('killed').finally(() => {
    over = true;
  });
  for (let waited = 0; waited < MOST_SECONDS && !over; waited += LOOK_SECONDS) {
    const { waiting = 0 } = holds.list().find(({ id }) => id === hold.id) ?? {};
    if (waiting > 0 && renewals(stage) > before) return { ended };
    if (waiting > 0) {
      holds.release(hold.id);
      hold = holds.arm({ route: 'list', limitMs: MOST_SECONDS * 1_000 });
    }
    await seconds(LOOK_SECONDS);
  }
  holds.clear();
  await ended;
  throw new Unable('no list followed a refresh');
}

function renewals(stage: SituationStage): number {
  return stage
    .entries()
    .filter(({ grantType, issued }) => grantType === 'refresh_token' && issued.accessToken).length;
}

import type { Act } from '../evaluate/episode.ts';
import { type SituationContext, seconds, Unable } from './situation-context.ts';

const TOGETHER = 5;

const LOOK_SECONDS = 0.01;
const MOST_SECONDS = 10;

export const EXPIRY_SITUATIONS = {
  expiry: async (context: SituationContext) => {
    await context.signedIn();
    await context.expire();
    await context.call('after-expiry');
    await context.call();
  },
  'expiry-time-zone': async (context: SituationContext) => {
    await context.signedIn();
    await context.expire();
    await context.call('after-expiry');
  },
  'second-expiry': async (context: SituationContext) => {
    await context.signedIn();
    for (let round = 0; round < 3; round += 1) {
      await context.expire();
      await context.call();
      await context.call();
      await context.change();
    }
  },
  'expiry-after-restart': async (context: SituationContext) => {
    await context.signedIn();
    await context.expire();
    await context.call();
    await context.startAgain('restart');
    await context.call('after-restart');
    await context.expire();
    await context.call('after-restart');
  },
  'calls-at-expiry': async (context: SituationContext) => {
    await context.signedIn();
    await context.expire();
    await callTogether(context);
    await context.call('after-race');
  },
  'unauthorized-at-once': async (context: SituationContext) => {
    await context.signedIn();
    await revoked(context);
    await callTogether(context);
  },
  'unauthorized-once': async (context: SituationContext) => {
    await context.signedIn();
    for (const operation of context.client.operations) {
      await revoked(context);
      await context.call('refused-once', 'first', { operation });
    }
    await context.expire();
    await context.call();
  },
  'refresh-late': async (context: SituationContext) => {
    await context.signedIn();
    await context.expire();
    const { heldMs } = context.settings;
    context.fault({ ...REFRESH, kind: 'delay', milliseconds: heldMs, count: 1 });
    await context.call('lost');
    await context.call();
  },
  'refresh-stalled': async (context: SituationContext) => {
    const { manyUsers } = context.client;
    await context.signedIn();
    await context.expire();
    if (manyUsers) {
      await context.signIn('', 'second');
      await context.call('', 'second');
    }
    // Of this user only: another client may refresh before every call.
    const { email: user } = context.emulator.seed.owners[0];
    context.fault({ ...REFRESH, user, kind: 'stall' });
    const beside = async () => {
      await context.waiting();
      return context.call('beside', 'second');
    };
    await context.atOnce([() => context.call('stalled'), ...(manyUsers ? [beside] : [])]);
    context.clearFaults();
    await context.recover();
  },
  'refresh-lost': async (context: SituationContext) => {
    await context.signedIn();
    await context.expire();
    context.fault({ route: 'token', grantType: 'refresh_token', kind: 'reset', afterEffect: true, count: 1 });
    await context.call('lost');
    context.clearFaults();
    await context.recover();
  },
  'refresh-503': failedRefresh(503),
  'refresh-429': failedRefresh(429),
  'refresh-refused': async (context: SituationContext) => {
    await context.signedIn();
    // A careless client falls back to the refresh token before.
    await context.expire();
    await context.call();
    context.emulator.control.revoke({ token: context.newest('refreshToken') });
    await context.expire();
    if (context.client.manyUsers) await context.signIn('', 'second');
    await context.call('refused-renewal');
    await context.call('refused-renewal');
    if (context.client.manyUsers) await context.call('beside', 'second');
    await context.recover();
  },
  'call-failed-after-refresh': async (context: SituationContext) => {
    await context.signedIn();
    await context.expire();
    context.fault({ route: 'list', kind: 'status', status: 500 });
    await context.call('failed');
    context.clearFaults();
    await context.call();
    await context.expire();
    await context.call();
  },
  'killed-after-refresh': async (context: SituationContext) => {
    await context.signedIn();
    await context.expire();
    const { ended } = await heldAfterRefresh(context);
    await context.startAgain('kill');
    context.emulator.control.holds.clear();
    await ended;
    await context.call('after-restart');
    await context.expire();
    await context.call('after-restart');
  },
};

/** They begin last, because each needs the machine for ten calls at once. */
export const RACE_SITUATIONS = {
  'race-same-pair': races,
  'race-another-pair': races,
  'race-refused': races,
};

/** Both races, on a service that takes a replaced refresh token as the situation has it. */
async function races(context: SituationContext): Promise<void> {
  await context.signedIn();
  for (const begin of [() => context.expire(), () => revoked(context)]) {
    await begin();
    await callTogether(context);
    await context.call('after-race');
  }
}

/** Holds refreshes until each call has sent one, or no more arrive. */
async function callTogether(context: SituationContext): Promise<void> {
  context.hold({ ...REFRESH, until: TOGETHER });
  await context.atOnce(Array.from({ length: TOGETHER }, () => () => context.call('at-once')));
}

/** Revokes the access token a minute after its issue: clients that count whole seconds would not know a younger one. */
async function revoked(context: SituationContext): Promise<void> {
  await context.wait();
  context.emulator.control.revoke({ token: context.newest('accessToken') });
}

/** Bodies of the token endpoint in an outage: the service's own, and a page of a proxy in front of it. */
export const OUTAGES = [
  { contentType: 'application/json', body: '{"error":"temporarily_unavailable"}' },
  { contentType: 'text/html; charset=utf-8', body: '<!doctype html><title>Out of service</title>' },
] as const;

const REFRESH = { route: 'token', grantType: 'refresh_token' } as const;

function failedRefresh(status: number) {
  return async (context: SituationContext) => {
    const retryAfter = context.settings.retryAfterSeconds;
    await context.signedIn();
    for (const form of OUTAGES) {
      await context.expire();
      context.fault({ ...REFRESH, kind: 'status', status, retryAfter, count: 1, ...form });
      await context.call('failed');
      context.clearFaults();
      await seconds(retryAfter);
      await context.call('after-503');
    }
    await context.recover();
  };
}

/** Calls, and returns once a list that follows a refresh is held. Lets a list with the expired token pass. */
async function heldAfterRefresh(context: SituationContext): Promise<{ readonly ended: Promise<Act> }> {
  const { holds } = context.emulator.control;
  const before = renewals(context);
  let hold = holds.arm({ route: 'list', limitMs: MOST_SECONDS * 1_000 });
  let over = false;
  const ended = context.call('killed').finally(() => {
    over = true;
  });
  for (let waited = 0; waited < MOST_SECONDS && !over; waited += LOOK_SECONDS) {
    const { waiting = 0 } = holds.list().find(({ id }) => id === hold.id) ?? {};
    if (waiting > 0 && renewals(context) > before) return { ended };
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

function renewals(context: SituationContext): number {
  return context
    .entries()
    .filter(({ grantType, issued }) => grantType === 'refresh_token' && issued.accessToken).length;
}

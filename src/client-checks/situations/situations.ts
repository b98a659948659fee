import type { SituationId } from '../../document/load-client-requirements.ts';
import type { Fault } from '../../emulator/control-types.ts';
import type { EmulatorOptions } from '../../emulator/emulator-options.ts';
import type { WholeProfile } from '../../emulator/profile.ts';
import { LIST_REDIRECTED_TO, REDIRECTED_TO } from '../evaluate/rules/token-requests.ts';
import { forgedState } from '../evaluate/state-text.ts';
import { EMPTY_PROJECT, elsewhere, LONG_PROJECT } from '../service.ts';
import { EXPIRY_SITUATIONS, OUTAGES, RACE_SITUATIONS } from './expiry-situations.ts';
import { needed, type SituationContext, seconds, Unable } from './situation-context.ts';

export type ClientSituation = (context: SituationContext) => Promise<void>;

const UNKNOWN_PROJECT = '999999';

/** Projects of situations that do not use the default. An application with a fixed project starts with it. */
export const PROJECT_OF: Readonly<Partial<Record<SituationId, string>>> = {
  'list-empty': EMPTY_PROJECT,
  'list-long': LONG_PROJECT,
  'unknown-project': UNKNOWN_PROJECT,
};

const GONE = {
  kind: 'status',
  status: 410,
  headers: {
    Sunset: 'Sun, 31 Jan 2027 00:00:00 GMT',
    Link: '<https://example.test/newer>; rel="successor-version"',
  },
} as const;

const GRACE = { 'refresh-fate.old-refresh-token': 'never', 'refresh-fate.grace-seconds': 60 } as const;

export const SERVICE_OF: Readonly<
  Partial<
    Record<
      SituationId,
      { answers?: Partial<WholeProfile['answers']>; retirement?: EmulatorOptions['retirement'] }
    >
  >
> = {
  'race-same-pair': { answers: { ...GRACE, 'refresh-fate.successor': 'same-pair' } },
  'race-another-pair': { answers: { ...GRACE, 'refresh-fate.successor': 'another-pair' } },
  'race-refused': {
    answers: {
      'refresh-fate.old-refresh-token': 'at-once',
      'refresh-fate.grace-seconds': null,
      'refresh-fate.successor': 'refused',
    },
  },
  'sunset-header': { retirement: { announced: true } },
};

export const SITUATIONS: Readonly<Record<SituationId, ClientSituation>> = {
  ...EXPIRY_SITUATIONS,
  flow: async (context) => {
    await context.signIn();
    await context.needed('list');
    const { operations } = context.client;
    if (operations.includes('assign')) {
      await context.needed('assign');
      await context.needed('list');
    }
    if (operations.includes('unassign')) {
      await context.needed('unassign');
      await context.needed('list');
    }
    await context.expire();
    await context.call();
    await context.signInAgain('');
  },
  'second-user': async (context) => {
    if (!context.client.manyUsers) throw new Unable('the client has one user at a time');
    await context.signIn('', 'first');
    await context.signIn('', 'second');
    for (const session of ['first', 'second', 'first'] as const) await context.call('', session);
    await context.expire();
    for (const session of ['second', 'first'] as const) await context.call('', session);
  },
  denial: async (context) => {
    await context.deliver(await context.authorize('', 'first', 'deny'), 'denied');
    await context.recover();
  },
  'second-user-meanwhile': async (context) => {
    if (!context.client.manyUsers) throw new Unable('the client has one user at a time');
    const addresses = {
      first: await context.authorize('', 'first'),
      second: await context.authorize('', 'second'),
    };
    for (const session of ['first', 'second'] as const)
      needed('the callback', await context.deliver(addresses[session], '', session));
    await context.call('', 'first');
    await context.call('', 'second', { project: EMPTY_PROJECT });
    if (context.client.operations.includes('assign'))
      await context.call('', 'first', { operation: 'assign' });
    await context.expire();
    // During the first user's refresh, the second calls: the client must then store the first user's pair.
    await context.call('', 'second');
    const held = { route: 'token', grantType: 'refresh_token', until: 2 } as const;
    context.hold(held);
    const meanwhile = async () => {
      await context.waiting();
      return context.call('at-once', 'second');
    };
    await context.atOnce([() => context.call('at-once', 'first'), meanwhile]);
    for (const session of ['first', 'second'] as const) await context.call('', session);
    // Both access tokens expire at once: neither user may get the tokens of the other's refresh.
    await context.expire();
    context.emulator.control.holds.clear();
    context.hold(held);
    await context.atOnce([() => context.call('both-due', 'first'), () => context.call('both-due', 'second')]);
    for (const session of ['first', 'second'] as const) await context.call('', session);
  },
  'another-host': async (context) => {
    const { otherHost } = context.client;
    if (otherHost === undefined) throw new Unable('the client is reached by one name alone');
    context.underAnotherHost(otherHost);
    await context.deliver(await context.authorize(), 'odd');
  },
  'state-wrong': async (context) => {
    await context.deliver(
      withState(await context.authorize(), 'made-up-by-somebody-else-0123456789'),
      'hostile',
    );
    for (const alter of LIKE_IT) {
      const address = await context.authorize();
      const state = new URL(address).searchParams.get('state') ?? '';
      const altered = alter(state);
      if (altered !== undefined && altered !== state)
        await context.deliver(withState(address, altered), 'hostile');
    }
  },
  'state-missing': async (context) => {
    // In a browser without a begun sign-in, a careless client compares undefined with undefined.
    await context.deliver(withState(await context.attackersAddress(), undefined), 'hostile');
    await context.deliver(withState(await context.attackersAddress(), ''), 'hostile');
    await context.deliver(withState(await context.authorize(), undefined), 'hostile');
    await context.deliver(withState(await context.authorize(), ''), 'hostile');
  },
  'state-replayed': async (context) => {
    const first = await context.signIn();
    const state = new URL(first).searchParams.get('state') ?? undefined;
    await context.deliver(withState(await context.authorize(), state), 'hostile');
  },
  'foreign-code': async (context) => {
    if (!context.client.manySessions) throw new Unable('the client cannot tell two browsers apart');
    await context.deliver(await context.authorize('', 'second'), 'hostile', 'first');
    const attackers = await context.authorize('', 'second');
    await context.authorize('', 'first');
    await context.deliver(attackers, 'hostile', 'first');
  },
  'unknown-code': async (context) => {
    const address = new URL(await context.authorize());
    address.searchParams.set('code', 'never-issued-0123456789abcdefghijklmnopqrs');
    await context.deliver(address.href, 'hostile');
    await context.call('after-refusal');
  },
  'callback-reloaded': async (context) => {
    const address = await context.signIn();
    await context.deliver(address, 'reload');
  },
  'callback-twice': async (context) => {
    const address = await context.authorize();
    context.hold({ route: 'token', until: 2 });
    await context.atOnce([
      () => context.deliver(address, 'at-once'),
      () => context.deliver(address, 'at-once'),
    ]);
  },
  'exchange-late': async (context) => {
    context.fault({ route: 'token', kind: 'delay', milliseconds: context.settings.heldMs, count: 1 });
    await context.signIn('late');
    await context.call();
  },
  'exchange-lost': failedExchange({ kind: 'reset', afterEffect: true }),
  'exchange-500': failedExchange({ kind: 'status', status: 500 }),
  'exchange-503': async (context) => {
    const { retryAfterSeconds } = context.settings;
    const [json] = OUTAGES;
    await failedExchange({ kind: 'status', status: 503, retryAfter: retryAfterSeconds, ...json })(context);
  },
  'exchange-html': failedExchange({ kind: 'html', status: 502 }),
  'exchange-truncated': failedExchange({ kind: 'truncate' }),
  'exchange-wrong-type': async (context) => {
    context.fault({ route: 'token', kind: 'content-type', contentType: 'text/html', count: 1 });
    await context.deliver(await context.authorize(), 'odd');
    context.clearFaults();
    await context.recover();
  },
  'exchange-redirected': async (context) => {
    const headers = { Location: elsewhere(context.emulator.baseUrl, REDIRECTED_TO) };
    context.fault({ route: 'token', kind: 'status', status: 307, headers });
    await context.deliver(await context.authorize(), 'odd');
  },
  'exchange-stalled': async (context) => {
    context.fault({ route: 'token', kind: 'stall' });
    await context.deliver(await context.authorize(), 'stalled');
    context.clearFaults();
    await context.recover();
  },
  'token-type-capital': tolerant((context) => {
    const fields = { token_type: 'Bearer' };
    context.fault({ route: 'token', kind: 'fields', fields });
  }),
  'additional-fields': tolerant((context) => {
    const fields = {
      scope: 'read write destroy',
      created_at: 1_767_225_600,
      id: { nested: [1, null] },
      error: null,
    };
    context.fault({ route: 'token', kind: 'fields', fields });
  }),
  'token-characters': tolerant((context) => context.emulator.control.tokenForm.set('every-character')),
  'token-length': tolerant((context) => context.emulator.control.tokenForm.set('long')),
  'unauthorized-always': refusedCall('token-revoked'),
  forbidden: refusedCall('scope-insufficient'),
  'call-429-seconds': throttled(429, 'seconds'),
  'call-429-date': throttled(429, 'date'),
  'call-503-seconds': throttled(503, 'seconds'),
  'call-503-date': throttled(503, 'date'),
  'call-stalled': async (context) => {
    await context.signedIn();
    context.fault({ route: 'list', kind: 'stall' });
    await context.call('stalled');
    context.clearFaults();
    await context.call('recover');
  },
  'call-redirected': async (context) => {
    await context.signedIn();
    const headers = { Location: elsewhere(context.emulator.authUrl, LIST_REDIRECTED_TO) };
    context.fault({ route: 'list', kind: 'status', status: 307, headers });
    await context.call('redirected');
  },
  'unknown-project': async (context) => {
    // An application that lists at the sign-in shows the error there.
    await context.signIn('odd');
    await context.call('refused', 'first', { project: UNKNOWN_PROJECT });
    await refusedChange(context, { project: UNKNOWN_PROJECT });
  },
  'awkward-ids': async (context) => {
    await context.signedIn();
    const { client } = context;
    for (const operation of ['assign', 'unassign'] as const)
      if (client.operations.includes(operation) && client.named(operation).includes('user'))
        for (const user of ['a+b c%', 'ask?me', 'her/him'])
          await context.call('awkward', 'first', { operation, user });
    if (client.named('list').includes('project'))
      for (const project of ['Nord+Süd 50%', 'roof?half#7', 'west/2'])
        await context.call('awkward', 'first', { project });
  },
  'list-empty': async (context) => {
    await context.signIn();
    await context.call('tolerant', 'first', { project: EMPTY_PROJECT });
  },
  'list-long': async (context) => {
    await context.signIn();
    await context.call('tolerant', 'first', { project: LONG_PROJECT });
  },
  brownout: async (context) => {
    const { retryAfterSeconds: retryAfter } = context.settings;
    await context.signedIn();
    for (const rest of [{ status: 410 }, { status: 503, retryAfter }]) {
      await context.expire();
      context.fault({ route: 'any', kind: 'status', ...rest });
      await context.call('resting');
      await context.call('resting');
      context.clearFaults();
      await seconds(rest.retryAfter ?? 0);
      if ((await context.call('rested')).outcome !== 'ok') await context.recover();
    }
  },
  'sunset-header': async (context) => {
    await context.signedIn();
    await context.change();
    await context.expire();
    await context.call();
  },
  gone: async (context) => {
    await context.signedIn();
    context.fault({ route: 'any', ...GONE });
    await context.call('resting');
    await context.expire();
    await context.call('resting');
    await context.call('resting');
  },
  retired: async (context) => {
    await context.signedIn();
    context.fault({ route: 'list', ...GONE });
    await context.call('refused');
    context.clearFaults();
    context.fault({ route: 'assign', ...GONE });
    await refusedChange(context);
  },
  ...RACE_SITUATIONS,
};

function failedExchange(fault: Omit<Fault, 'route' | 'count'>): ClientSituation {
  return async (context) => {
    context.fault({ route: 'token', count: 1, ...fault });
    await context.deliver(await context.authorize(), 'failed');
    await context.call('after-failure');
    context.clearFaults();
    if (fault.retryAfter !== undefined) await seconds(fault.retryAfter);
    await context.recover();
  };
}

function tolerant(arm: (context: SituationContext) => void): ClientSituation {
  return async (context) => {
    arm(context);
    await context.signIn('tolerant');
    await context.call('tolerant');
    await context.expire();
    await context.call('tolerant-renewal');
  };
}

function refusedCall(reason: string): ClientSituation {
  return async (context) => {
    await context.signedIn();
    context.fault({ route: 'list', kind: 'refusal', reason });
    await context.call('refused');
    context.clearFaults();
    context.fault({ route: 'assign', kind: 'refusal', reason });
    await refusedChange(context);
  };
}

/** Assigns, if the client can. A refused write shows more than a refused list: the application may say that it is done. */
async function refusedChange(
  context: SituationContext,
  call: { readonly project?: string } = {},
): Promise<void> {
  if (context.client.operations.includes('assign'))
    await context.call('refused', 'first', { operation: 'assign', ...call });
}

function throttled(status: number, retryAfterForm: 'seconds' | 'date'): ClientSituation {
  return async (context) => {
    await context.signedIn();
    // A date has whole seconds, so it may be almost a second early.
    const retryAfter = context.settings.retryAfterSeconds + (retryAfterForm === 'date' ? 1 : 0);
    context.fault({ route: 'list', kind: 'status', status, retryAfter, retryAfterForm });
    await context.call('refused');
  };
}

/** Values that a careless comparison accepts as the state: a part of it, a longer one, other letter case, other contents. */
const LIKE_IT: readonly ((state: string) => string | undefined)[] = [
  (state) => state.slice(0, state.length >> 1),
  (state) => `${state}AAAA`,
  // A number or a UUID may stay equal in capital letters.
  (state) => (/[g-zG-Z]/.test(state) ? otherCase(state) : undefined),
  forgedState,
];

function otherCase(text: string): string {
  return text.replaceAll(/[a-zA-Z]/g, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
}

function withState(address: string, state: string | undefined): string {
  const url = new URL(address);
  if (state === undefined) url.searchParams.delete('state');
  else url.searchParams.set('state', state);
  return url.href;
}

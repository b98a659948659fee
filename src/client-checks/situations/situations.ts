import type { SituationId } from '../../catalogue/load-client-requirements.ts';
import { LIST_REDIRECTED_TO, REDIRECTED_TO } from '../judge/rules/token-requests.ts';
import { PARTS } from './expiry.ts';
import { EMPTY_PROJECT, LONG_PROJECT } from './seed.ts';
import { needed, type SituationStage, seconds, Unable } from './stage.ts';

/** Brings a situation about, step by step. What comes of it is in the journal. */
export type ClientSituation = (stage: SituationStage) => Promise<void>;

const UNKNOWN_PROJECT = '999999';

/** The project of a situation that is about another one than usual. An application whose calls name none is started with it. */
export const PROJECT_OF: Readonly<Partial<Record<SituationId, string>>> = {
  'list-empty': EMPTY_PROJECT,
  'list-long': LONG_PROJECT,
  'unknown-project': UNKNOWN_PROJECT,
};

/** Every situation of the catalogue: a missing one does not compile. */
export const SITUATIONS: Readonly<Record<SituationId, ClientSituation>> = {
  ...PARTS,
  flow: async (stage) => {
    await stage.signIn();
    await stage.needed('list');
    const { operations } = stage.client;
    if (operations.includes('assign')) {
      await stage.needed('assign');
      await stage.needed('list');
    }
    if (operations.includes('unassign')) {
      await stage.needed('unassign');
      await stage.needed('list');
    }
    await stage.expire();
    await stage.call();
    await stage.signIn();
    await stage.call();
  },
  'second-user': async (stage) => {
    if (!stage.client.manyUsers) throw new Unable('the client has one user at a time');
    await stage.signIn('', 'first');
    await stage.signIn('', 'second');
    for (const session of ['first', 'second', 'first'] as const) await stage.call('', session);
    await stage.expire();
    for (const session of ['second', 'first'] as const) await stage.call('', session);
  },
  denial: async (stage) => {
    await stage.deliver(await stage.authorize('', 'first', 'deny'), 'denied');
    await stage.recover();
  },
  'second-user-meanwhile': async (stage) => {
    if (!stage.client.manyUsers) throw new Unable('the client has one user at a time');
    const addresses = {
      first: await stage.authorize('', 'first'),
      second: await stage.authorize('', 'second'),
    };
    for (const session of ['first', 'second'] as const)
      needed('the callback', await stage.deliver(addresses[session], '', session));
    await stage.call('', 'first');
    await stage.call('', 'second', { project: EMPTY_PROJECT });
    if (stage.client.operations.includes('assign')) await stage.call('', 'first', { operation: 'assign' });
    await stage.expire();
    // While the one is refreshed for, the other calls: what is stored then must be the one's.
    await stage.call('', 'second');
    const held = { route: 'token', grantType: 'refresh_token', until: 2 } as const;
    stage.emulator.control.holds.arm({ ...held, limitMs: stage.settings.heldMs });
    const meanwhile = async () => {
      await stage.waiting();
      return stage.call('at-once', 'second');
    };
    await stage.atOnce([() => stage.call('at-once', 'first'), meanwhile]);
    for (const session of ['first', 'second'] as const) await stage.call('', session);
    // The access tokens of both are due at once: neither may wait for the other's refresh and call with what it gave.
    await stage.expire();
    stage.emulator.control.holds.clear();
    stage.emulator.control.holds.arm({ ...held, limitMs: stage.settings.heldMs });
    await stage.atOnce([() => stage.call('both-due', 'first'), () => stage.call('both-due', 'second')]);
    for (const session of ['first', 'second'] as const) await stage.call('', session);
  },
  'another-host': async (stage) => {
    const { otherHost } = stage.client;
    if (otherHost === undefined) throw new Unable('the client is reached by one name alone');
    stage.underAnotherHost(otherHost);
    await stage.deliver(await stage.authorize(), 'odd');
  },
  'state-wrong': async (stage) => {
    await stage.deliver(withState(await stage.authorize(), 'made-up-by-somebody-else-0123456789'), 'hostile');
    for (const alter of LIKE_IT) {
      const address = await stage.authorize();
      const state = new URL(address).searchParams.get('state') ?? '';
      const altered = alter(state);
      if (altered !== undefined && altered !== state)
        await stage.deliver(withState(address, altered), 'hostile');
    }
  },
  'state-missing': async (stage) => {
    // In a browser where no sign-in was begun, nothing is compared with nothing.
    await stage.deliver(withState(await stage.attackersAddress(), undefined), 'hostile');
    await stage.deliver(withState(await stage.attackersAddress(), ''), 'hostile');
    await stage.deliver(withState(await stage.authorize(), undefined), 'hostile');
    await stage.deliver(withState(await stage.authorize(), ''), 'hostile');
  },
  'state-replayed': async (stage) => {
    const first = await stage.signIn();
    const state = new URL(first).searchParams.get('state') ?? undefined;
    await stage.deliver(withState(await stage.authorize(), state), 'hostile');
  },
  'foreign-code': async (stage) => {
    if (!stage.client.manySessions) throw new Unable('the client cannot tell two browsers apart');
    await stage.deliver(await stage.authorize('', 'second'), 'hostile', 'first');
    const attackers = await stage.authorize('', 'second');
    await stage.authorize('', 'first');
    await stage.deliver(attackers, 'hostile', 'first');
  },
  'unknown-code': async (stage) => {
    const address = new URL(await stage.authorize());
    address.searchParams.set('code', 'never-issued-0123456789abcdefghijklmnopqrs');
    await stage.deliver(address.href, 'hostile');
    await stage.call('after-refusal');
  },
  'callback-reloaded': async (stage) => {
    const address = await stage.signIn();
    await stage.deliver(address, 'reload');
  },
  'callback-twice': async (stage) => {
    const address = await stage.authorize();
    stage.emulator.control.holds.arm({ route: 'token', until: 2, limitMs: stage.settings.heldMs });
    await stage.atOnce([() => stage.deliver(address, 'at-once'), () => stage.deliver(address, 'at-once')]);
  },
  'exchange-late': async (stage) => {
    stage.emulator.control.faults.arm({ route: 'token', kind: 'delay', milliseconds: stage.settings.heldMs });
    await stage.signIn('late');
    await stage.call();
  },
  'exchange-lost': failedExchange({ kind: 'reset', afterEffect: true }),
  'exchange-500': failedExchange({ kind: 'status', status: 500 }),
  'exchange-503': async (stage) => {
    const { retryAfterSeconds } = stage.settings;
    await failedExchange({ kind: 'status', status: 503, retryAfter: retryAfterSeconds })(stage);
  },
  'exchange-html': failedExchange({ kind: 'html', status: 502 }),
  'exchange-truncated': failedExchange({ kind: 'truncate' }),
  'exchange-wrong-type': async (stage) => {
    stage.emulator.control.faults.arm({ route: 'token', kind: 'content-type', contentType: 'text/html' });
    await stage.deliver(await stage.authorize(), 'odd');
    stage.emulator.control.faults.clear();
    await stage.recover();
  },
  'exchange-redirected': async (stage) => {
    const headers = { Location: elsewhere(stage.emulator.baseUrl, REDIRECTED_TO) };
    stage.emulator.control.faults.arm({
      route: 'token',
      kind: 'status',
      status: 307,
      headers,
      count: 'unlimited',
    });
    await stage.deliver(await stage.authorize(), 'odd');
  },
  'exchange-stalled': async (stage) => {
    stage.emulator.control.faults.arm({ route: 'token', kind: 'stall', count: 'unlimited' });
    await stage.deliver(await stage.authorize(), 'stalled');
    stage.emulator.control.faults.clear();
    await stage.recover();
  },
  'token-type-capital': tolerant((stage) => {
    const fields = { token_type: 'Bearer' };
    stage.emulator.control.faults.arm({ route: 'token', kind: 'fields', fields, count: 'unlimited' });
  }),
  'additional-fields': tolerant((stage) => {
    const fields = {
      scope: 'read write destroy',
      created_at: 1_767_225_600,
      id: { nested: [1, null] },
      error: null,
    };
    stage.emulator.control.faults.arm({ route: 'token', kind: 'fields', fields, count: 'unlimited' });
  }),
  'token-characters': tolerant((stage) => stage.emulator.control.tokenForm.set('every-character')),
  'unauthorized-always': refusedCall('token-revoked'),
  forbidden: refusedCall('scope-insufficient'),
  'call-429-seconds': throttled(429, 'seconds'),
  'call-429-date': throttled(429, 'date'),
  'call-503-seconds': throttled(503, 'seconds'),
  'call-503-date': throttled(503, 'date'),
  'call-stalled': async (stage) => {
    await stage.signedIn();
    stage.emulator.control.faults.arm({ route: 'list', kind: 'stall', count: 'unlimited' });
    await stage.call('stalled');
    stage.emulator.control.faults.clear();
    await stage.call('recover');
  },
  'call-redirected': async (stage) => {
    await stage.signedIn();
    const headers = { Location: elsewhere(stage.emulator.authUrl, LIST_REDIRECTED_TO) };
    stage.emulator.control.faults.arm({
      route: 'list',
      kind: 'status',
      status: 307,
      headers,
      count: 'unlimited',
    });
    await stage.call('redirected');
  },
  'unknown-project': async (stage) => {
    // An application that lists at the sign-in shows an error there.
    await stage.signIn('odd');
    await stage.call('refused', 'first', { project: UNKNOWN_PROJECT });
  },
  'awkward-ids': async (stage) => {
    await stage.signedIn();
    const { client } = stage;
    for (const operation of ['assign', 'unassign'] as const)
      if (client.operations.includes(operation) && client.named(operation).includes('user'))
        for (const user of ['a+b c%', 'ask?me', 'her/him'])
          await stage.call('awkward', 'first', { operation, user });
    if (client.named('list').includes('project'))
      for (const project of ['Nord+Süd 50%', 'roof?half#7', 'west/2'])
        await stage.call('awkward', 'first', { project });
  },
  'list-empty': async (stage) => {
    await stage.signIn();
    await stage.call('tolerant', 'first', { project: EMPTY_PROJECT });
  },
  'list-long': async (stage) => {
    await stage.signIn();
    await stage.call('tolerant', 'first', { project: LONG_PROJECT });
  },
  retired: async (stage) => {
    await stage.signedIn();
    stage.emulator.control.faults.arm({
      route: 'list',
      kind: 'status',
      status: 410,
      headers: {
        Sunset: 'Sun, 31 Jan 2027 00:00:00 GMT',
        Link: '<https://example.test/newer>; rel="successor-version"',
      },
      count: 'unlimited',
    });
    await stage.call('refused');
  },
};

/** Another name of loopback: on the host that it knows, a client may take headers and body to another port. */
function elsewhere(origin: string, path: string): string {
  const url = new URL(path, origin);
  url.hostname = 'localhost';
  return url.href;
}

type ExchangeFault = Omit<
  Parameters<SituationStage['emulator']['control']['faults']['arm']>[0],
  'route' | 'count'
>;

/** The exchange fails once; the user calls, and then signs in anew. */
function failedExchange(fault: ExchangeFault): ClientSituation {
  return async (stage) => {
    stage.emulator.control.faults.arm({ route: 'token', count: 1, ...fault });
    await stage.deliver(await stage.authorize(), 'failed');
    await stage.call('after-failure');
    stage.emulator.control.faults.clear();
    if (fault.retryAfter !== undefined) await seconds(fault.retryAfter);
    await stage.recover();
  };
}

/** Odd but good answers from the first token on, through an expiry. */
function tolerant(arm: (stage: SituationStage) => void): ClientSituation {
  return async (stage) => {
    arm(stage);
    await stage.signIn('tolerant');
    await stage.call('tolerant');
    await stage.expire();
    await stage.call('tolerant-renewal');
  };
}

/** The service refuses every list for a reason of its own. */
function refusedCall(reason: string): ClientSituation {
  return async (stage) => {
    await stage.signedIn();
    stage.emulator.control.faults.arm({ route: 'list', kind: 'refusal', reason, count: 'unlimited' });
    await stage.call('refused');
  };
}

function throttled(status: number, retryAfterForm: 'seconds' | 'date'): ClientSituation {
  return async (stage) => {
    await stage.signedIn();
    // A date is told to the second, so it may be almost a second early.
    const retryAfter = stage.settings.retryAfterSeconds + (retryAfterForm === 'date' ? 1 : 0);
    stage.emulator.control.faults.arm({
      route: 'list',
      kind: 'status',
      status,
      retryAfter,
      retryAfterForm,
      count: 'unlimited',
    });
    await stage.call('refused');
  };
}

/** What a comparison that is not exact takes for a state: a part of it, more than it, the same in other letter case. */
const LIKE_IT: readonly ((state: string) => string | undefined)[] = [
  (state) => state.slice(0, state.length >> 1),
  (state) => `${state}AAAA`,
  // A number, or a UUID, is the same in capital letters.
  (state) => (/[g-zG-Z]/.test(state) ? otherCase(state) : undefined),
];

function otherCase(text: string): string {
  return text.replaceAll(/[a-zA-Z]/g, (letter) =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
}

/** The address with another state, or with none. */
function withState(address: string, state: string | undefined): string {
  const url = new URL(address);
  if (state === undefined) url.searchParams.delete('state');
  else url.searchParams.set('state', state);
  return url.href;
}

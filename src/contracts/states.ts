import { randomBytes } from 'node:crypto';
import { encodeId } from '../document/assigned-users-path.ts';
import type { ReceivedPair } from '../service/flow/answers.ts';
import { orStopped, Stopped } from '../service/flow/flow-steps.ts';
import { neverIssued, unknownId } from '../service/flow/never-issued.ts';
import type { WantedState } from './pact/read-pact.ts';
import type { TargetActions } from './verify/target-actions.ts';

/** Provider states for pacts of all consumers. Names, parameters and values are a public interface and are never renamed. */

type InjectedValue =
  | 'client_id'
  | 'client_secret'
  | 'redirect_uri'
  | 'code'
  | 'access_token'
  | 'refresh_token'
  | 'authorization'
  | 'project_id'
  | 'user_id';

type StateValues = Partial<Readonly<Record<InjectedValue, string>>>;

interface ProviderState {
  readonly description: string;
  readonly parameters?: readonly 'scope'[];
  readonly values: readonly InjectedValue[];
  readonly clause: string;
  readonly needs?: 'clock';
  readonly setUp: (at: StateTarget, scope: string | undefined) => Promise<StateValues>;
}

const APPLICATION = ['client_id', 'client_secret', 'redirect_uri'] as const;
const OF_CODE = { parameters: ['scope'], values: [...APPLICATION, 'code'] } as const;
const OF_PAIR = {
  parameters: ['scope'],
  values: [...APPLICATION, 'access_token', 'refresh_token', 'authorization'],
} as const;

const STATES = {
  'an application is registered': {
    description: 'the application that the target is configured with',
    values: APPLICATION,
    clause: '1',
    setUp: async (at) => at.application,
  },
  'a code was granted': {
    description: 'the owner has just granted access; the code has not been exchanged',
    ...OF_CODE,
    clause: '2.2',
    setUp: async (at, scope) => at.code(await at.actions.code({ scope })),
  },
  'a code was exchanged': {
    description: 'the code has been exchanged once, so it is used up',
    ...OF_CODE,
    clause: '2.2',
    setUp: async (at, scope) => {
      const code = await at.actions.code({ scope });
      await at.actions.exchanged(code);
      return at.code(code);
    },
  },
  'no such code was granted': {
    description: 'a code like one of the service, never issued',
    values: OF_CODE.values,
    clause: '4.2',
    setUp: async (at) => at.code(neverIssued(await at.actions.code())),
  },
  'a token pair was issued': {
    description: 'a code was exchanged; both tokens are unused',
    ...OF_PAIR,
    clause: '4.2',
    setUp: async (at, scope) => at.tokens(await at.actions.pair({ scope })),
  },
  'a token pair can be refreshed': {
    description:
      'as before; where the service refuses to refresh before expiry, which the document leaves open, the access token has expired',
    ...OF_PAIR,
    clause: '4.3',
    setUp: async (at, scope) => {
      const pair = await at.actions.pair({ scope });
      await at.actions.waitUntilRefreshIsAllowed();
      return at.tokens(pair);
    },
  },
  'a token pair was refreshed': {
    description: 'the pair that a refresh has given; the one before it is spent',
    ...OF_PAIR,
    clause: '4.3',
    setUp: async (at, scope) => {
      const pair = await at.actions.refreshed(await at.actions.pair({ scope }));
      await at.actions.waitUntilRefreshIsAllowed();
      return at.tokens(pair);
    },
  },
  'an access token has expired': {
    description: '7200 seconds have passed since the pair was issued',
    ...OF_PAIR,
    clause: '3',
    needs: 'clock',
    setUp: async (at, scope) => {
      const pair = await at.actions.pair({ scope });
      await at.actions.expire();
      return at.tokens(pair);
    },
  },
  'no such token was issued': {
    description: 'tokens like those of the service, never issued',
    values: OF_PAIR.values,
    clause: '4.3',
    setUp: async (at) => {
      const { accessToken, refreshToken } = await at.actions.pair();
      return at.tokens({ accessToken: neverIssued(accessToken), refreshToken: neverIssued(refreshToken) });
    },
  },
  'a project exists': {
    description: 'a project that the owner may work on',
    values: ['project_id'],
    clause: '4.4',
    setUp: async (at) => at.project,
  },
  'no such project exists': {
    description: 'the id of no project',
    values: ['project_id'],
    clause: '7',
    setUp: async (at) => ({ project_id: at.unknown(at.target.projects[0]) }),
  },
  'a user is assigned to a project': {
    description: 'the user is on the project’s list',
    values: ['project_id', 'user_id'],
    clause: '4.4',
    setUp: (at) => at.assigned(true),
  },
  'a user is not assigned to a project': {
    description: 'both exist, and the user is not on the project’s list',
    values: ['project_id', 'user_id'],
    clause: '4.4',
    setUp: (at) => at.assigned(false),
  },
  'no such user exists': {
    description: 'the id of no user',
    values: ['user_id'],
    clause: '7',
    setUp: async (at) => ({ user_id: at.unknown(at.target.users[0]) }),
  },
} as const satisfies Readonly<Record<string, ProviderState>>;

export type StateName = keyof typeof STATES;

export const PROVIDER_STATES: Readonly<Record<StateName, ProviderState>> = STATES;

export function isStateName(name: string): name is StateName {
  return Object.hasOwn(STATES, name);
}

/** A target on which the states of one interaction are set up. */
class StateTarget {
  readonly actions: TargetActions;
  readonly presented = new Map<string, string>();
  readonly invented: string[] = [];

  constructor(actions: TargetActions) {
    this.actions = actions;
  }

  get target() {
    return this.actions.session.target;
  }

  get application(): StateValues {
    const { clientId, clientSecret, redirectUris } = this.target.application;
    return { client_id: clientId, client_secret: clientSecret, redirect_uri: redirectUris[0] };
  }

  code(code: string): StateValues {
    return { ...this.application, code };
  }

  tokens({ accessToken, refreshToken }: ReceivedPair): StateValues {
    const authorization = `presented-as-the-target-has-it ${randomBytes(12).toString('hex')}`;
    this.presented.set(authorization, accessToken);
    return { ...this.application, access_token: accessToken, refresh_token: refreshToken, authorization };
  }

  get project(): StateValues {
    return { project_id: encodeId(this.target.projects[0]) };
  }

  async assigned(wanted: boolean): Promise<StateValues> {
    await this.actions.assigned(wanted);
    return { ...this.project, user_id: encodeId(this.target.users[0]) };
  }

  unknown(like: string): string {
    const id = encodeId(unknownId(like));
    this.invented.push(id);
    return id;
  }
}

export interface ReadyStates {
  readonly states: readonly { readonly name: string; readonly values: StateValues }[];
  /** The access token behind each injected `authorization`; the target decides how it is presented (clause 5.6). */
  readonly presented: ReadonlyMap<string, string>;
  readonly invented: readonly string[];
}

/** The state that could not be set up, so that nothing of its interaction is sent. */
export interface StoppedState {
  readonly state: StateName;
  readonly stopped: Stopped;
}

export async function setUpStates(
  actions: TargetActions,
  wanted: readonly WantedState[],
): Promise<ReadyStates | StoppedState> {
  const at = new StateTarget(actions);
  const states: { name: string; values: StateValues }[] = [];
  for (const { name, parameters } of wanted) {
    if (!isStateName(name)) throw new Error(`no such provider state: ${name}`);
    const { scope } = parameters;
    const setUp = PROVIDER_STATES[name].setUp(at, typeof scope === 'string' ? scope : undefined);
    const values = await orStopped(setUp);
    if (values instanceof Stopped) return { state: name, stopped: values };
    states.push({ name, values });
  }
  return { states, presented: at.presented, invented: at.invented };
}

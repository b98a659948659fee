import { randomBytes } from 'node:crypto';
import type { ReceivedPair } from '../../flow/answers.ts';
import { neverIssued, unknownId } from '../../flow/never-issued.ts';
import { encodeId } from '../../flow/requests.ts';
import type { WantedState } from '../pact/pact.ts';
import { type InjectedValue, isStateName, type StateName } from '../states.ts';
import type { TargetActions } from './target-actions.ts';
import { StateFailed } from './target-actions.ts';

export type StateValues = Partial<Readonly<Record<InjectedValue, string>>>;

export interface SetUpState extends WantedState {
  readonly values: StateValues;
}

export interface ReadyStates {
  readonly states: readonly SetUpState[];
  /** The access token behind each injected `authorization`; the target decides how it is presented (clause 5.6). */
  readonly presented: ReadonlyMap<string, string>;
  readonly invented: readonly string[];
}

export async function setUpStates(
  actions: TargetActions,
  wanted: readonly WantedState[],
): Promise<ReadyStates> {
  const at = new StateTarget(actions);
  const states: SetUpState[] = [];
  for (const state of wanted) {
    if (!isStateName(state.name)) throw new Error(`no such provider state: ${state.name}`);
    const { scope } = state.parameters;
    const handler = HANDLERS[state.name];
    const values = await handler(at, typeof scope === 'string' ? scope : undefined).catch(
      (error: unknown) => {
        if (!(error instanceof StateFailed)) throw error;
        throw new StateFailed(error.kind, `it cannot be brought about that ${state.name}: ${error.message}`);
      },
    );
    states.push({ ...state, values });
  }
  return { states, presented: at.presented, invented: at.invented };
}

class StateTarget {
  readonly actions: TargetActions;
  readonly presented = new Map<string, string>();
  readonly invented: string[] = [];

  constructor(actions: TargetActions) {
    this.actions = actions;
  }

  get application(): StateValues {
    const { clientId, clientSecret, redirectUris } = this.actions.session.target.application;
    return { client_id: clientId, client_secret: clientSecret, redirect_uri: redirectUris[0] };
  }

  tokens({ accessToken, refreshToken }: ReceivedPair): StateValues {
    const authorization = `presented-as-the-target-has-it ${randomBytes(12).toString('hex')}`;
    this.presented.set(authorization, accessToken);
    return { ...this.application, access_token: accessToken, refresh_token: refreshToken, authorization };
  }

  get project(): StateValues {
    return { project_id: encodeId(this.actions.session.target.projects[0]) };
  }

  get user(): StateValues {
    return { ...this.project, user_id: encodeId(this.actions.session.target.users[0]) };
  }

  unknown(like: string): string {
    const id = encodeId(unknownId(like));
    this.invented.push(id);
    return id;
  }
}

type Handler = (at: StateTarget, scope: string | undefined) => Promise<StateValues>;

const HANDLERS: Readonly<Record<StateName, Handler>> = {
  'an application is registered': async (at) => at.application,

  'a code was granted': async (at, scope) => ({
    ...at.application,
    code: await at.actions.code(scope),
  }),

  'a code was exchanged': async (at, scope) => {
    const code = await at.actions.code(scope);
    await at.actions.exchanged(code);
    return { ...at.application, code };
  },

  'no such code was granted': async (at) => ({
    ...at.application,
    code: neverIssued(await at.actions.code()),
  }),

  'a token pair was issued': async (at, scope) => at.tokens(await at.actions.pair(scope)),

  'a token pair can be refreshed': async (at, scope) => {
    const pair = await at.actions.pair(scope);
    await at.actions.refreshable();
    return at.tokens(pair);
  },

  'a token pair was refreshed': async (at, scope) => {
    const pair = await at.actions.refreshed(await at.actions.pair(scope));
    await at.actions.refreshable();
    return at.tokens(pair);
  },

  'an access token has expired': async (at, scope) => {
    const pair = await at.actions.pair(scope);
    await at.actions.expire('the state needs an expired token');
    return at.tokens(pair);
  },

  'no such token was issued': async (at) => {
    const { accessToken, refreshToken } = await at.actions.pair();
    return at.tokens({ accessToken: neverIssued(accessToken), refreshToken: neverIssued(refreshToken) });
  },

  'a project exists': async (at) => at.project,

  'no such project exists': async (at) => ({
    project_id: at.unknown(at.actions.session.target.projects[0]),
  }),

  'a user is assigned to a project': async (at) => {
    await at.actions.assigned(true);
    return at.user;
  },

  'a user is not assigned to a project': async (at) => {
    await at.actions.assigned(false);
    return at.user;
  },

  'no such user exists': async (at) => ({ user_id: at.unknown(at.actions.session.target.users[0]) }),
};

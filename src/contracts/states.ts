/** Provider states for pacts of all consumers. Names, parameters and values are a public interface and are never renamed. */

export type InjectedValue =
  | 'client_id'
  | 'client_secret'
  | 'redirect_uri'
  | 'code'
  | 'access_token'
  | 'refresh_token'
  | 'authorization'
  | 'project_id'
  | 'user_id';

export type StateParameter = 'scope';

export interface ProviderState {
  readonly description: string;
  readonly parameters?: readonly StateParameter[];
  readonly values: readonly InjectedValue[];
  readonly clause: string;
  readonly needs?: 'clock';
}

const APPLICATION = ['client_id', 'client_secret', 'redirect_uri'] as const;
const TOKENS = ['access_token', 'refresh_token', 'authorization'] as const;

const STATES = {
  'an application is registered': {
    description: 'the application that the target is configured with',
    values: APPLICATION,
    clause: '1',
  },
  'a code was granted': {
    description: 'the owner has just granted access; the code has not been exchanged',
    parameters: ['scope'],
    values: [...APPLICATION, 'code'],
    clause: '2.2',
  },
  'a code was exchanged': {
    description: 'the code has been exchanged once, so it is used up',
    parameters: ['scope'],
    values: [...APPLICATION, 'code'],
    clause: '2.2',
  },
  'no such code was granted': {
    description: 'a code like one of the service, never issued',
    values: [...APPLICATION, 'code'],
    clause: '4.2',
  },
  'a token pair was issued': {
    description: 'a code was exchanged; both tokens are unused',
    parameters: ['scope'],
    values: [...APPLICATION, ...TOKENS],
    clause: '4.2',
  },
  'a token pair can be refreshed': {
    description:
      'as before; where the service refuses to refresh before expiry, which the document leaves open, the access token has expired',
    parameters: ['scope'],
    values: [...APPLICATION, ...TOKENS],
    clause: '4.3',
  },
  'a token pair was refreshed': {
    description: 'the pair that a refresh has given; the one before it is spent',
    parameters: ['scope'],
    values: [...APPLICATION, ...TOKENS],
    clause: '4.3',
  },
  'an access token has expired': {
    description: '7200 seconds have passed since the pair was issued',
    parameters: ['scope'],
    values: [...APPLICATION, ...TOKENS],
    clause: '3',
    needs: 'clock',
  },
  'no such token was issued': {
    description: 'tokens like those of the service, never issued',
    values: [...APPLICATION, ...TOKENS],
    clause: '4.3',
  },
  'a project exists': {
    description: 'a project that the owner may work on',
    values: ['project_id'],
    clause: '4.4',
  },
  'no such project exists': {
    description: 'the id of no project',
    values: ['project_id'],
    clause: '7',
  },
  'a user is assigned to a project': {
    description: 'the user is on the project’s list',
    values: ['project_id', 'user_id'],
    clause: '4.4',
  },
  'a user is not assigned to a project': {
    description: 'both exist, and the user is not on the project’s list',
    values: ['project_id', 'user_id'],
    clause: '4.4',
  },
  'no such user exists': {
    description: 'the id of no user',
    values: ['user_id'],
    clause: '7',
  },
} as const satisfies Readonly<Record<string, ProviderState>>;

export type StateName = keyof typeof STATES;

export const PROVIDER_STATES: Readonly<Record<StateName, ProviderState>> = STATES;

export function isStateName(name: string): name is StateName {
  return Object.hasOwn(STATES, name);
}

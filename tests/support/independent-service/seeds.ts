import type { Settings } from './settings.ts';

/** An application registered with the independent service (clause 1). */
export interface SeedApplication {
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
}

/** A user who can be assigned to a project. The name and the address are what a staging list would disclose. */
export interface SeedUser {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

export interface Seeds {
  readonly application: SeedApplication;
  readonly secondApplication: SeedApplication;
  readonly owner: { readonly accountId: string; readonly login: string; readonly password: string };
  readonly users: readonly SeedUser[];
  /** Ids of the users that a suite may call its own: assigned nowhere at the start. */
  readonly freeUsers: readonly string[];
  /** Ids of the assigned users by project, in the order of their assignment. */
  readonly assigned: Readonly<Record<string, readonly string[]>>;
}

const USERS: readonly SeedUser[] = [
  { id: 'u-9wq4', firstName: 'Suite', lastName: 'Alpha', email: 'suite.alpha@staging.example.test' },
  { id: 'u-2hbd', firstName: 'Suite', lastName: 'Beta', email: 'suite.beta@staging.example.test' },
  { id: 'u-7xk0', firstName: 'Suite', lastName: 'Gamma', email: 'suite.gamma@staging.example.test' },
  { id: 'u-3ljc', firstName: 'Suite', lastName: 'Delta', email: 'suite.delta@staging.example.test' },
  { id: 'u-5mtz', firstName: 'Ilse', lastName: 'Brandt', email: 'ilse.brandt@people.example.test' },
  { id: 'u-c81r', firstName: 'Tomás', lastName: 'O’Hara', email: 'tomas.ohara@people.example.test' },
  { id: 'u-0vnf', firstName: 'Yuki', lastName: 'Tanabe', email: 'yuki.tanabe@people.example.test' },
];

/** The seeds, with the secrets that the settings give. Everything but the secrets is the same at every start. */
export function makeSeeds(settings: Settings): Seeds {
  return {
    application: {
      name: 'Conformance <independent-service> & first',
      clientId: 'app-6f2d81',
      clientSecret: settings.clientSecret,
      redirectUris: [
        'https://client.example.test/oauth/callback',
        'https://client.example.test/oauth/return?tenant=blue',
      ],
    },
    secondApplication: {
      name: 'Conformance independent-service, second',
      clientId: 'app-b07c39',
      clientSecret: settings.secondClientSecret,
      redirectUris: ['https://client.example.test/second/callback'],
    },
    owner: { accountId: 'acct-41e7', login: 'owner@staging.example.test', password: settings.password },
    users: USERS,
    freeUsers: ['u-9wq4', 'u-2hbd', 'u-7xk0', 'u-3ljc'],
    assigned: { 'prj-kd82m': ['u-5mtz', 'u-c81r'], 'prj-p3x9t': ['u-c81r'] },
  };
}

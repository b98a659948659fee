import type { Seed } from '../../emulator/seed.ts';

/** The project that calls are about. */
export const PROJECT = '1041';

/** The user whom calls assign and unassign: not assigned at the start. */
export const USER = '505';

/** A project without users. */
export const EMPTY_PROJECT = '1043';

/** A project with many users, where it is seeded. */
export const LONG_PROJECT = '1099';

const MANY = 10_000;

/** What the emulator starts with: one application, two owners, a project with users and one without. */
export function clientSeed(application: SeededApplication, long: boolean): Seed {
  const crowd = long
    ? Array.from({ length: MANY }, (_, index) => ({
        id: String(20_000 + index),
        name: `User ${index}`,
        email: `user${index}@example.test`,
      }))
    : [];
  return {
    owners: [
      { name: 'Ada Lovell', email: 'ada@example.test' },
      { name: 'Bruno Keller', email: 'bruno@example.test' },
    ],
    applications: [{ name: 'The client', ...application, redirectUris: [...application.redirectUris] }],
    projects: [
      { id: PROJECT, name: 'Harbour Street roof', assignedUsers: ['501', '502'] },
      { id: EMPTY_PROJECT, name: 'Old Brewery windows', assignedUsers: [] },
      ...(long
        ? [{ id: LONG_PROJECT, name: 'Central station', assignedUsers: crowd.map(({ id }) => id) }]
        : []),
    ],
    users: [
      { id: '501', name: 'Chidi Okafor', email: 'chidi@example.test' },
      { id: '502', name: 'Dana Whitfield', email: 'dana@example.test' },
      { id: USER, name: 'Goran Petrov', email: 'goran@example.test' },
      ...crowd,
    ],
  };
}

/** The client as the service knows it. Left out, id and secret are made up. */
export interface SeededApplication {
  readonly redirectUris: readonly string[];
  readonly clientId?: string;
  readonly clientSecret?: string;
}

import type { Seed } from '../../../src/emulator/store/seed.ts';

/** Numbers of users in the crowded seed, by project id. */
export const CROWDS = { none: '9000', hundred: '9001', thousand: '9002', tenThousand: '9003' } as const;

/** Unassigned users: one for each connection that assigns and unassigns. */
export const SPARE_USERS: readonly string[] = Array.from({ length: 20 }, (_, i) => String(200_001 + i));

/** A seed with four projects: nobody, 100, 1,000 and 10,000 users assigned. */
export function crowdedSeed(): Seed {
  const crowd = Array.from({ length: 10_000 }, (_, i) => String(100_001 + i));
  return {
    owners: [{ name: 'Ada Lovell', email: 'ada@example.test' }],
    applications: [{ name: 'Site Diary', redirectUris: ['https://client.example.test/callback'] }],
    projects: [
      { id: CROWDS.none, name: 'Nobody', assignedUsers: [] },
      { id: CROWDS.hundred, name: 'A hundred', assignedUsers: crowd.slice(0, 100) },
      { id: CROWDS.thousand, name: 'A thousand', assignedUsers: crowd.slice(0, 1_000) },
      { id: CROWDS.tenThousand, name: 'Ten thousand', assignedUsers: crowd },
    ],
    users: [...crowd, ...SPARE_USERS].map((id) => ({
      id,
      name: `User ${id}`,
      email: `user${id}@example.test`,
    })),
  };
}

import { defaultSeed } from './default-seed.ts';
import type { Seed } from './seed.ts';

/** `61041` ends like a project of the default seed: ids that are cut to fit. */
const MORE_PROJECTS = ['7', '208', '66003', '61041', '310000000000001'] as const;

/** `50` is the beginning of other users' ids. */
const MORE_USERS = ['3', '42', '50', '999', '1009', '70002', '123456789', '900000000000001'] as const;

/** Users of a project that has many; nobody works with them, but every list of it holds them. */
const CROWD = Array.from({ length: 120 }, (_, index) => String(4_000 + index));

/** Redirect addresses of every kind: long, with what is not ASCII, with capitals and a query. */
const MORE_ADDRESSES = [
  `https://client.example.test/long/${'a'.repeat(280)}`,
  'https://client.example.test/gr%C3%BC%C3%9Fe/%E6%97%A5',
  'https://client.example.test/Mixed/Case?b=2&a=%2F1',
] as const;

/** A secret of what forms must encode (RFC 6749 section 2.3.1). */
const AWKWARD_SECRET = 'p%2Bq+r/s=t&u~v-w_x.y1234567890abcdef';

/** The default seed with more of everything: ids from one digit to fifteen, addresses and a secret that encodings stumble over. */
export const roomySeed: Seed = {
  ...defaultSeed,
  applications: defaultSeed.applications.map((application, index) => ({
    ...application,
    ...(index === 0 ? { redirectUris: [...application.redirectUris, ...MORE_ADDRESSES] } : {}),
    ...(index === 1 ? { clientSecret: AWKWARD_SECRET } : {}),
  })),
  projects: [
    ...defaultSeed.projects,
    ...MORE_PROJECTS.map((id) => ({
      id,
      name: `Site ${id}`,
      assignedUsers: id === '208' ? ['501', '503'] : id === '66003' ? CROWD : [],
    })),
  ],
  users: [
    ...defaultSeed.users,
    ...[...MORE_USERS, ...CROWD].map((id) => ({
      id,
      name: `Hand ${id}`,
      email: `hand${id}@example.test`,
    })),
  ],
};

import { defaultSeed } from './default-seed.ts';
import type { Seed } from './seed.ts';

/** `61041` ends like a project of the default seed, to detect truncated ids. */
const MORE_PROJECTS = ['7', '208', '66003', '61041', '310000000000001'] as const;

/** `50` is a prefix of other users' ids. */
const MORE_USERS = ['3', '42', '50', '999', '1009', '70002', '123456789', '900000000000001'] as const;

const CROWD = Array.from({ length: 120 }, (_, index) => String(4_000 + index));

const MORE_ADDRESSES = [
  `https://client.example.test/long/${'a'.repeat(280)}`,
  'https://client.example.test/gr%C3%BC%C3%9Fe/%E6%97%A5',
  'https://client.example.test/Mixed/Case?b=2&a=%2F1',
] as const;

/** Contains characters that forms must encode (RFC 6749 section 2.3.1). */
const AWKWARD_SECRET = 'p%2Bq+r/s=t&u~v-w_x.y1234567890abcdef';

/** The default seed plus ids of 1 to 15 digits, and addresses and a secret that are hard to encode. */
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

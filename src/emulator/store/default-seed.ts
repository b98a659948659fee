import type { Seed } from './seed.ts';

/** The emulator's default seed. No server is at the redirect addresses; the demo's is on loopback. */
export const defaultSeed: Seed = {
  owners: [
    { name: 'Ada Lovell', email: 'ada@example.test' },
    { name: 'Bruno Keller', email: 'bruno@example.test' },
  ],
  applications: [
    {
      name: 'Site Diary',
      redirectUris: [
        'https://client.example.test/callback',
        'https://client.example.test/oauth/return?source=legacy',
      ],
    },
    {
      name: 'Crew Planner (demo)',
      redirectUris: ['http://127.0.0.1:8750/callback', 'https://planner.example.test/callback'],
    },
    {
      name: 'Invoice Helper',
      redirectUris: ['https://invoices.example.test/authorized'],
      owner: 'bruno@example.test',
    },
  ],
  projects: [
    { id: '1041', name: 'Harbour Street roof', assignedUsers: ['501', '502'] },
    { id: '1042', name: 'Mill Lane extension', assignedUsers: ['503'] },
    { id: '1043', name: 'Old Brewery windows', assignedUsers: [] },
    { id: '1044', name: 'Quay House survey', assignedUsers: [] },
  ],
  users: [
    { id: '501', name: 'Chidi Okafor', email: 'chidi@example.test' },
    { id: '502', name: 'Dana Whitfield', email: 'dana@example.test' },
    { id: '503', name: 'Emil Sørensen', email: 'emil@example.test' },
    { id: '504', name: 'Farah Nasser', email: 'farah@example.test' },
    { id: '505', name: 'Goran Petrov', email: 'goran@example.test' },
    { id: '506', name: 'Hina Sato', email: 'hina@example.test' },
    { id: '507', name: 'Ines Duarte', email: 'ines@example.test' },
    { id: '508', name: 'Jonas Weber', email: 'jonas@example.test' },
  ],
};

/** `61041` ends like a project of the default seed, to detect truncated ids. */
const MORE_PROJECTS = ['7', '208', '66003', '61041', '310000000000001'] as const;

/** `50` is a prefix of other users' ids. */
const MORE_USERS = ['3', '42', '50', '999', '1009', '70002', '123456789', '900000000000001'] as const;

const CROWD = Array.from({ length: 120 }, (_, index) => String(4_000 + index));

const ASSIGNED: Readonly<Partial<Record<string, readonly string[]>>> = { 208: ['501', '503'], 66003: CROWD };

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
      assignedUsers: [...(ASSIGNED[id] ?? [])],
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

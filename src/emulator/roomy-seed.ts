import { defaultSeed } from './default-seed.ts';
import type { Seed } from './seed.ts';

const MORE_PROJECTS = ['7', '208', '66003', '310000000000001'] as const;
const MORE_USERS = ['3', '42', '999', '1009', '70002', '123456789', '900000000000001'] as const;

/** The default seed with more projects and users, their ids from one digit to fifteen. */
export const roomySeed: Seed = {
  ...defaultSeed,
  projects: [
    ...defaultSeed.projects,
    ...MORE_PROJECTS.map((id) => ({
      id,
      name: `Site ${id}`,
      assignedUsers: id === '208' ? ['501', '503'] : [],
    })),
  ],
  users: [
    ...defaultSeed.users,
    ...MORE_USERS.map((id) => ({ id, name: `Hand ${id}`, email: `hand${id}@example.test` })),
  ],
};

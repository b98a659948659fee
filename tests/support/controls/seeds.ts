import { defaultSeed } from '../../../src/emulator/store/default-seed.ts';
import type { Seed } from '../../../src/emulator/store/seed.ts';

const CROWD = 40;

export function crowdedSeed(): Seed {
  const crowd = Array.from({ length: CROWD }, (_, index) => ({
    id: String(9_000 + index),
    name: `Müller ${index} & Söhne`,
    email: `crowd${index}@example.test`,
  }));
  return {
    ...defaultSeed,
    users: [...crowd, ...defaultSeed.users],
    projects: defaultSeed.projects.map((project) => ({
      ...project,
      assignedUsers: crowd.map(({ id }) => id),
    })),
  };
}

export function bareSeed(): Seed {
  return {
    ...defaultSeed,
    projects: defaultSeed.projects.map((project) => ({ ...project, assignedUsers: [] })),
  };
}

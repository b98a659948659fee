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

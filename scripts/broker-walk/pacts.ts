import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a value of the provider states goes. */
const injected = (value: string) => `\${${value}}`;

const LIST = { method: 'GET', path: '/v2/projects/1/assigned_users' } as const;

/** The list without a token is refused: what the emulator keeps, and its defect `list-token-optional` does not. */
export const REFUSED_WITHOUT_TOKEN = {
  description: 'the members of a project, without a token',
  providerStates: [{ name: 'a project exists' }],
  request: LIST,
  response: { status: 401 },
};

/** The list without a token is given: a mistake, that no service keeps. */
export const GIVEN_WITHOUT_TOKEN = { ...REFUSED_WITHOUT_TOKEN, response: { status: 200 } };

/** The list with a token. */
export const GIVEN_WITH_TOKEN = {
  description: 'the members of a project',
  providerStates: [{ name: 'a token pair was issued' }, { name: 'a project exists' }],
  request: {
    ...LIST,
    headers: { Authorization: 'Bearer x' },
    generators: {
      path: { type: 'ProviderState', expression: `/v2/projects/${injected('project_id')}/assigned_users` },
      header: { Authorization: { type: 'ProviderState', expression: `Bearer ${injected('access_token')}` } },
    },
  },
  response: { status: 200 },
};

/** Another question, so that the pact is one that was never verified. */
export const OTHER_PROJECT = {
  description: 'the members of a project that there is not, without a token',
  providerStates: [{ name: 'no such project exists' }],
  request: LIST,
  response: { status: 401 },
};

/** Writes a pact into a folder of its own, and returns that. */
export function writePact(
  folder: string,
  consumer: string,
  provider: string,
  interactions: readonly unknown[],
): string {
  mkdirSync(folder, { recursive: true });
  const pact = {
    consumer: { name: consumer },
    provider: { name: provider },
    interactions,
    metadata: { pactSpecification: { version: '3.0.0' } },
  };
  writeFileSync(join(folder, 'pact.json'), JSON.stringify(pact, null, 2));
  return folder;
}

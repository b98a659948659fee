import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A small pact; `changes` replaces top-level keys. */
export function samplePact(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    consumer: { name: 'web-shop' },
    provider: { name: 'legacy-resource-api' },
    interactions: [
      {
        type: 'Synchronous/HTTP',
        description: 'a request for the assigned users',
        providerStates: [{ name: 'a project exists' }],
        request: { method: 'GET', path: '/v2/projects/1/assigned_users' },
        response: { status: 200 },
      },
    ],
    metadata: { pactSpecification: { version: '4.0' } },
    ...changes,
  };
}

/** Writes contents as files of a folder, which is made, and returns the folder. */
export function writePacts(folder: string, contents: Readonly<Record<string, unknown>>): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(contents)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

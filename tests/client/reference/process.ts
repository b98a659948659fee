/** A process of its own that lists a project over a file store. Started by `processes.spec.ts`. */
import { createClient, fileStore } from '../../../examples/reference-client/client/index.ts';

/** Messages to the process. */
export interface Task {
  readonly url: string;
  readonly path: string;
  /** The time of its clock: milliseconds since 1970. */
  readonly now: number;
}

/** Messages: it is up, it has read the stored pair, the end of the call. */
export type Told = 'up' | 'read' | { readonly users?: readonly unknown[]; readonly error?: string };

const tell = (reported: Told): void => {
  process.send?.(reported);
};

// The parent has gone, or has all messages.
process.once('disconnect', () => process.exit());

process.once('message', async ({ url, path, now }: Task) => {
  const store = fileStore(path);
  const client = createClient({
    authUrl: url,
    baseUrl: url,
    clientId: 'client-id-1',
    clientSecret: 'client-secret-7d2e',
    redirectUri: 'https://client.legacy.test/callback',
    now: () => now,
    store: {
      ...store,
      async read() {
        const pair = await store.read();
        tell('read');
        return pair;
      },
    },
  });
  const outcome: Told = await client.list('project-1').then(
    (users) => ({ users }),
    (error: Error) => ({ error: `${error.name}: ${error.message}` }),
  );
  process.send?.(outcome, () => process.disconnect());
});
tell('up');

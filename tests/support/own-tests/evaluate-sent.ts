import { episodesOf } from '../../../src/client-checks/own-tests.ts';
import type { JournalEntry } from '../../../src/emulator/control/control-types.ts';
import { type Emulator, startEmulator } from '../../../src/emulator/start/start-emulator.ts';
import { type EvaluatedEpisodes, evaluateEpisodes } from '../evaluate-episodes.ts';

export interface Sender {
  readonly emulator: Emulator;
  /** Sends a token request with the credentials in the form; these fields replace or add some. */
  token(fields: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>>;
  list(authorization: string): Promise<number>;
}

/** Evaluates what a test sends to an emulator of its own, without a socket; `edit` changes the journal before. */
export async function evaluateSent(
  send: (sender: Sender) => Promise<void>,
  edit: (entries: readonly JournalEntry[]) => readonly JournalEntry[] = (entries) => entries,
): Promise<EvaluatedEpisodes> {
  const emulator = await startEmulator({ listen: false });
  const [{ clientId, clientSecret }] = emulator.seed.applications;
  const [{ id }] = emulator.seed.projects;
  await send({
    emulator,
    token: async (fields) => {
      const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...fields });
      const request = new Request(`${emulator.authUrl}/oauth/token`, { method: 'POST', body });
      return (await emulator.fetch(request)).json();
    },
    list: async (authorization) => {
      const address = `${emulator.baseUrl}/v2/projects/${id}/assigned_users`;
      return (await emulator.fetch(new Request(address, { headers: { authorization } }))).status;
    },
  });
  const settings = { clientId, clientSecret, retryAfterSeconds: Number.POSITIVE_INFINITY };
  const entries = edit(emulator.control.journal.entries());
  await emulator.close();
  return evaluateEpisodes(episodesOf(entries, emulator), settings);
}

import { episodesOf } from '../../client-checks/own-tests.ts';
import { LIFETIME } from '../../document/lifetime.ts';
import type { JournalEntry, JournalPage } from '../../emulator/control-types.ts';
import type { Emulator } from '../../emulator/start-emulator.ts';
import type { WatchedClient } from './report-client.ts';

export interface SentByTests
  extends Pick<WatchedClient, 'isProfileChosen' | 'troubles' | 'startedAt' | 'durationMs'> {
  readonly application: { readonly clientId: string; readonly clientSecret: string };
  readonly name: string;
  /** The stated lifetime in seconds, if it is not the document's. */
  readonly expiresIn: number | undefined;
  readonly commandExit?: string | undefined;
  readonly entries: readonly JournalEntry[];
  /** Set if the journal no longer has every request: the rest could mislead. */
  readonly lost: string | undefined;
}

/** Returns the client that an integrator's own tests made act, as its requests show it. */
export function watchedTests(emulator: Emulator, sent: SentByTests): WatchedClient {
  const { application, expiresIn, commandExit, lost, troubles } = sent;
  const { applications, owners } = emulator.seed;
  return {
    episodes: lost === undefined ? episodesOf(sent.entries, emulator) : [],
    settings: {
      clientId: application.clientId,
      clientSecret: application.clientSecret,
      retryAfterSeconds: Number.POSITIVE_INFINITY,
      expiresIn: expiresIn ?? LIFETIME,
    },
    isProfileChosen: sent.isProfileChosen,
    client: {
      name: sent.name,
      driven: 'own-tests',
      ...(expiresIn === undefined ? {} : { expiresIn }),
      ...(commandExit === undefined ? {} : { commandExit }),
      situations: [],
    },
    target: { authUrl: emulator.authUrl, baseUrl: emulator.baseUrl, profile: emulator.profile.name },
    troubles: lost === undefined ? troubles : [...troubles, { kind: 'inconclusive', message: lost }],
    secrets: [
      emulator.controlToken ?? '',
      ...owners.map(({ password }) => password),
      ...applications.map(({ clientSecret }) => clientSecret),
    ],
    startedAt: sent.startedAt,
    durationMs: sent.durationMs,
  };
}

export function lostRequests({ dropped, limit }: JournalPage, advice: string): string {
  return `the journal keeps ${limit} requests, and ${dropped} more were sent: none was evaluated; ${advice}`;
}

import { type KindsOf, requireKinds } from '../../document/input/require-kinds.ts';
import type { JournalEntry, JournalPage } from '../../emulator/control-types.ts';
import { requireApplication } from '../../emulator/seed.ts';
import type { Emulator } from '../../emulator/start-emulator.ts';
import type { Results } from '../../report/results.ts';
import { searchedReport } from '../report-results.ts';
import { type EvaluatedClient, evaluateWatched, lostRequests, watchedTests } from './report-client.ts';

export interface EvaluateClientOptions {
  /** Client id of the application whose requests count; default: the first of the seed. */
  readonly application?: string;
  /** A warning violates, too; default: false. */
  readonly strict?: boolean;
  /** Milliseconds since the epoch: earlier requests do not count; default: all that the journal has. */
  readonly since?: number;
}

const KINDS: KindsOf<EvaluateClientOptions> = {
  application: ['string'],
  strict: ['boolean'],
  since: ['number'],
};

/**
 * Evaluates the client that has sent requests to an emulator of this process, as `client -- COMMAND` does: for the last test of
 * a suite. Sends, prints and writes nothing.
 *
 * @param emulator as `startEmulator` returns it
 * @returns the contents of `results.json`, redacted
 * @throws TypeError for an unknown option; RangeError for an unknown application
 */
export async function evaluateClient(
  emulator: Emulator,
  options: EvaluateClientOptions = {},
): Promise<Results> {
  requireKinds('evaluateClient', options, KINDS);
  const { application: clientId, strict = false, since } = options;
  const evaluated = await evaluateSince(emulator, { clientId, since, strict, isProfileChosen: true });
  return searchedReport(evaluated.run, evaluated.view, evaluated.secrets).results;
}

interface Wanted {
  readonly clientId: string | undefined;
  /** Milliseconds since the epoch. */
  readonly since: number | undefined;
  readonly strict: boolean;
  readonly isProfileChosen: boolean;
}

/** Evaluates what an application, by default the first of the seed, has sent. @throws RangeError for an unknown application */
export function evaluateSince(
  emulator: Emulator,
  { clientId, since: begun, strict, isProfileChosen }: Wanted,
): Promise<EvaluatedClient> {
  const { control, seed } = emulator;
  const application = applicationIn(seed, clientId);
  const page = control.journal.page();
  const since = begun ?? page.startedAt;
  const { expiresIn, documented } = control.lifetime.read();
  const watched = watchedTests(emulator, {
    application,
    name: application.name,
    isProfileChosen,
    expiresIn: documented ? undefined : expiresIn,
    entries: entriesOf(page, application.clientId, since),
    troubles: [],
    lost: hasLost(page, since) ? lostRequests(page, LOST) : undefined,
    startedAt: new Date(since),
    durationMs: Math.max(0, performance.timeOrigin + performance.now() - since),
  });
  return evaluateWatched(watched, strict);
}

/** @throws RangeError for an unknown application */
export function applicationIn(seed: Emulator['seed'], clientId: string | undefined) {
  return clientId === undefined ? seed.applications[0] : requireApplication(clientId, seed);
}

const LOST = 'begin a report before each test run (DELETE /client-report), or raise --journal-limit';

/** Returns the requests of one application. A request that names no application counts if no other application has sent any. */
function entriesOf(page: JournalPage, clientId: string, since: number): readonly JournalEntry[] {
  const recent = page.entries.filter(({ arrivedMs }) => page.startedAt + arrivedMs >= since);
  const isAlone = recent.every(({ application = clientId }) => application === clientId);
  return recent.filter(
    ({ application }) => application === clientId || (application === undefined && isAlone),
  );
}

/** True if the journal may have dropped requests of the report: it drops those first that were answered first. */
function hasLost({ dropped, entries, startedAt }: JournalPage, since: number): boolean {
  const oldest = entries[0]?.answeredMs ?? 0;
  return dropped > 0 && startedAt + oldest >= since;
}

import { clientRequirementIds } from '../../../generated/ids.ts';
import { loadAnswers } from '../../client-checks/answers.ts';
import { evaluateRequirements } from '../../client-checks/evaluate/evaluate-requirements.ts';
import type { EvaluationSettings } from '../../client-checks/evaluate/rule.ts';
import { episodesOf } from '../../client-checks/own-tests.ts';
import { type ClientRun, clientResults, registerSent } from '../../client-checks/results.ts';
import { LIFETIME } from '../../document/lifetime.ts';
import { type ClientCatalogue, loadClientCatalogue } from '../../document/load-client-requirements.ts';
import type { JournalEntry, JournalPage } from '../../emulator/control/control-types.ts';
import type { Emulator } from '../../emulator/start/start-emulator.ts';
import { requireApplication } from '../../emulator/store/seed.ts';
import { SecretRegistry } from '../../http/secrets/registry.ts';
import type { CatalogueView } from '../../report/catalogue-view.ts';
import { firstOf } from '../../report/count-text.ts';
import { withKnownDeviations } from '../../report/policy.ts';
import type { Results } from '../../report/results.ts';
import type { ExitCode, Run } from '../../report/verdict.ts';
import { loadKnownDeviations } from '../shared/known-deviations.ts';
import { suiteVersion } from '../shared/own-package.ts';
import { readProfileWithNote } from '../shared/read-profile.ts';
import { type ReportableRun, type ReportOptions, reportResults } from '../shared/report-results.ts';
import { requireReportFolder } from '../shared/write-files.ts';

/** The options of all ways to report on a client. */
export interface ClientReportOptions extends ReportOptions {
  readonly strict: boolean;
  readonly knownDeviations: string | undefined;
  /** Ids of requirements that must be shown. */
  readonly require: readonly string[];
}

/** A client, as the options name it. */
export interface ClientRequest extends ClientReportOptions {
  readonly profile: string | undefined;
  /** Access token lifetime in seconds; replaces the document's. */
  readonly expiresIn: number | undefined;
  /** File with answers for resources that the document does not show. */
  readonly answers: string | undefined;
  readonly signal?: AbortSignal;
}

/** Reads the profile and the answers of a request, and requires that its report can be written. @throws UsageError */
export async function readClientFiles({ report, profile, answers }: ClientRequest) {
  requireReportFolder(report);
  return {
    asked: profile === undefined ? undefined : await readProfileWithNote('--profile', profile),
    answers: answers === undefined ? [] : await loadAnswers(answers),
  };
}

interface WatchedClient
  extends Pick<ClientRun, 'episodes' | 'isProfileChosen' | 'troubles' | 'startedAt' | 'durationMs'> {
  readonly settings: EvaluationSettings;
  readonly client: Omit<NonNullable<Results['client']>, 'requests'>;
  readonly target: Pick<Run['target'], 'authUrl' | 'baseUrl' | 'profile'>;
  /** Known secrets besides those that the client sent. */
  readonly secrets: readonly string[];
  readonly partial?: boolean;
  readonly stopped?: string | undefined;
}

/** Evaluates what a client sent, and writes and prints the report. Returns the exit code. */
export async function reportClient(watched: WatchedClient, options: ClientReportOptions): Promise<ExitCode> {
  const listed = loadKnownDeviations(options.knownDeviations, 'emulator');
  const evaluated = await evaluateWatched(watched, options.strict);
  const known = withKnownDeviations(evaluated.run, listed, new Set(clientRequirementIds));
  return (await reportResults({ ...evaluated, run: requiring(options.require, known) }, options)).exitCode;
}

/** Adds a trouble if a required requirement was not shown, or does not exist. */
export function requiring(required: readonly string[], run: Run): Run {
  const shown = run.requirements.flatMap(({ id, result }) => (result === 'not-exercised' ? [] : id));
  const unseen = required.filter((id) => !shown.includes(id));
  const message = `--require: not shown: ${firstOf(unseen)}`;
  return unseen.length === 0
    ? run
    : { ...run, troubles: [...run.troubles, { kind: 'inconclusive', message }] };
}

const EMULATOR = { kind: 'emulator', name: 'emulator', defects: [], abilities: [] } as const;

/** Evaluates what a client sent. Sends, prints and writes nothing. */
async function evaluateWatched(watched: WatchedClient, strict: boolean): Promise<ReportableRun> {
  const catalogue = loadClientCatalogue();
  const { client, episodes } = watched;
  const secrets = new SecretRegistry();
  secrets.register('client_secret', watched.settings.clientSecret);
  for (const secret of watched.secrets) secrets.register('secret', secret);
  for (const { entries } of episodes) registerSent(secrets, entries);
  const evaluation = evaluateRequirements(catalogue, episodes, watched.settings);
  // A failing application may print anything.
  const redacted = ({ situation, gap }: WatchedClient['client']['situations'][number]) => ({
    situation,
    gap: gap && secrets.redact(gap),
  });
  const unseen = evaluation.evaluated.some(({ evaluation: { kind } }) => kind === 'not-exercised');
  const requests = episodes.reduce((sum, { entries }) => sum + entries.length, 0);
  const run = clientResults({
    ...watched,
    evaluation,
    catalogue,
    client: { ...client, situations: client.situations.map(redacted), requests },
    target: { ...EMULATOR, grants: { page: 0, cookies: 0 }, ...watched.target },
    suiteVersion: suiteVersion(),
    strict,
    partial: watched.partial ?? (client.driven === 'own-tests' && unseen),
    troubles: watched.troubles.map(({ kind, message }) => ({ kind, message: secrets.redact(message) })),
    secrets,
  });
  return { run, view: clientView(catalogue), secrets };
}

export function clientView({ clauses }: ClientCatalogue): CatalogueView {
  return { clauses, openPoints: [] };
}

interface SentByTests
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
  const { application, name, expiresIn, commandExit, entries, lost, troubles, ...others } = sent;
  const { applications, owners } = emulator.seed;
  return {
    ...others,
    episodes: lost === undefined ? episodesOf(entries, emulator) : [],
    settings: {
      ...application,
      retryAfterSeconds: Number.POSITIVE_INFINITY,
      expiresIn: expiresIn ?? LIFETIME,
    },
    client: {
      name,
      driven: 'own-tests',
      expiresIn,
      commandExit,
      situations: [],
    },
    target: { authUrl: emulator.authUrl, baseUrl: emulator.baseUrl, profile: emulator.profile.name },
    troubles: lost === undefined ? troubles : [...troubles, { kind: 'inconclusive', message: lost }],
    secrets: [
      emulator.controlToken ?? '',
      ...owners.map(({ password }) => password),
      ...applications.map(({ clientSecret }) => clientSecret),
    ],
  };
}

export function lostRequests({ dropped, limit }: JournalPage, advice: string): string {
  return `the journal keeps ${limit} requests, and ${dropped} more were sent: none was evaluated; ${advice}`;
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
): Promise<ReportableRun> {
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

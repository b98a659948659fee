import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SituationId } from '../../../generated/ids.ts';
import { type DrivenApp, loadApp } from '../../client-checks/app-file.ts';
import { ClientUndrivable, StartedInBackground } from '../../client-checks/drive/client-driver.ts';
import { type ClockWay, findFaketime } from '../../client-checks/drive/clock.ts';
import { ConfiguredDriver } from '../../client-checks/drive/configured-driver.ts';
import { Ports } from '../../client-checks/drive/ports.ts';
import type { Episode } from '../../client-checks/evaluate/episode.ts';
import { runSituations, type SituationsDone } from '../../client-checks/situations/run-situations.ts';
import { DURATIONS } from '../../client-checks/situations/situation-context.ts';
import { CLIENT } from '../../client-checks/situations/situation-producer.ts';
import { SITUATION_IDS } from '../../client-checks/situations/situations.ts';
import { didYouMean, UsageError } from '../../document/input/usage-error.ts';
import { LIFETIME } from '../../document/lifetime.ts';
import { firstOf } from '../../report/count-text.ts';
import type { RunTrouble } from '../../report/results.ts';
import type { ExitCode } from '../../report/verdict.ts';
import { type Progress, startProgress } from '../shared/progress.ts';
import { type ClientReportOptions, type ClientRequest, readClientFiles, reportClient } from './report.ts';

interface AppRequest extends ClientRequest {
  readonly app: string;
  readonly only: readonly string[];
}

/** Far more requests than a client sends before its deadline, request storms included. */
const JOURNAL_LIMIT = 200_000;

/** Default token lifetime in seconds for a client whose clock cannot be moved. */
const SHORT_LIFETIME = 3;

/** The verb `client --app`: drives a client through situations, and evaluates what it sent. Returns its exit code. */
export async function evaluateApp(request: AppRequest): Promise<ExitCode> {
  const app = await loadApp(request.app);
  const situations = chosen(request.only);
  const { asked, answers } = await readClientFiles(request);
  const libfaketime = findFaketime();
  const clock = clockWay(app, libfaketime, request.app);
  const expiresIn = request.expiresIn ?? (clock === 'none' ? SHORT_LIFETIME : undefined);
  const startedAt = new Date();
  const begun = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  const ports = new Ports();
  let count = 0;
  const progress = tellProgress(situations, request);
  try {
    const done = await runSituations({
      freshClient: async (situation, env) => {
        count += 1;
        const port = await ports.take();
        return new ConfiguredDriver(app, {
          folder: join(folder, `${count}-${situation}`),
          port,
          clock,
          libfaketime,
          env,
        });
      },
      situations,
      ports,
      journalLimit: JOURNAL_LIMIT,
      profile: asked,
      answers,
      workers: app.sideBySide ? Math.max(2, availableParallelism() * 2) : 1,
      ...DURATIONS,
      realTime: clock === 'none',
      expiresIn,
      signal: request.signal,
      onWaiting: (secondsLeft) => progress?.waiting(secondsLeft),
      onAgain: (situation) => progress?.again(situation),
      onEpisode: ({ situation }) => {
        if (situation !== 'own-tests') progress?.done(situation, groupOf(situation, situations));
      },
    }).catch((error: unknown) => {
      if (error instanceof ClientUndrivable || error instanceof StartedInBackground)
        throw new UsageError(`${request.app}: ${error.message}`);
      throw error;
    });
    return await reportClient(
      {
        episodes: done.episodes,
        settings: {
          ...CLIENT,
          retryAfterSeconds: DURATIONS.retryAfterSeconds,
          expiresIn: expiresIn ?? LIFETIME,
        },
        isProfileChosen: asked !== undefined,
        client: {
          name: app.name,
          driven: app.start === undefined ? 'commands' : 'application',
          clock,
          expiresIn,
          ...(done.accepted.length === 0 ? {} : { accepted: [...done.accepted] }),
          situations: situationsIn(done),
        },
        target: { authUrl: done.authUrl, baseUrl: done.baseUrl, profile: asked?.name ?? 'doorkeeper-5' },
        troubles: troublesOf(done),
        stopped: done.stopped,
        secrets: [],
        startedAt,
        durationMs: performance.now() - begun,
        partial: situations.length < SITUATION_IDS.length,
      },
      request,
    );
  } finally {
    progress?.end();
    ports.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function chosen(only: readonly string[]): readonly SituationId[] {
  if (only.length === 0) return SITUATION_IDS;
  const unknown = only.find((name) => !SITUATION_IDS.some((id) => id === name));
  if (unknown !== undefined)
    throw new UsageError(
      `--only: there is no situation ${JSON.stringify(unknown)}; there are ${SITUATION_IDS.join(', ')}.${didYouMean(unknown, SITUATION_IDS)}`,
    );
  return SITUATION_IDS.filter((id) => id === 'flow' || id === 'expiry' || only.includes(id));
}

function clockWay({ clock }: DrivenApp, libfaketime: string | undefined, file: string): ClockWay {
  if (clock === 'faketime' && libfaketime === undefined)
    throw new UsageError(
      `${file}: clock: expected libfaketime to be installed (Debian: libfaketime), found none; "none" needs nothing`,
    );
  return clock ?? (libfaketime === undefined ? 'none' : 'faketime');
}

/** Situations per log line: build servers kill jobs that print nothing for long. */
const GROUP = 35;

function groupOf(situation: SituationId, situations: readonly SituationId[]): string {
  const first = Math.floor(situations.indexOf(situation) / GROUP) * GROUP;
  const members = situations.slice(first, first + GROUP);
  return `${members[0]} to ${members.at(-1)}`;
}

function tellProgress(
  situations: readonly SituationId[],
  { json, quiet }: ClientReportOptions,
): Progress | undefined {
  if (quiet) return undefined;
  const names = Map.groupBy(situations, (situation) => groupOf(situation, situations));
  const groups = new Map([...names].map(([name, members]) => [name, members.length]));
  return startProgress({ what: 'situations', groups }, json ? process.stderr : process.stdout);
}

/** A situation counts once, as it was in the end. */
function lastOnes({ episodes }: SituationsDone): readonly Episode[] {
  return [...new Map(episodes.map((episode) => [episode.situation, episode])).values()];
}

function situationsIn(done: SituationsDone): readonly { situation: string; gap?: string }[] {
  return lastOnes(done).map(({ situation, gap }) => ({ situation, gap: gap?.reason }));
}

function troublesOf(done: SituationsDone): readonly RunTrouble[] {
  if (done.stopped !== undefined)
    return [{ kind: 'inconclusive', message: `${done.stopped}; the other situations were not tried` }];
  const due = lastOnes(done).flatMap(({ situation, gap }) =>
    gap === undefined || gap.unable ? [] : [`${situation} (${gap.reason})`],
  );
  if (due.length === 0) return [];
  const noun = due.length === 1 ? 'one situation' : `${due.length} situations`;
  return [{ kind: 'inconclusive', message: `${noun} could not be produced: ${firstOf(due)}` }];
}

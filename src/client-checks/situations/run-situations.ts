import type { SituationId } from '../../../generated/ids.ts';
import type { AnswersAnswer } from '../../../generated/schemas.d.ts';
import { loadProfile } from '../../emulator/policy/load-profile.ts';
import type { WholeProfile } from '../../emulator/policy/profile.ts';
import { defectsForAnswers } from '../answers.ts';
import { ClientUndrivable } from '../drive/client-driver.ts';
import type { ClientDriver } from '../drive/configured-driver.ts';
import type { Ports } from '../drive/ports.ts';
import type { Episode, Gap } from '../evaluate/episode.ts';
import { episodeDuring, sentFrom, stepsOf, type Watched, watchedEpisode } from '../evaluate/journal.ts';
import { clientSeed, credentialsInFormOnly, emulatorOn, placesIn } from '../service.ts';
import { TOLERANCES, type Tolerance, withTolerances } from '../tolerances.ts';
import { awaitsExpiry, perform } from './perform.ts';
import type { DrivenSituation } from './script.ts';
import { NotProduced, SituationContext, type SituationSettings, Unable } from './situation-context.ts';
import { SITUATIONS, situationsOf } from './situations.ts';

export interface SituationRun extends SituationSettings {
  /** Makes a client that was never started, with these variables in its environment. */
  readonly freshClient: (
    situation: SituationId,
    environment: NonNullable<DrivenSituation['environment']>,
  ) => Promise<ClientDriver>;
  readonly situations: readonly SituationId[];
  readonly ports: Ports;
  /** Limit of journal entries per situation; later requests are not evaluated. */
  readonly journalLimit: number;
  readonly profile: WholeProfile | undefined;
  readonly answers?: readonly AnswersAnswer[];
  /** Limit of concurrent situations; applications that take seconds to start run fewer. */
  readonly workers: number;
  readonly onEpisode?: (episode: Episode) => void;
  /** Called before a situation runs again, alone. */
  readonly onAgain?: (situation: SituationId) => void;
}

export interface SituationsDone {
  readonly episodes: readonly Episode[];
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly stopped: string | undefined;
  /** Deviations of the client that the service accepted in all situations but the first flow. */
  readonly accepted: readonly string[];
}

/** All situations share one client id and secret, because the evaluation must know the secret. */
export const CLIENT = {
  clientId: 'client-under-evaluation',
  clientSecret: 'secret-Zm9yLXRoZS1jbGllbnQtYWxvbmU',
} as const;

const INTERRUPTED = 'the run was interrupted';

/**
 * Runs the situations, the flow first: a client that fails it shows nothing in the others. The service is as documented. If the
 * client deviates in a way that the service can tolerate, the flow runs again on a service that accepts this.
 * @throws ClientUndrivable if the client does not start at all
 * @throws StartedInBackground
 */
export async function runSituations(run: SituationRun): Promise<SituationsDone> {
  const base = run.profile ?? (await loadProfile('doorkeeper-5'));
  const documented = run.profile ?? credentialsInFormOnly(base);
  const interrupted = new Promise<never>((_, reject) => {
    const end = () => reject(new NotProduced(INTERRUPTED));
    if (run.signal?.aborted) end();
    else run.signal?.addEventListener('abort', end, { once: true });
  });
  interrupted.catch(() => undefined);
  const seen: RunNotes = { authUrl: '', baseUrl: '', startSeconds: 0, interrupted };
  const done: Episode[] = [];
  const tolerances: Tolerance[] = [];
  let flow: Episode;
  let needed: Tolerance | undefined;
  do {
    if (needed !== undefined) tolerances.push(needed);
    flow = await produce('flow', documented, run, seen, tolerances);
    done.push(flow);
    const watched = watchedEpisode(flow);
    // One at a time: what one mistake stops may look like another.
    needed = TOLERANCES.find((one) => !tolerances.includes(one) && one.isNeeded(watched));
  } while (needed !== undefined);
  run.onEpisode?.(flow);
  const accepted = tolerances.map(({ accepts }) => accepts);
  const hint = accepted.length === 0 ? '' : `, although the emulator accepted ${accepted.join(', ')}`;
  const interruption = () => (run.signal?.aborted ? INTERRUPTED : undefined);
  const failed = changesFailed(watchedEpisode(flow)) ? undefined : flow.gap;
  const stopped =
    interruption() ?? (failed && `the flow failed${hint}: ${lastRefusal(flow)}${failed.reason}`);
  if (stopped !== undefined) return { episodes: done, ...seen, stopped, accepted };
  const queue = run.situations.filter((situation) => situation !== 'flow');
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (run.signal?.aborted) return;
      const episode = await produce(next, documented, run, seen, tolerances);
      run.onEpisode?.(episode);
      done.push(episode);
    }
  };
  const workers = Math.max(1, Math.floor(run.workers / Math.max(1, seen.startSeconds)));
  const ends = await Promise.allSettled(
    Array.from({ length: workers }, () => worker().finally(() => queue.splice(0))),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  // A situation that failed on a busy machine runs again, alone.
  for (const [index, episode] of done.entries()) {
    const { situation } = episode;
    if (situation === 'own-tests' || situation === 'flow' || run.signal?.aborted) continue;
    if (workers === 1 || !isSlow(episode)) continue;
    run.onAgain?.(situation);
    done[index] = await produce(situation, documented, run, seen, tolerances);
  }
  const order = (episode: Episode) =>
    episode.situation === 'own-tests' ? -1 : run.situations.indexOf(episode.situation);
  return {
    episodes: done.toSorted((a, b) => order(a) - order(b)),
    ...seen,
    accepted,
    stopped: interruption(),
  };
}

/** True if an assign or unassign failed, and the service was asked for each that did: the other situations list. */
function changesFailed(flow: Watched): boolean {
  const failed = stepsOf(flow, 'call').filter(
    ({ asked, outcome }) => asked?.operation !== 'list' && outcome !== 'ok',
  );
  return failed.length > 0 && failed.every((step) => episodeDuring(flow, step).entries.length > 0);
}

/** True when the situation did not come about, or the application missed its deadline although the service answered. */
function isSlow({ gap, steps }: Episode): boolean {
  const late = steps.filter(({ outcome }) => outcome === 'no-answer');
  return gap?.unable === false || late.some(({ as }) => !['stalled', 'resting', 'left'].includes(as));
}

/** Returns the same address under the other host name, if there is one: a client may build its address from the request. */
function underOtherName({ redirectUri, otherHost }: ClientDriver): readonly string[] {
  if (otherHost === undefined) return [];
  const other = new URL(redirectUri);
  other.hostname = otherHost;
  return [other.href];
}

interface RunNotes {
  authUrl: string;
  baseUrl: string;
  startSeconds: number;
  readonly interrupted: Promise<never>;
}

/** Returns why a situation did not come about, if it did not. Does not wait for an interrupted one: its client is stopped next. */
async function gapOf(produced: Promise<void>, interrupted: Promise<never>): Promise<Gap | undefined> {
  try {
    await Promise.race([produced, interrupted]);
    return undefined;
  } catch (error) {
    if (error instanceof Unable) return { reason: error.message, unable: true };
    // An application that does not start again is a gap of this situation, not a reason to end the run.
    if (error instanceof NotProduced || error instanceof ClientUndrivable)
      return { reason: error.message, unable: false };
    throw error;
  }
}

/** The service's last refusal before a flow stopped: the reason is often there. */
function lastRefusal({ entries }: Episode): string {
  const last = entries.findLast(({ status = 0 }) => status >= 400);
  return last === undefined ? '' : `the service ${sentFrom(last).end} to ${sentFrom(last).name}; then `;
}

async function produce(
  situation: SituationId,
  profile: WholeProfile,
  run: SituationRun,
  seen: RunNotes,
  tolerances: readonly Tolerance[],
): Promise<Episode> {
  const { service: differing = {}, project = 'project', environment = {}, mayEnd } = SITUATIONS[situation];
  const { answers, retirement, tls = false, query = '', underBothHosts } = differing;
  const client = await run.freshClient(situation, environment);
  const redirectUri = client.redirectUri + query;
  // A client may not have the query configured.
  const others = underBothHosts ? underOtherName(client) : [client.redirectUri];
  const own = { ...profile, answers: { ...profile.answers, ...answers } };
  const service = withTolerances(own, tolerances);
  const emulator = await emulatorOn(run.ports, {
    profile: service.profile,
    defects: [...service.defects, ...defectsForAnswers(run.answers ?? [])],
    retirement,
    addresses: { tls },
    clock: 'real',
    journalLimit: run.journalLimit,
    seed: clientSeed(
      { redirectUris: [...new Set([redirectUri, ...others])], ...CLIENT },
      project === 'longProject',
    ),
  });
  try {
    const { authUrl, baseUrl } = emulator;
    Object.assign(seen, { authUrl, baseUrl });
    const places = placesIn(service.profile);
    const projectId = places[project];
    const side = { authUrl, baseUrl, redirectUri, projectId, userId: places.user, ...CLIENT };
    const heedsSameSite = !tolerances.some((one) => one.ignoresSameSite);
    const context = new SituationContext(emulator, client, {
      ...run,
      places,
      projectId,
      redirectUri,
      heedsSameSite,
    });
    const scene = situationsOf(context.values)[situation];
    // Only where the token expires: with seconds left, some libraries refresh before every call.
    if (run.expiresIn !== undefined && awaitsExpiry(scene)) emulator.control.lifetime.set(run.expiresIn);
    // An application that never starts is described wrongly; one that started for the flow but not now is a gap.
    if (situation === 'flow') {
      const begun = performance.now();
      await client.start(side);
      seen.startSeconds = (performance.now() - begun) / 1_000;
    }
    const produced = async () => {
      if (situation !== 'flow') await client.start(side);
      await perform(scene, context);
    };
    const found = await gapOf(produced(), seen.interrupted);
    const gap = found && mayEnd ? { ...found, unable: true } : found;
    // The journal shows a pending request only after its client has stopped.
    await client.stop();
    await context.settled();
    return context.episode(situation, gap);
  } finally {
    await client.stop();
    await emulator.close();
  }
}

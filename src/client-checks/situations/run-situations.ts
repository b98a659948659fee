import type { SituationId } from '../../catalogue/load-client-requirements.ts';
import type { JournalEntry } from '../../emulator/control-types.ts';
import { loadProfile } from '../../emulator/load-profile.ts';
import type { WholeProfile } from '../../emulator/profile.ts';
import { ClientUndrivable } from '../drive/client-driver.ts';
import type { ClientDriver } from '../drive/configured-driver.ts';
import type { Ports } from '../drive/ports.ts';
import type { Episode, Gap } from '../evaluate/episode.ts';
import { clientRefused } from '../evaluate/journal.ts';
import { clientSeed, credentialsInFormOnly, emulatorOn, PROJECT } from '../service.ts';
import { NotProduced, SituationContext, type SituationSettings, Unable } from './situation-context.ts';
import { PROJECT_OF, SITUATIONS } from './situations.ts';

export interface SituationRun extends SituationSettings {
  readonly freshClient: (situation: SituationId) => Promise<ClientDriver>;
  readonly situations: readonly SituationId[];
  readonly ports: Ports;
  /** Limit of journal entries per situation; later requests are not evaluated. */
  readonly journalLimit: number;
  readonly profile: WholeProfile | undefined;
  /** Limit of concurrent situations; applications that take seconds to start run fewer. */
  readonly lanes: number;
  readonly onEpisode?: (episode: Episode) => void;
}

export interface SituationsDone {
  readonly episodes: readonly Episode[];
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly stopped?: string;
  /** The client needs HTTP Basic, so all situations but the flow ran on a service that accepts it. */
  readonly withBasic: boolean;
}

/** All situations share one client id and secret, because the evaluation must know the secret. */
export const CLIENT = {
  clientId: 'client-under-evaluation',
  clientSecret: 'secret-Zm9yLXRoZS1jbGllbnQtYWxvbmU',
} as const;

/**
 * Runs the situations, the flow first: a client that fails it shows nothing in the others. The service accepts credentials only
 * in the form, as documented. A client that only has HTTP Basic fails that and then gets a service that accepts it.
 *
 * @throws ClientUndrivable if the client does not start at all
 */
export async function runSituations(run: SituationRun): Promise<SituationsDone> {
  const base = run.profile ?? (await loadProfile('doorkeeper-5'));
  const strict = run.profile ?? credentialsInFormOnly(base);
  const interrupted = new Promise<never>((_, reject) => {
    const end = () => reject(new NotProduced('the run was interrupted'));
    if (run.signal?.aborted) end();
    else run.signal?.addEventListener('abort', end, { once: true });
  });
  interrupted.catch(() => undefined);
  const seen: SeenOnTheWay = { authUrl: '', baseUrl: '', startSeconds: 0, interrupted };
  const flow = await produce('flow', strict, run, seen);
  const done: Episode[] = [flow];
  const withBasic = base !== strict && flow.entries.some(isBasicInVain);
  const profile = withBasic ? base : strict;
  if (withBasic) done.push(await produce('flow', profile, run, seen));
  run.onEpisode?.(flow);
  const stopped = done.at(-1)?.gap?.reason;
  if (stopped !== undefined) return { episodes: done, ...seen, stopped, withBasic };
  const queue = run.situations.filter((situation) => situation !== 'flow');
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (run.signal?.aborted) return;
      const episode = await produce(next, profile, run, seen);
      run.onEpisode?.(episode);
      done.push(episode);
    }
  };
  const lanes = Math.max(1, Math.floor(run.lanes / Math.max(1, seen.startSeconds)));
  await Promise.all(Array.from({ length: lanes }, lane));
  // A situation that failed on a busy machine runs again, alone.
  for (const [index, episode] of done.entries()) {
    const { situation } = episode;
    if (lanes > 1 && isSlow(episode) && situation !== 'own-tests' && !run.signal?.aborted)
      done[index] = await produce(situation, profile, run, seen);
  }
  const order = (episode: Episode) =>
    episode.situation === 'own-tests' ? -1 : run.situations.indexOf(episode.situation);
  return {
    episodes: done.toSorted((a, b) => order(a) - order(b)),
    ...seen,
    withBasic,
    ...(run.signal?.aborted ? { stopped: 'the run was interrupted' } : {}),
  };
}

/** True when the situation did not come about, or the application missed its deadline although the service answered. */
function isSlow({ gap, steps }: Episode): boolean {
  return (
    gap?.unable === false || steps.some(({ outcome, as }) => outcome === 'no-answer' && as !== 'stalled')
  );
}

/** Accepts both host names: a client may build its redirect address from the request or have it configured. */
function bothNames({ redirectUri, otherHost }: ClientDriver): readonly string[] {
  if (otherHost === undefined) return [redirectUri];
  const other = new URL(redirectUri);
  other.hostname = otherHost;
  return [redirectUri, other.href];
}

interface SeenOnTheWay {
  authUrl: string;
  baseUrl: string;
  startSeconds: number;
  readonly interrupted: Promise<never>;
}

/**
 * Returns the reason why a situation did not come about; undefined if it did. Does not wait for an interrupted one,
 * whose client is stopped next.
 */
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

function isBasicInVain(entry: JournalEntry, _: number, all: readonly JournalEntry[]): boolean {
  if (entry.authentication !== 'basic' || !clientRefused(entry)) return false;
  const { code, refreshToken } = entry.presented;
  return !all.some(
    ({ authentication, presented }) =>
      authentication === 'form' && presented.code === code && presented.refreshToken === refreshToken,
  );
}

async function produce(
  situation: SituationId,
  profile: WholeProfile,
  run: SituationRun,
  seen: SeenOnTheWay,
): Promise<Episode> {
  const client = await run.freshClient(situation);
  const emulator = await emulatorOn(run.ports, {
    profile,
    clock: 'real',
    journalLimit: run.journalLimit,
    seed: clientSeed(
      { redirectUris: situation === 'another-host' ? bothNames(client) : [client.redirectUri], ...CLIENT },
      situation === 'list-long',
    ),
  });
  try {
    const { authUrl, baseUrl } = emulator;
    Object.assign(seen, { authUrl, baseUrl });
    if (run.expiresIn !== undefined) emulator.control.lifetime.set(run.expiresIn);
    const projectId = PROJECT_OF[situation] ?? PROJECT;
    const service = { authUrl, baseUrl, redirectUri: client.redirectUri, projectId, ...CLIENT };
    const context = new SituationContext(emulator, client, run);
    // An application that never starts is described wrongly; one that started for the flow but not now is a gap.
    if (situation === 'flow') {
      const begun = performance.now();
      await client.start(service);
      seen.startSeconds = (performance.now() - begun) / 1_000;
    }
    const produced = async () => {
      if (situation !== 'flow') await client.start(service);
      await SITUATIONS[situation](context);
    };
    const gap = await gapOf(produced(), seen.interrupted);
    // The journal shows a pending request only after its client has stopped.
    await client.stop();
    await context.settled();
    return context.episode(situation, gap);
  } finally {
    await client.stop();
    await emulator.close();
  }
}

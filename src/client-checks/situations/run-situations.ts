import type { SituationId } from '../../catalogue/load-client-requirements.ts';
import type { JournalEntry } from '../../emulator/control-types.ts';
import { loadProfile } from '../../emulator/load-profile.ts';
import type { Profile } from '../../emulator/profile.ts';
import { ClientUndrivable, type DrivenClient, type ServiceSide } from '../drive/driven-client.ts';
import type { Ports } from '../drive/ports.ts';
import { clientRefused } from '../judge/requests.ts';
import type { Episode, Gap } from '../judge/watched.ts';
import { emulatorOn } from '../own-emulator.ts';
import { credentialsInFormOnly } from '../service-profile.ts';
import { clientSeed, PROJECT } from './seed.ts';
import { PROJECT_OF, SITUATIONS } from './situations.ts';
import { NotBroughtAbout, SituationStage, type StageSettings, Unable } from './stage.ts';

/** How the situations of a run are brought about. */
export interface SituationRun extends StageSettings {
  /** A client with a fresh state, for one situation. */
  readonly freshClient: (situation: SituationId) => Promise<DrivenClient>;
  readonly situations: readonly SituationId[];
  /** Where emulators get theirs from, and applications too. */
  readonly ports: Ports;
  /** Requests of one situation that are kept: the rest of a longer one is not evaluated. */
  readonly journalLimit: number;
  /** A profile that was asked for, and is then taken as it is. */
  readonly profile: Profile | undefined;
  /** How many at a time. */
  readonly lanes: number;
  readonly signal?: AbortSignal;
  readonly onEpisode?: (episode: Episode) => void;
}

/** What came about. */
export interface SituationsDone {
  readonly episodes: readonly Episode[];
  readonly service: Pick<ServiceSide, 'authUrl' | 'baseUrl'>;
  /** Secrets of every emulator that was started. */
  readonly secrets: readonly string[];
  /** Why nothing but the flow was tried. */
  readonly stopped?: string;
  /** The client needs HTTP Basic: all but the flow ran on a service that takes it. */
  readonly withBasic: boolean;
}

/** The one client id and secret of all situations, so that the judge knows the secret. */
export const CLIENT = {
  clientId: 'client-under-evaluation',
  clientSecret: 'secret-Zm9yLXRoZS1jbGllbnQtYWxvbmU',
} as const;

/**
 * Brings situations about, the flow first: a client that cannot go through it shows nothing in the others. The service takes credentials in
 * the form alone, as documented, until the client has shown that it has only HTTP Basic; then it is let go on with that.
 *
 * @throws ClientUndrivable when the client does not start at all
 */
export async function runSituations(run: SituationRun): Promise<SituationsDone> {
  const base = run.profile ?? (await loadProfile('doorkeeper-5'));
  const strict = run.profile ?? credentialsInFormOnly(base);
  const service = { authUrl: 'http://127.0.0.1', baseUrl: 'http://127.0.0.1' };
  const secrets: string[] = [];
  const bring = async (situation: SituationId, profile: Profile) => {
    const episode = await bringAbout(situation, profile, run, service, secrets);
    run.onEpisode?.(episode);
    return episode;
  };
  const flow = await bring('flow', strict);
  const done: Episode[] = [flow];
  let profile = strict;
  let withBasic = false;
  withBasic = base !== strict && flow.entries.some(isBasicInVain);
  if (withBasic) {
    profile = base;
    done.push(await bring('flow', profile));
  }
  const stopped = done.at(-1)?.gap?.reason;
  if (stopped !== undefined) return { episodes: done, service, secrets, stopped, withBasic };
  const queue = run.situations.filter((situation) => situation !== 'flow');
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (run.signal?.aborted) return;
      done.push(await bring(next, profile));
    }
  };
  await Promise.all(Array.from({ length: run.lanes }, lane));
  const order = (episode: Episode) =>
    episode.situation === 'own-tests' ? -1 : run.situations.indexOf(episode.situation);
  return {
    episodes: done.toSorted((a, b) => order(a) - order(b)),
    service,
    secrets,
    withBasic,
    ...(run.signal?.aborted ? { stopped: 'the run was interrupted' } : {}),
  };
}

/** Under another name of its host, a client that builds its redirect address from the request is as good as one that has it configured. */
function bothNames({ redirectUri, otherHost }: DrivenClient): readonly string[] {
  if (otherHost === undefined) return [redirectUri];
  const other = new URL(redirectUri);
  other.hostname = otherHost;
  return [redirectUri, other.href];
}

/** Why a situation did not come about; undefined where it did. */
async function gapOf(bringAbout: () => Promise<void>): Promise<Gap | undefined> {
  try {
    await bringAbout();
    return undefined;
  } catch (error) {
    if (error instanceof Unable) return { reason: error.message, unable: true };
    // An application that does not start again after a restart is a gap of this situation, and no reason to end the run.
    if (error instanceof NotBroughtAbout || error instanceof ClientUndrivable)
      return { reason: error.message, unable: false };
    throw error;
  }
}

/** Basic that was refused, and not followed by the form. */
function isBasicInVain(entry: JournalEntry, _: number, all: readonly JournalEntry[]): boolean {
  if (entry.authentication !== 'basic' || !clientRefused(entry)) return false;
  const { code, refreshToken } = entry.presented;
  return !all.some(
    ({ authentication, presented }) =>
      authentication === 'form' && presented.code === code && presented.refreshToken === refreshToken,
  );
}

async function bringAbout(
  situation: SituationId,
  profile: Profile,
  run: SituationRun,
  seen: { authUrl: string; baseUrl: string },
  secrets: string[],
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
    Object.assign(seen, { authUrl: emulator.authUrl, baseUrl: emulator.baseUrl });
    secrets.push(...emulator.seed.owners.map(({ password }) => password));
    if (run.expiresIn !== undefined) emulator.control.lifetime.set(run.expiresIn);
    const { authUrl, baseUrl } = emulator;
    const projectId = PROJECT_OF[situation] ?? PROJECT;
    const service = { authUrl, baseUrl, redirectUri: client.redirectUri, projectId, ...CLIENT };
    const stage = new SituationStage(emulator, client, service, run);
    const started = client.start(service);
    // One that never starts is described wrongly; one that started for the flow and not now is a gap.
    if (situation === 'flow') await started;
    const gap = await gapOf(async () => {
      await started;
      await SITUATIONS[situation](stage);
    });
    // A request that still waits is in the journal once its client is gone.
    await client.stop();
    await stage.settled();
    return stage.episode(situation, gap);
  } finally {
    await client.stop();
    await emulator.close();
  }
}

import type { SituationId } from '../../../generated/ids.ts';
import { loadProfile } from '../../emulator/policy/load-profile.ts';
import type { WholeProfile } from '../../emulator/policy/profile.ts';
import type { Episode } from '../evaluate/episode.ts';
import { episodeDuring, sentFrom, stepsOf, type Watched, watchedEpisode } from '../evaluate/journal.ts';
import { credentialsInFormOnly } from '../service.ts';
import { TOLERANCES, type Tolerance } from '../tolerances.ts';
import { INTERRUPTED, type ProducerSettings, SituationProducer } from './situation-producer.ts';

export interface SituationRun extends ProducerSettings {
  readonly situations: readonly SituationId[];
  readonly profile: WholeProfile | undefined;
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

/**
 * Runs the situations, the flow first: a client that fails it shows nothing in the others.
 * @throws ClientUndrivable if the client does not start at all
 * @throws StartedInBackground
 */
export async function runSituations(run: SituationRun): Promise<SituationsDone> {
  const documented = run.profile ?? credentialsInFormOnly(await loadProfile('doorkeeper-5'));
  const producer = new SituationProducer(run, documented);
  const episodes = await flowsOf(producer);
  const flow = episodes.at(-1) as Episode;
  run.onEpisode?.(flow);
  const accepted = producer.tolerances.map(({ accepts }) => accepts);
  const hint = accepted.length === 0 ? '' : `, although the emulator accepted ${accepted.join(', ')}`;
  const interruption = () => (run.signal?.aborted ? INTERRUPTED : undefined);
  const failed = changesFailed(watchedEpisode(flow)) ? undefined : flow.gap;
  const stopped =
    interruption() ?? (failed && `the flow failed${hint}: ${lastRefusal(flow)}${failed.reason}`);
  if (stopped === undefined) episodes.push(...(await othersOf(run, producer)));
  const { authUrl, baseUrl } = producer;
  const order: readonly string[] = run.situations;
  episodes.sort((a, b) => order.indexOf(a.situation) - order.indexOf(b.situation));
  return { episodes, authUrl, baseUrl, accepted, stopped: stopped ?? interruption() };
}

/**
 * Runs the flow, and again while the client deviates in a way that the service can tolerate. One tolerance is added at a time:
 * what one mistake stops may look like another.
 */
async function flowsOf(producer: SituationProducer): Promise<Episode[]> {
  const flows: Episode[] = [];
  let needed: Tolerance | undefined;
  do {
    if (needed !== undefined) producer.tolerances.push(needed);
    const flow = await producer.produce('flow');
    flows.push(flow);
    const watched = watchedEpisode(flow);
    needed = TOLERANCES.find((one) => !producer.tolerances.includes(one) && one.isNeeded(watched));
  } while (needed !== undefined);
  return flows;
}

/** Runs the situations behind the flow, several at once. One that failed on a busy machine runs again, alone. */
async function othersOf(run: SituationRun, producer: SituationProducer): Promise<readonly Episode[]> {
  const done = new Map<SituationId, Episode>();
  const queue = run.situations.filter((situation) => situation !== 'flow');
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (run.signal?.aborted) return;
      const episode = await producer.produce(next);
      run.onEpisode?.(episode);
      done.set(next, episode);
    }
  };
  const workers = Math.max(1, Math.floor(run.workers / Math.max(1, producer.startSeconds)));
  const ends = await Promise.allSettled(
    Array.from({ length: workers }, () => worker().finally(() => queue.splice(0))),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  const episodes: Episode[] = [];
  for (const situation of run.situations) {
    const episode = done.get(situation);
    if (episode === undefined) continue;
    const isAgain = workers > 1 && isSlow(episode) && !run.signal?.aborted;
    if (isAgain) run.onAgain?.(situation);
    episodes.push(isAgain ? await producer.produce(situation) : episode);
  }
  return episodes;
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

/** The service's last refusal before a flow stopped: the reason is often there. */
function lastRefusal({ entries }: Episode): string {
  const last = entries.findLast(({ status = 0 }) => status >= 400);
  return last === undefined ? '' : `the service ${sentFrom(last).end} to ${sentFrom(last).name}; then `;
}

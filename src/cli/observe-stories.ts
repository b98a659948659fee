import { createHash, randomInt } from 'node:crypto';
import type { StoriesFile } from '../../generated/schemas.d.ts';
import type { MonitoredSession } from '../judge/monitor/attach.ts';
import { playAlone } from '../record/beside/beside.ts';
import { namesIn, recordOf, recordText } from '../record/beside/record.ts';
import { type ReceivedEvents, TargetPlayer } from '../record/beside/target-player.ts';
import type { Session } from '../target/flow/session.ts';

export const STORIES = 'stories.json';
export const PROFILE = 'profile.yaml';
/** The digests of both. */
export const SUMS = 'SHA256SUMS';

export interface StoriesRequest {
  readonly requests: number;
  readonly seed?: number;
  readonly refusals: boolean;
  readonly signal?: AbortSignal;
}

export interface TakenStories {
  readonly record: StoriesFile;
  readonly text: string;
  readonly endedEarly?: string;
}

/**
 * Plays random stories on a target and records its answers.
 *
 * @param profile text of the profile beside the record: answers show only names of members and headers that it has
 */
export async function tellStories(
  watched: MonitoredSession,
  session: Session,
  received: ReceivedEvents,
  profile: string,
  suiteVersion: string,
  { requests, seed = randomInt(1, 100_000), refusals, signal }: StoriesRequest,
): Promise<TakenStories> {
  const { target } = session;
  const names = namesIn(profile);
  const player = new TargetPlayer(watched, session, received, names);
  const at = new Date().toISOString();
  await player.consent();
  const played = await playAlone(player, { seed, requests, refusals, signal });
  const record = recordOf(played.stories, {
    ...{ suiteVersion, target: target.name, kind: target.kind, at, seed, refusals },
    requests: played.requests.left,
    consent: target.forgetConsent === undefined,
    clock: target.clock !== undefined,
    projects: target.projects.length,
    users: target.users.length,
    names: [...names].sort(),
  });
  return {
    record,
    text: recordText(record),
    ...(played.endedEarly && { endedEarly: played.endedEarly }),
  };
}

/**
 * Returns the digests of a record's files, as `sha256sum -c` reads them.
 *
 * @param profile text of the profile, as it is written
 * @param stories text of the stories
 */
export function sumsText(profile: string, stories: string): string {
  const files = [
    [PROFILE, profile],
    [STORIES, stories],
  ] as const;
  return files
    .map(([name, text]) => `${createHash('sha256').update(text).digest('hex')}  ${name}\n`)
    .join('');
}

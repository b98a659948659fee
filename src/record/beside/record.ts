import { createHash, randomInt } from 'node:crypto';
import type { StoriesFile } from '../../../generated/schemas.d.ts';
import { type Step, withParts } from '../../judge/explore/steps.ts';
import type { MonitoredSession } from '../../judge/monitor/attach.ts';
import type { Session } from '../../target/flow/session.ts';
import type { StoryAnswer } from './answer.ts';
import { type PlayedStory, playAlone } from './beside.ts';
import type { RecordedSequence } from './pairing.ts';
import { type ReceivedEvents, TargetPlayer } from './target-player.ts';

/** A `state` that is sent to try a long one is recorded by its length. */
const LONG = 'a'.repeat(1_000);
const LONG_NAME = 'a times 1000';

export function recordOf(
  stories: readonly PlayedStory[],
  about: Omit<StoriesFile, 'schemaVersion' | 'answers' | 'stories'>,
): StoriesFile {
  const places = new Map<string, number>();
  const placeOf = (answer: Omit<StoryAnswer, 'part' | 'others'>) => {
    const text = JSON.stringify(answer);
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    return place;
  };
  const withoutParts = stories.map(({ steps, left }) =>
    steps.map((step, index) => ({
      step: withState(step, LONG, LONG_NAME) as object,
      // The number of other people in a list is no demand on another service.
      received: (left[index] ?? []).map(({ part, others: _, ...answer }): [number, number] => [
        part,
        placeOf(answer),
      ]),
    })),
  );
  return {
    schemaVersion: '1.0',
    ...about,
    answers: [...places.keys()].map((text) => JSON.parse(text) as StoriesFile['answers'][number]),
    stories: withoutParts,
  };
}

export function recordText({ answers, stories, ...about }: StoriesFile): string {
  const lines = (of: readonly unknown[]) => of.map((one) => JSON.stringify(one)).join(',\n');
  const head = JSON.stringify(about).slice(0, -1);
  return `${head},\n"answers":[\n${lines(answers)}\n],\n"stories":[\n${lines(stories)}\n]}\n`;
}

export function storiesOf({ answers, stories }: StoriesFile): readonly RecordedSequence[] {
  return stories.map((steps) => ({
    steps: steps.map(({ step }) => withState(step as Step, LONG_NAME, LONG)),
    answers: steps.map(({ received }) =>
      received.flatMap(([part = 0, place = -1]) => {
        const answer = answers[place];
        return answer === undefined ? [] : [{ part, ...answer }];
      }),
    ),
  }));
}

function withState(step: Step, from: string, to: string): Step {
  return withParts(step, (one) => ('state' in one && one.state === from ? { ...one, state: to } : one));
}

/** Returns the words of a text. An answer may show a name that is in it. */
export function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/[A-Za-z_][A-Za-z0-9_-]*/g));
}

/** Cuts a story where time is moved, for a target without a clock. */
export function untilTimePasses({ steps, answers }: RecordedSequence): RecordedSequence {
  const wait = steps.findIndex((step) => step.do === 'wait');
  return wait < 0 ? { steps, answers } : { steps: steps.slice(0, wait), answers: answers.slice(0, wait) };
}

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

/** Returns the digests of a record's files, as `sha256sum -c` reads them. */
export function sumsText(profile: string, stories: string): string {
  const files = [
    [PROFILE, profile],
    [STORIES, stories],
  ] as const;
  return files
    .map(([name, text]) => `${createHash('sha256').update(text).digest('hex')}  ${name}\n`)
    .join('');
}

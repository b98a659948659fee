import { type AspectAnswer, type AspectId, canonical, type SeenAnswers } from './aspects.ts';
import { digestOf } from './digest.ts';
import { express } from './express.ts';
import type { Profile, ProfileObserved } from './profile.ts';

/** What was seen of a target, and when and how. */
export interface Sighting {
  readonly target: string;
  readonly kind: ProfileObserved['kind'];
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly suiteVersion: string;
  readonly risks: ProfileObserved['risks'];
  readonly requests: number;
  readonly answers: SeenAnswers;
  /** Why the other aspects have no answer. */
  readonly notObserved: ReadonlyMap<AspectId, string>;
  readonly evidence: ReadonlyMap<AspectId, string>;
  readonly departures: NonNullable<Profile['departures']>;
}

/** Longest value of a header that is kept, in characters. A longer one is somebody's. */
const LONGEST_VALUE = 200;

/**
 * Freezes what was seen into a profile on which the emulator does the same. Where nothing was seen it does as the base.
 *
 * @param base the profile to fill gaps from
 */
export function freeze(sighting: Sighting, base: Profile): Profile {
  const { target, kind, at, suiteVersion, requests } = sighting;
  const answers: SeenAnswers = new Map(
    [...sighting.answers].map(([aspect, answer]) => [aspect, shortened(answer)]),
  );
  const departures = Object.keys(sighting.departures).length === 0 ? undefined : sighting.departures;
  const expressed = express(answers, base, departures);
  const day = at.slice(0, 10);
  const profile: Profile = {
    name: nameFrom(target),
    title: `${target}, as observed on ${day}`,
    summary: `What ${target} was seen to do on ${day} where the document is silent.`,
    warnings: [],
    departures,
    answers: sharing(expressed.answers),
    observed: {
      target,
      kind,
      at,
      suiteVersion,
      risks: [...sighting.risks],
      requests,
      notObserved: Object.fromEntries(sighting.notObserved),
      ...(expressed.notExpressed.size === 0
        ? {}
        : { notExpressed: Object.fromEntries(expressed.notExpressed) }),
      evidence: Object.fromEntries(sighting.evidence),
    },
  };
  return { ...profile, digest: digestOf(profile) };
}

/** The same answers, equal cases being one: written down, the later ones refer to the first. */
function sharing(answers: Profile['answers']): Profile['answers'] {
  const shared = structuredClone(answers);
  for (const point of ['resource-failures', 'token-failures', 'authorize-failures'] as const) {
    const known = new Map<string, unknown>();
    const cases: Record<string, unknown> = shared[point].cases;
    for (const [name, told] of Object.entries(cases)) {
      const text = canonical(told);
      cases[name] = known.get(text) ?? told;
      known.set(text, cases[name]);
    }
  }
  return shared;
}

/** A profile's name from a target's: lower case, words with hyphens. */
function nameFrom(target: string): string {
  const name = target
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'observed' : name;
}

function shortened(answer: AspectAnswer): AspectAnswer {
  if (typeof answer === 'string')
    return answer.length > LONGEST_VALUE * 2 ? `${answer.slice(0, LONGEST_VALUE)}…` : answer;
  if (Array.isArray(answer)) return answer.map(shortened);
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, inner]) => [name, shortened(inner)]));
}

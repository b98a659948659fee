import { digestOf } from './answers-of.ts';
import type { AspectId, SeenAnswers } from './aspects.ts';
import type { Profile, ProfileObserved } from './profile.ts';

interface ObservedAnswers {
  readonly target: string;
  readonly kind: ProfileObserved['kind'];
  readonly at: string;
  readonly suiteVersion: string;
  readonly risks: ProfileObserved['risks'];
  readonly requests: number;
  readonly answers: SeenAnswers;
  readonly notObserved: ReadonlyMap<AspectId, string>;
  readonly evidence: ReadonlyMap<AspectId, string>;
  readonly departures: NonNullable<Profile['departures']>;
}

export function record(observed: ObservedAnswers, base: Profile['base']): Profile {
  const { target, kind, at, suiteVersion, requests, departures } = observed;
  const day = at.slice(0, 10);
  const profile: Profile = {
    name: nameFrom(target),
    title: `${target}, as observed on ${day}`,
    summary: `The behaviour of ${target} on ${day} where the document is silent.`,
    warnings: [],
    ...(Object.keys(departures).length > 0 && { departures }),
    base,
    answers: Object.fromEntries(observed.answers),
    observed: {
      target,
      kind,
      at,
      suiteVersion,
      risks: [...observed.risks],
      requests,
      notObserved: Object.fromEntries(observed.notObserved),
      evidence: Object.fromEntries(observed.evidence),
    },
  };
  return { ...profile, digest: digestOf(profile) };
}

function nameFrom(target: string): string {
  const name = target
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'observed' : name;
}

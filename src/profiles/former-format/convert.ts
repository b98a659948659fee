/**
 * Reads profiles of version 0.1. They stored emulator options by open point instead of answers by aspect, and the rest
 * in `observed.notExpressed`.
 */

import { openPointIds } from '../../../generated/ids.ts';
import type { AspectAnswer } from '../aspects.ts';
import { digestOf, sha256 } from '../digest.ts';
import type { Profile } from '../profile.ts';
import {
  type AnswersByAspect,
  authorizeFailures,
  otherMethods,
  resourceFailures,
  tokenFailures,
} from './failures.ts';
import type { FormerOptions } from './options.ts';
import { aroundThem, flow, operations } from './successes.ts';

interface FormerProfile extends Omit<Profile, 'answers' | 'observed'> {
  readonly answers: FormerOptions;
  readonly observed?: Omit<NonNullable<Profile['observed']>, 'notExpressed'> & {
    readonly notExpressed?: AnswersByAspect;
  };
}

export function todays(document: unknown): unknown {
  if (!isFormer(document)) return document;
  try {
    return converted(document);
  } catch {
    throw new TypeError('a profile of version 0.1 that lacks answers');
  }
}

/** Version 0.1 had answers by open point, not by aspect. */
function isFormer(document: unknown): document is FormerProfile {
  const answers = (document as { answers?: unknown } | null)?.answers;
  if (typeof answers !== 'object' || answers === null) return false;
  return Object.keys(answers).some((key) => (openPointIds as readonly string[]).includes(key));
}

function converted(former: FormerProfile): Profile {
  const { answers: options, observed, digest, ...rest } = former;
  const all = answersOf(options, rest.departures);
  const profile = {
    ...rest,
    answers: observed === undefined ? all : onlySeen(all, observed),
    ...(observed && {
      observed: { ...observed, notExpressed: Object.keys(observed.notExpressed ?? {}) },
    }),
  } as unknown as Profile;
  if (digest === undefined) return profile;
  return { ...profile, digest: digest === formerDigest(former) ? digestOf(profile) : digest };
}

function answersOf(options: FormerOptions, departures: Profile['departures']): AnswersByAspect {
  return {
    ...operations(options),
    ...resourceFailures(options),
    ...tokenFailures(options),
    ...authorizeFailures(options, departures?.missingScope !== undefined),
    ...flow(options),
    ...otherMethods(options),
    ...aroundThem(options),
  };
}

function onlySeen(
  all: AnswersByAspect,
  { notObserved, notExpressed }: NonNullable<FormerProfile['observed']>,
): AnswersByAspect {
  const answers = Object.entries(all).filter(([aspect]) => !(aspect in notObserved));
  const seen = new Set(answers.map(([aspect]) => aspect));
  const own = answers.map(([aspect, answer]): [string, AspectAnswer] => {
    const [point, name] = aspect.split('.', 2);
    if (name !== 'wording') return [aspect, answer];
    const told = Object.entries(answer as AnswersByAspect).filter(([about]) => seen.has(`${point}.${about}`));
    return [aspect, Object.fromEntries(told)];
  });
  return { ...Object.fromEntries(own), ...notExpressed };
}

function formerDigest({ answers, departures, observed }: FormerProfile): string {
  return sha256({
    answers,
    departures: departures ?? {},
    notObserved: Object.keys(observed?.notObserved ?? {}).sort(),
    notExpressed: observed?.notExpressed ?? {},
  });
}

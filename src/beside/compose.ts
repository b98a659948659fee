import type { BesideFile, BesideStory } from '../../generated/schemas.d.ts';
import { describeStep } from '../explore/steps.ts';
import type { Breaks, Change, Comparison } from '../report/compare/changes.ts';
import { oneLine } from '../report/printable.ts';
import type { Parity } from './beside.ts';
import type { ConfirmedDifference } from './confirm.ts';
import { groupOf } from './groups.ts';

type Entry = BesideFile['differences'][number];

/** Returns the catalogue's words for an aspect; undefined if `about` is no aspect. */
export type WordsOf = (about: string) => { readonly about: string; readonly breaks: Breaks } | undefined;

const BREAKS: readonly (Breaks | undefined)[] = ['likely', 'possible', undefined, 'unlikely'];

/** Joins what the probes and the stories showed: one entry for each aspect, likeliest to break a client first. */
export function entriesOf(
  confirmed: readonly ConfirmedDifference[],
  probed: Comparison | undefined,
  describedAspect: WordsOf,
): readonly Entry[] {
  const probes = new Map(differing(probed).map((change) => [change.what, change]));
  const stories = new Map(confirmed.map((one) => [one.group, one]));
  const entries = [...new Set([...probes.keys(), ...stories.keys()])].map((about): Entry => {
    const [change, story] = [probes.get(about), stories.get(about)];
    const words = describedAspect(about);
    return {
      about,
      ...(words && { question: words.about, breaks: words.breaks }),
      ...(change && {
        probe: { left: oneLine(change.before, LONGEST), right: oneLine(change.after, LONGEST) },
      }),
      ...(story && { story: storyOf(story) }),
    };
  });
  return entries.toSorted((one, other) => BREAKS.indexOf(one.breaks) - BREAKS.indexOf(other.breaks));
}

export function notCompared(probed: Comparison | undefined): readonly string[] {
  return (probed?.changes ?? []).flatMap(({ kind, what }) =>
    kind === 'started' || kind === 'stopped' ? [what] : [],
  );
}

const LONGEST = 600;

function differing(probed: Comparison | undefined): readonly Change[] {
  return (probed?.changes ?? []).filter(({ kind }) => kind !== 'started' && kind !== 'stopped');
}

function storyOf({
  steps,
  difference,
  beside,
  again,
  also,
  afterRequests,
  group,
}: ConfirmedDifference): BesideStory {
  const { atOnce: _, ...shown } = difference;
  const others = beside.filter(
    (one) => one.asked === difference.asked && one.facet !== difference.facet && groupOf(one) !== group,
  );
  return {
    steps: steps.map((step) => ({ words: describeStep(step), step: { ...step } })),
    ...shown,
    alsoInThisAnswer: [...new Map(others.map((one) => [one.facet, one])).values()].map(
      ({ atOnce: __, ...one }) => one,
    ),
    alsoIn: [...also],
    again: { ...again },
    afterRequests,
  };
}

export function parityOf({ answers, inOutcome, inAll, gaps }: Parity): BesideFile['parity'] {
  return {
    answers,
    inOutcome,
    inAll,
    gaps: [...gaps].map(([facet, count]) => ({ facet, answers: count })),
  };
}

import type { Catalogue } from '../../catalogue/types.ts';
import { answersOf } from '../../profiles/answers-of.ts';
import {
  type AspectId,
  aspectIds,
  canonical,
  differingParts,
  namesOf,
  sameAnswer,
} from '../../profiles/aspects.ts';
import type { Profile } from '../../profiles/profile.ts';
import {
  type Breaks,
  type Change,
  type Comparison,
  compareEach,
  kindOfPresence,
  noteOn,
  sorted,
} from './changes.ts';

export function compareProfiles(before: Profile, after: Profile, catalogue: Catalogue): Comparison {
  const [all, allNow] = [answersOf(before), answersOf(after)];
  const { changes, same } = compareEach(aspectIds, (aspect) => {
    const [was, is] = [all.get(aspect), allNow.get(aspect)];
    if (was === undefined && is === undefined) return undefined;
    const both = was !== undefined && is !== undefined;
    if (both && sameAnswer(aspect, was, is)) return 'same';
    const [old, now] = both ? differingParts(aspect, was, is) : [was, is];
    return {
      kind: kindOfPresence(was, is),
      what: aspect,
      ...describedAspect(aspect, catalogue),
      before: old === undefined ? notObserved(before, aspect) : answerText(old),
      after: now === undefined ? notObserved(after, aspect) : answerText(now),
    };
  });
  return {
    of: 'profiles',
    before: nameOf(before),
    after: nameOf(after),
    changes: sorted([...changes, ...departures(before, after)]),
    same,
    notes: notes(before, after),
  };
}

export function describedAspect(
  id: AspectId,
  catalogue: Catalogue,
): { readonly about: string; readonly breaks: Breaks } {
  const { openPoint, aspect } = namesOf(id);
  const found = catalogue.openPoint(openPoint).aspects.find(({ name }) => name === aspect);
  return { about: found?.question ?? '', breaks: found?.breaks ?? 'possible' };
}

export function answerText(answer: unknown): string {
  return typeof answer === 'string' && answer !== '' ? answer : canonical(answer);
}

function notObserved({ observed }: Profile, aspect: AspectId): string {
  return `not observed: ${observed?.notObserved[aspect] ?? 'for an unknown reason'}`;
}

function departures(before: Profile, after: Profile): readonly Change[] {
  const [old, now]: Readonly<Record<string, string>>[] = [{ ...before.departures }, { ...after.departures }];
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])];
  return names.flatMap((name): readonly Change[] => {
    const [was, is] = [old?.[name], now?.[name]];
    if (was === is) return [];
    return [
      {
        kind: is === undefined ? 'healed' : was === undefined ? 'broke' : 'changed',
        what: `departures.${name}`,
        about: 'What is done against the document.',
        breaks: 'likely',
        before: was ?? 'as documented',
        after: is ?? 'as documented',
      },
    ];
  });
}

function nameOf({ name, observed }: Profile): string {
  return observed === undefined
    ? `profile ${name}`
    : `${observed.target}, observed ${observed.at.slice(0, 10)}`;
}

function notes(before: Profile, after: Profile): readonly string[] {
  const [old, now] = [before.observed, after.observed];
  if (old === undefined || now === undefined) return [];
  return [
    ...noteOn(old.target, now.target, (one, other) => `two targets: ${one} and ${other}`),
    ...noteOn(
      old.suiteVersion,
      now.suiteVersion,
      (one, other) => `observed by two versions of the suite: ${one} and ${other}`,
    ),
    ...noteOn(
      old.risks.join(', '),
      now.risks.join(', '),
      (one, other) => `observed at different risks: ${one}; ${other}`,
    ),
  ];
}

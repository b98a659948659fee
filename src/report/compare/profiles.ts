import { canonical } from '../../document/canonical.ts';
import { answersOf } from '../../document/profiles/answers-of.ts';
import {
  type AspectAnswer,
  type AspectId,
  aspectIds,
  differingParts,
  namesOf,
  type SeenAtOpenPoints,
  sameAnswer,
} from '../../document/profiles/aspects.ts';
import type { Profile } from '../../document/profiles/profile.ts';
import type { Catalogue } from '../../document/types.ts';
import { frozenId } from '../catalogue-view.ts';
import type { Observation, RequirementResult } from '../results.ts';
import type { Run } from '../verdict.ts';
import {
  type Breaks,
  type Change,
  type Comparison,
  compareEach,
  kindOfPresence,
  notesOn,
  sortedChanges,
} from './changes.ts';

export function compareProfiles(before: Profile, after: Profile, catalogue: Catalogue): Comparison {
  const compare = (was: AspectAnswer | undefined, is: AspectAnswer | undefined, aspect: AspectId) => {
    if (was === undefined && is === undefined) return undefined;
    const both = was !== undefined && is !== undefined;
    if (both && sameAnswer(was, is)) return 'same';
    const [old, now] = both ? differingParts(was, is) : [was, is];
    return {
      kind: kindOfPresence(was, is),
      ...describedAspect(aspect, catalogue),
      before: old === undefined ? notObserved(before, aspect) : formatAnswer(old),
      after: now === undefined ? notObserved(after, aspect) : formatAnswer(now),
    };
  };
  const { changes, same } = compareEach(answersOf(before), answersOf(after), compare, aspectIds);
  return {
    of: 'profiles',
    before: nameOf(before),
    after: nameOf(after),
    changes: sortedChanges([...changes, ...departures(before, after)]),
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

export function formatAnswer(answer: unknown): string {
  return typeof answer === 'string' && answer !== '' ? answer : canonical(answer);
}

function notObserved({ observed }: Profile, aspect: AspectId): string {
  return `not observed: ${observed?.notObserved[aspect] ?? 'for an unknown reason'}`;
}

function departures(before: Profile, after: Profile): readonly Change[] {
  const named = ({ departures = {} }: Profile) =>
    new Map(Object.entries(departures).map(([name, what]) => [`departures.${name}`, what]));
  return compareEach(named(before), named(after), (was, is) =>
    was === is
      ? 'same'
      : {
          kind: kindOf(was, is),
          about: 'What is done against the document.',
          breaks: 'likely',
          before: was ?? 'as documented',
          after: is ?? 'as documented',
        },
  ).changes;
}

function kindOf(was: string | undefined, is: string | undefined): 'healed' | 'broke' | 'changed' {
  if (is === undefined) return 'healed';
  return was === undefined ? 'broke' : 'changed';
}

function nameOf({ name, observed }: Profile): string {
  return observed === undefined
    ? `profile ${name}`
    : `${observed.target}, observed ${observed.at.slice(0, 10)}`;
}

function notes(before: Profile, after: Profile): readonly string[] {
  const [old, now] = [before.observed, after.observed];
  if (old === undefined || now === undefined) return [];
  return notesOn(
    ['two targets', old.target, now.target],
    ['observed by two versions of the suite', old.suiteVersion, now.suiteVersion],
    ['observed at different risks', old.risks.join(', '), now.risks.join(', '), '; '],
  );
}

type NotObserved = { readonly reason: string };

const NOTHING_SEEN: SeenAtOpenPoints = { answers: new Map(), unseen: new Map(), evidence: new Map() };

/**
 * Evaluates the recorded answers of a profile as requirements of level `frozen`: a difference fails. An answer that is missing
 * now, or in the profile, has its reason.
 *
 * @param onItself true if the target is the emulator with this profile: aspects that it cannot show are then no difference
 * @param observations the checks' own observations; used if no probe ran
 */
export function frozenResults(
  frozen: Profile,
  seen: SeenAtOpenPoints | NotObserved,
  observations: readonly Observation[],
  catalogue: Catalogue,
  onItself = false,
): readonly RequirementResult[] {
  const wanted = answersOf(frozen);
  const { answers, unseen, evidence } = 'reason' in seen ? NOTHING_SEEN : seen;
  return aspectIds.map((id) => {
    const { openPoint, aspect } = namesOf(id);
    const want = wanted.get(id);
    const base = {
      id: frozenId(openPoint, aspect),
      clause: catalogue.openPoint(openPoint).clauses[0] ?? '',
      level: 'frozen' as const,
      durationMs: 0,
      evidence: [],
    };
    if (want === undefined) {
      const reason = `not observed when it was recorded: ${frozen.observed?.notObserved[id] ?? 'for an unknown reason'}`;
      return { ...base, result: 'not-applicable', reason };
    }
    const missing = unseen.get(id);
    const probed = answers.get(id);
    const notAsked = probed === undefined && missing?.why === 'not-asked';
    const observed = notAsked ? passingSight(id, observations) : probed;
    if (observed === undefined) {
      const reason = 'reason' in seen ? seen.reason : (missing?.reason ?? 'not seen');
      const lost = 'reason' in seen || missing?.why === 'no-answer';
      return { ...base, frozen: want, result: lost ? 'not-run' : 'not-applicable', reason };
    }
    const both = { ...base, frozen: want, seen: observed };
    if (sameAnswer(want, observed)) return { ...both, result: 'pass', reason: '' };
    const [frozenPart, seenPart] = differingParts(want, observed);
    const difference = `frozen ${formatAnswer(frozenPart)}; seen ${formatAnswer(seenPart)}`;
    if (onItself && frozen.observed?.notExpressed?.includes(id)) {
      const reason = `the emulator cannot do what was recorded (\`observed.notExpressed\`): ${difference}`;
      return { ...both, result: 'not-applicable', reason };
    }
    const where = evidence.get(id);
    return {
      ...both,
      result: 'fail',
      reason: where === undefined ? difference : `${difference} (${where})`,
      signature: difference,
    };
  });
}

function passingSight(id: AspectId, observations: readonly Observation[]): AspectAnswer | undefined {
  const { openPoint, aspect } = namesOf(id);
  const seen = observations.filter((one) => one.openPoint === openPoint && one.aspect === aspect);
  return seen.length === 1 ? (seen[0]?.answer as AspectAnswer) : undefined;
}

export function withFrozen(
  run: Run,
  frozen: Profile,
  seen: SeenAtOpenPoints | undefined,
  catalogue: Catalogue,
  onItself = false,
): Run {
  const why = run.troubles[0]?.message ?? 'the open points were not observed';
  const rows = frozenResults(frozen, seen ?? { reason: why }, run.observations, catalogue, onItself);
  const answers: ReadonlyMap<string, AspectAnswer> = seen?.answers ?? new Map();
  const others = run.observations.filter(({ openPoint, aspect }) => !answers.has(`${openPoint}.${aspect}`));
  const probed = [...(seen?.answers ?? [])].map(([id, answer]) => {
    const { openPoint, aspect } = namesOf(id);
    return { openPoint, aspect, answer, seenBy: frozenId(openPoint, aspect) };
  });
  return {
    ...run,
    requirements: [...run.requirements, ...rows],
    observations: [...others, ...probed],
    like: { name: frozen.name, observedAt: frozen.observed?.at, digest: frozen.digest },
  };
}

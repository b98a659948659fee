import type { Catalogue } from '../../catalogue/types.ts';
import { answersOf } from '../../profiles/answers-of.ts';
import {
  type AspectAnswer,
  type AspectId,
  aspectIds,
  differingParts,
  namesOf,
  sameAnswer,
} from '../../profiles/aspects.ts';
import type { Profile, SeenAtOpenPoints } from '../../profiles/profile.ts';
import { frozenId } from '../catalogue-view.ts';
import type { Observation, RequirementResult } from '../results.ts';
import type { Run } from '../verdict.ts';
import { answerText } from './profiles.ts';

type NotObserved = { readonly reason: string };

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
  const answers =
    'reason' in seen ? new Map<string, AspectAnswer>() : new Map(seen.answers as [string, AspectAnswer][]);
  const unseen = 'reason' in seen ? undefined : new Map(seen.unseen);
  const evidence = 'reason' in seen ? undefined : new Map(seen.evidence);
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
    const missing = unseen?.get(id);
    const probed = answers.get(id) as AspectAnswer | undefined;
    const notAsked = probed === undefined && missing?.why === 'not-asked';
    const observed = notAsked ? passingSight(id, observations) : probed;
    if (observed === undefined) {
      const reason = 'reason' in seen ? seen.reason : (missing?.reason ?? 'not seen');
      const lost = 'reason' in seen || missing?.why === 'no-answer';
      return { ...base, frozen: want, result: lost ? 'not-run' : 'not-applicable', reason };
    }
    const both = { ...base, frozen: want, seen: observed };
    if (sameAnswer(id, want, observed)) return { ...both, result: 'pass', reason: '' };
    const [frozenPart, seenPart] = differingParts(id, want, observed);
    const difference = `frozen ${answerText(frozenPart)}; seen ${answerText(seenPart)}`;
    if (onItself && frozen.observed?.notExpressed?.includes(id)) {
      const reason = `the emulator cannot do what was recorded (\`observed.notExpressed\`): ${difference}`;
      return { ...both, result: 'not-applicable', reason };
    }
    const where = evidence?.get(id);
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

function observationsOf({ answers }: SeenAtOpenPoints): readonly Observation[] {
  return answers.map(([id, answer]) => {
    const { openPoint, aspect } = namesOf(id as AspectId);
    return { openPoint, aspect, answer, seenBy: frozenId(openPoint, aspect) };
  });
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
  const probed = seen === undefined ? [] : observationsOf(seen);
  const known = new Set(probed.map(({ openPoint, aspect }) => `${openPoint}.${aspect}`));
  const others = run.observations.filter(({ openPoint, aspect }) => !known.has(`${openPoint}.${aspect}`));
  return {
    ...run,
    requirements: [...run.requirements, ...rows],
    observations: [...others, ...probed],
    like: { name: frozen.name, observedAt: frozen.observed?.at, digest: frozen.digest },
  };
}

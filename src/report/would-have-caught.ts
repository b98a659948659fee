import { knownFaults } from '../../generated/known-faults.ts';
import type { RequirementResult, Results } from './results.ts';

type Result = Pick<RequirementResult, 'id' | 'level' | 'result' | 'missing'>;

/**
 * States the share of the emulator's defects that a green run would have detected: a defect counts if a requirement that it
 * breaks passed.
 *
 * @returns a sentence; undefined for a run that is not green, and for a client's
 */
export function wouldHaveCaught({
  client,
  verdict,
  target,
  requirements,
}: Pick<Results, 'client' | 'verdict' | 'target' | 'requirements'>): string | undefined {
  if (verdict !== 'conforms' || client !== undefined) return undefined;
  const byId = new Map(requirements.map((result) => [result.id, result]));
  const counts = new Map<string, number>();
  for (const { breaks, emulatorOnly = false, count } of knownFaults) {
    const broken = breaks.map((id) => byId.get(id));
    const fate = outcomeOf(broken, emulatorOnly && target.kind === 'live');
    counts.set(fate, (counts.get(fate) ?? 0) + count);
  }
  const known = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const [failed, warned] = [counts.get(FAILED) ?? 0, counts.get(WARNED) ?? 0];
  const others = [...counts]
    .filter(([fate]) => fate !== FAILED && fate !== WARNED)
    .toSorted(([, a], [, b]) => b - a)
    .map(([fate, count]) => `${fate} (${count})`);
  return [
    `would have caught ${failed + warned} of ${known} known faults, ${warned} of them as a warning`,
    ...(others.length === 0 ? [] : [`the others: ${others.join(', ')}`]),
    "known faults are the suite's own; others are found less often",
  ].join('; ');
}

const FAILED = 'failed';
const WARNED = 'warned';

function outcomeOf(broken: readonly (Result | undefined)[], hidden: boolean): string {
  if (hidden) return 'show on the emulator alone';
  const passed = broken.filter((one) => one?.result === 'pass');
  if (passed.some((one) => one?.level === 'documented')) return FAILED;
  if (passed.length > 0) return WARNED;
  const [first] = broken.toSorted((a, b) => (b?.missing?.length ?? 0) - (a?.missing?.length ?? 0));
  if (first === undefined) return 'not selected';
  if (first.missing !== undefined && first.missing.length > 0) return `need ${first.missing.join(' and ')}`;
  return WITHOUT_ABILITY[first.result] ?? 'not run';
}

const WITHOUT_ABILITY: Partial<Record<Result['result'], string>> = {
  warning: 'hidden by present warnings',
  'known-deviation': 'hidden by known deviations',
};

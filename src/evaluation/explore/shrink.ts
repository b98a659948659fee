import { ALL_SCOPES } from '../../service/target.ts';
import { givesOf, needsOf, type Step, singleSteps, withParts } from './steps.ts';

type Shows = (steps: readonly Step[]) => Promise<boolean>;

export const REPETITIONS = 3;

export interface Repeated {
  readonly shown: number;
  readonly of: number;
  /** True if the service went on, with whatever earlier requests had left there. */
  readonly onSame?: true;
}

export async function countShown(steps: readonly Step[], shows: Shows): Promise<Repeated> {
  let shown = 0;
  for (let time = 0; time < REPETITIONS; time += 1) if (await shows(steps)) shown += 1;
  return { shown, of: REPETITIONS };
}

/** Keeps what the last step needs, the time that passes, and earlier changes of the same user. Sends no request. */
export function sliceFor(steps: readonly Step[]): readonly Step[] {
  const last = steps.at(-1);
  if (last === undefined) return [];
  const needed = new Set(needsOf(last));
  const about = subjectsOf(last);
  const kept: Step[] = [last];
  for (const step of steps.slice(0, -1).reverse()) {
    const gives = givesOf(step).some((name) => needed.has(name));
    const changes = step.do !== 'list' && subjectsOf(step).some((subject) => about.includes(subject));
    if (!gives && !changes && step.do !== 'wait') continue;
    for (const name of needsOf(step)) needed.add(name);
    kept.unshift(step);
  }
  return kept.slice(kept.findIndex(({ do: what }) => what !== 'wait'));
}

function subjectsOf(step: Step): readonly string[] {
  return singleSteps([step]).flatMap((one) => ('project' in one ? [one.project] : []));
}

/**
 * Returns the fewest steps that still show the finding, within a number of tries: first the slice, then without ever smaller
 * pieces (ddmin), then with simpler values.
 */
export async function shrink(steps: readonly Step[], shows: Shows, tries: number): Promise<readonly Step[]> {
  let left = tries;
  const still: Shows = async (candidate) => {
    if (left <= 0 || candidate.length === 0) return false;
    left -= 1;
    return shows(candidate);
  };
  const slice = sliceFor(steps);
  let best = slice.length < steps.length && (await still(slice)) ? slice : steps;
  best = withoutIdle(await withoutPieces(best, still));
  for (let index = best.length - 1; index >= 0; index -= 1) {
    const shorter = withoutRefresh(best, index);
    if (shorter.length < best.length && (await still(shorter))) best = shorter;
  }
  for (let index = 0; index < best.length; index += 1) {
    let simplified: readonly Step[] | undefined = best;
    while (simplified !== undefined) {
      best = simplified;
      simplified = await simplifiedAt(index, best, still);
    }
  }
  return renamed(withoutIdle(await withoutPieces(best, still)));
}

async function simplifiedAt(
  index: number,
  steps: readonly Step[],
  still: Shows,
): Promise<readonly Step[] | undefined> {
  const now = JSON.stringify(steps[index]);
  for (const simpler of simplerOf(steps[index], steps)) {
    if (JSON.stringify(simpler) === now) continue;
    const candidate = steps.with(index, simpler);
    if (await still(candidate)) return candidate;
  }
  return undefined;
}

function withoutIdle(steps: readonly Step[]): readonly Step[] {
  const given = new Set<string>();
  const isPossible = (step: Step) => needsOf(step).every((name) => given.has(name) || !NAMED.test(name));
  return steps.flatMap((step): readonly Step[] => {
    const parts = step.do === 'at once' ? step.steps.filter(isPossible) : [step].filter(isPossible);
    for (const name of parts.flatMap(givesOf)) given.add(name);
    if (step.do !== 'at once' || parts.length < 2) return parts;
    return [{ ...step, steps: parts as typeof step.steps }];
  });
}

const NAMED = /^(code|pair|application) /;

async function withoutPieces(steps: readonly Step[], still: Shows): Promise<readonly Step[]> {
  let best = steps;
  for (let pieces = 2; best.length > 1; ) {
    const size = Math.ceil(best.length / pieces);
    let shorter: readonly Step[] | undefined;
    for (let at = 0; at < best.length && shorter === undefined; at += size) {
      const without = [...best.slice(0, at), ...best.slice(at + size)];
      if (await still(without)) shorter = without;
    }
    if (shorter !== undefined) {
      best = shorter;
      pieces = Math.max(2, pieces - 1);
    } else if (size === 1) break;
    else pieces = Math.min(best.length, pieces * 2);
  }
  return best;
}

const NAMING = ['as', 'code', 'pair', 'with'];

/** Numbers codes and pairs in the order of the steps that are left. */
function renamed(steps: readonly Step[]): readonly Step[] {
  const names = new Map<string, string>();
  const nameFor = (old: string, kind: string) => {
    const alike = [...names.values()].filter((name) => name.startsWith(kind));
    const name = names.get(old) ?? `${kind} ${alike.length + 1}`;
    names.set(old, name);
    return name;
  };
  return withNames(steps, (name) => name.replace(/(code|pair) .+/, nameFor));
}

function withNames(steps: readonly Step[], change: (name: string) => string): readonly Step[] {
  return JSON.parse(JSON.stringify(steps), (member, value) =>
    NAMING.includes(member) ? change(value) : value,
  );
}

function simplerOf(step: Step | undefined, all: readonly Step[]): readonly Step[] {
  if (step === undefined) return [];
  const simpler: Step[] = [];
  if ('spelling' in step) {
    const { spelling: _, ...plain } = step;
    simpler.push(plain);
  }
  if (step.do === 'authorize') {
    const { state: _, ...plain } = step;
    simpler.push({ ...plain, application: 0, address: 0, scope: ALL_SCOPES });
    simpler.push(plain);
  }
  if (step.do === 'at once') {
    simpler.push(...step.steps);
    if (step.steps.length > 2)
      for (const one of step.steps)
        simpler.push({ ...step, steps: step.steps.filter((other) => other !== one) });
  }
  // If the first pair replaces all others, the steps that gave them can be dropped.
  const [pair] = all.flatMap(givesOf).filter((name) => name.startsWith('pair '));
  if (pair !== undefined && ('with' in step || step.do === 'at once')) simpler.push(withFirst(step, pair));
  return simpler;
}

/** Returns the steps without a refresh: those after it use the pair that it replaced. */
function withoutRefresh(steps: readonly Step[], index: number): readonly Step[] {
  const refresh = steps[index];
  if (refresh?.do !== 'refresh') return steps;
  const newPair = new RegExp(`${refresh.as}$`);
  return withNames(steps.toSpliced(index, 1), (name) => name.replace(newPair, refresh.pair));
}

function withFirst(step: Step, pair: string): Step {
  return withParts(step, (one) =>
    'with' in one && one.with.startsWith('pair ') ? { ...one, with: pair } : one,
  );
}

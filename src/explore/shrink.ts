import { givesOf, needsOf, type Step } from './steps.ts';

/** Whether a sequence still shows what was found. */
export type Shows = (steps: readonly Step[]) => Promise<boolean>;

/** What the last step needs: whatever gave it, and what was done to the same user before. Costs no request. */
export function sliceFor(steps: readonly Step[]): readonly Step[] {
  const last = steps.at(-1);
  if (last === undefined) return [];
  const needed = new Set(needsOf(last));
  const about = subjectsOf(last);
  const kept: Step[] = [last];
  for (const step of steps.slice(0, -1).reverse()) {
    const gives = givesOf(step).some((name) => needed.has(name));
    const changes = step.do !== 'list' && subjectsOf(step).some((subject) => about.includes(subject));
    if (!gives && !changes) continue;
    for (const name of needsOf(step)) needed.add(name);
    kept.unshift(step);
  }
  return kept;
}

function subjectsOf(step: Step): readonly string[] {
  if (step.do === 'at once') return step.steps.flatMap(subjectsOf);
  return 'project' in step ? [step.project] : [];
}

/**
 * The fewest steps that still show it, as far as can be told with a number of tries: the slice first, then whatever can be left
 * out, in ever smaller pieces (ddmin), then what can be said more simply.
 *
 * @param tries how many sequences may be tried
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
    } else if (size === 1 || left <= 0) break;
    else pieces = Math.min(best.length, pieces * 2);
  }
  for (let index = 0; index < best.length; index += 1) {
    for (const simpler of simplerOf(best[index])) {
      const candidate = best.with(index, simpler);
      if (await still(candidate)) best = candidate;
    }
  }
  return best;
}

/** The same step without what need not be special about it, one thing at a time. */
function simplerOf(step: Step | undefined): readonly Step[] {
  if (step === undefined) return [];
  const simpler: Step[] = [];
  if ('spelling' in step) {
    const { spelling: _, ...plain } = step;
    simpler.push(plain);
  }
  if (step.do === 'authorize') {
    const { state: _, ...plain } = step;
    simpler.push({ ...plain, application: 0, address: 0, scope: 'read write destroy' });
    simpler.push(plain);
  }
  if (step.do === 'at once') simpler.push(...step.steps);
  return simpler;
}

import type { Check } from '../check.ts';

/**
 * Takes the check that a lane does next out of the queue. What provokes refusals and replays comes after everything else; before that,
 * every second lane takes what opens pages: while it waits for them the others compute, and pages that load at once take longer each.
 *
 * @param queue in the order of a run on one lane, where it is kept
 * @param lane its number, from 0
 * @param lanes how many there are
 * @returns undefined when there is none left
 */
export function nextCheck(queue: Check[], lane: number, lanes: number): Check | undefined {
  const [first] = queue;
  const wantsPages = lane % 2 === 0;
  const wanted = (check: Check) => check.provokes === first?.provokes && opensPages(check) === wantsPages;
  const index = lanes === 1 ? 0 : Math.max(0, queue.findIndex(wanted));
  return queue.splice(index, 1)[0];
}

/** True if a check opens browser pages: the account area's, or for the authorization request (clauses 1 and 4.1). */
function opensPages({ id }: Check): boolean {
  return id.startsWith('application.') || id.startsWith('authorize.');
}

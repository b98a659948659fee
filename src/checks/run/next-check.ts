import type { Check } from '../check.ts';

/**
 * Takes a lane's next check from the queue. Checks that provoke refusals and replays come last. Before them, every second lane
 * takes the checks that open pages: pages that load at once take longer each, and other checks can use that time.
 *
 * @param queue in the order of a run on one lane
 * @param lane from 0
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

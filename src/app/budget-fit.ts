import type { RequirementId } from '../../generated/ids.ts';
import type { Catalogue } from '../catalogue/types.ts';
import { leastRequests } from '../checks/run/least-requests.ts';
import type { Configuration } from '../config/configuration.ts';
import { UsageError } from '../input/usage-error.ts';
import { liveAbilities } from '../targets/live-abilities.ts';
import type { Adoption } from './adoption.ts';

/**
 * Why a run cannot be done within the budget of its configuration: what it takes at least is more. Better not begun than
 * ended in the middle.
 *
 * @returns undefined when it may fit
 */
export function misfit(
  { budget, pacing, ...configuration }: Configuration,
  catalogue: Catalogue,
  ids: readonly RequirementId[],
): string | undefined {
  const { abilities } = liveAbilities({ budget, pacing, ...configuration });
  const applicable = ids.filter((id) =>
    catalogue.requirement(id).needs.every((ability) => abilities.has(ability)),
  );
  const least = leastRequests(applicable);
  const what = `the ${applicable.length} requirements that apply take ${least} requests at least`;
  if (least > budget.requests)
    return `budget.requests: ${what}, and the budget is ${budget.requests}; raise it, or select fewer with --only`;
  const seconds = Math.floor(least / pacing.requestsPerSecond);
  if (seconds > budget.seconds)
    return `budget.seconds: ${what}, which is ${seconds} s at ${pacing.requestsPerSecond} a second (\`pacing.requestsPerSecond\`), and the budget is ${budget.seconds} s; raise it, or select fewer with --only`;
  return undefined;
}

/**
 * The requirements that a run within the budget checks: all that were selected, or, where these take more than the budget allows, those
 * that the configuration has adopted. So an upgrade of the suite breaks no run that fitted.
 *
 * @throws UsageError where these do not fit either
 */
export function fitting(
  file: string,
  configuration: Configuration,
  catalogue: Catalogue,
  ids: readonly RequirementId[],
  adoption: Adoption,
): readonly RequirementId[] {
  const tooMuch = misfit(configuration, catalogue, ids);
  if (tooMuch === undefined) return ids;
  const adopted = ids.filter((id) => !adoption.isNew(id));
  if (
    adopted.length > 0 &&
    adopted.length < ids.length &&
    misfit(configuration, catalogue, adopted) === undefined
  )
    return adopted;
  throw new UsageError(`${file}: ${tooMuch}`);
}

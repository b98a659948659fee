import { type RequirementId, requirementIds } from '../../../generated/ids.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import type { Configuration } from '../../service/configuration/configuration.ts';
import { liveAbilities } from '../../service/live-abilities.ts';

/** Requests of a run for each requirement that applies, on average. */
const EACH = 19;

/** The same on a service that asks for consent each time. */
const EACH_ASKED = 27;

/** Some requirements take fewer: this part of the estimate is needed at least. */
const LEAST = 1 / 3;

/** Estimates what the checks of a run take, exploration excluded. */
export function forecast(configuration: Configuration, ids: readonly RequirementId[] = requirementIds) {
  const { abilities } = liveAbilities(configuration);
  const applicable = ids.filter((id) =>
    loadCatalogue()
      .requirement(id)
      .needs.every((ability) => abilities.has(ability)),
  );
  const { consent, pacing } = configuration;
  const requests = applicable.length * (consent.shown === 'always' ? EACH_ASKED : EACH);
  return { requests, seconds: Math.ceil(requests / pacing.requestsPerSecond) };
}

/** Returns the reason why a run must exceed its budget; undefined if it may fit. */
export function budgetProblem(
  configuration: Configuration,
  ids: readonly RequirementId[],
): string | undefined {
  const estimate = forecast(configuration, ids);
  const { budget } = configuration;
  const key = (['requests', 'seconds'] as const).find((one) => estimate[one] * LEAST > budget[one]);
  return (
    key &&
    `budget.${key}: the budget is ${budget[key]}, and the run takes about ${estimate[key]} ${key}; raise it, or select fewer checks with --only`
  );
}

import type { ClientRequirementId } from '../../../generated/ids.ts';
import type { ClientCatalogue } from '../../catalogue/load-client-requirements.ts';
import type { Episode, Evaluation, EvaluationSettings, Rule } from './episode.ts';
import { gotTokens, operations, refreshes, tokenRequests } from './journal.ts';
import { CALLS } from './rules/calls.ts';
import { ERRORS } from './rules/errors.ts';
import { HABITS } from './rules/habits.ts';
import { SECRETS } from './rules/secrets.ts';
import { CODES, SIGNING_IN } from './rules/sign-in.ts';
import { PAIRS, RENEWALS } from './rules/token-pairs.ts';
import { TOKEN_REQUESTS } from './rules/token-requests.ts';

/** Every requirement has its rule: a missing one does not compile. */
const RULES: Readonly<Record<ClientRequirementId, Rule>> = {
  ...SIGNING_IN,
  ...CODES,
  ...TOKEN_REQUESTS,
  ...PAIRS,
  ...RENEWALS,
  ...CALLS,
  ...ERRORS,
  ...SECRETS,
  ...HABITS,
};

export interface EvaluatedRequirement {
  readonly id: ClientRequirementId;
  readonly evaluation: Evaluation;
}

/** The results of a client's run, before the verdict. */
export interface ClientEvaluation {
  readonly evaluated: readonly EvaluatedRequirement[];
  /** The exchange, refresh or operation that a verdict needs and the run does not have. */
  readonly missing: readonly string[];
}

/**
 * Evaluates what a client sent. Pure: the same episodes and settings give the same evaluation.
 *
 * @param episodes situations, or the integrator's own tests
 */
export function evaluateClient(
  { requirements }: ClientCatalogue,
  episodes: readonly Episode[],
  settings: EvaluationSettings,
): ClientEvaluation {
  return {
    evaluated: requirements.map(({ id }) => ({ id, evaluation: RULES[id](episodes, settings) })),
    missing: [
      ...(episodes.some((episode) =>
        tokenRequests(episode).some((entry) => entry.grantType === 'authorization_code' && gotTokens(entry)),
      )
        ? []
        : ['no exchange of a code that succeeded']),
      ...(episodes.some((episode) => refreshes(episode).some(gotTokens))
        ? []
        : ['no refresh that succeeded']),
      ...(episodes.some((episode) => operations(episode).some(({ effect }) => effect !== undefined))
        ? []
        : ['no list, assign or unassign that succeeded']),
    ],
  };
}

import type { ClientRequirementId } from '../../../generated/ids.ts';
import type { ClientCatalogue } from '../../catalogue/load-client-requirements.ts';
import { gotTokens, operations, refreshes, tokenRequests } from './requests.ts';
import { CALLS } from './rules/calls.ts';
import { ERRORS } from './rules/errors.ts';
import { HABITS } from './rules/habits.ts';
import { PAIRS, RENEWALS } from './rules/pairs.ts';
import { SECRETS } from './rules/secrets.ts';
import { CODES, SIGNING_IN } from './rules/signing-in.ts';
import { TOKEN_REQUESTS } from './rules/token-requests.ts';
import type { Episode, Evaluation, JudgeSettings, Rule } from './watched.ts';

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

/** What one requirement came to. */
export interface Judged {
  readonly id: ClientRequirementId;
  readonly evaluation: Evaluation;
}

/** What a client's run came to, before the verdict. */
export interface Judgement {
  readonly judged: readonly Judged[];
  /** What a verdict needs and the run does not have: an exchange, a refresh, an operation. */
  readonly missing: readonly string[];
}

/**
 * Evaluates what a client sent. Pure: the same episodes and settings give the same judgement.
 *
 * @param episodes situations, or the integrator's own tests
 */
export function judgeClient(
  { requirements }: ClientCatalogue,
  episodes: readonly Episode[],
  settings: JudgeSettings,
): Judgement {
  return {
    judged: requirements.map(({ id }) => ({ id, evaluation: RULES[id](episodes, settings) })),
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

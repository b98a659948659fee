import type { ClientRequirementId } from '../../../generated/ids.ts';
import type { ClientCatalogue } from '../../document/load-client-requirements.ts';
import type { Episode } from './episode.ts';
import { watchedEpisode } from './journal.ts';
import type { ClientRule, Evaluation, EvaluationSettings } from './rule.ts';
import { CALLS } from './rules/calls.ts';
import { CONDUCT } from './rules/conduct.ts';
import { RACING } from './rules/races.ts';
import { REHEARSALS, REHEARSED } from './rules/rehearsals.ts';
import { SIGN_IN_RULES } from './rules/sign-in.ts';
import { TOKEN_PAIRS } from './rules/token-pairs.ts';
import { TOKEN_REQUESTS } from './rules/token-requests.ts';

const RULES: Readonly<Record<ClientRequirementId, ClientRule>> = {
  ...SIGN_IN_RULES,
  ...TOKEN_REQUESTS,
  ...TOKEN_PAIRS,
  ...RACING,
  ...CALLS,
  ...CONDUCT,
  ...REHEARSED,
};

interface EvaluatedRequirement {
  readonly id: ClientRequirementId;
  readonly evaluation: Evaluation;
}

/** Successes without which there is no verdict on a client. */
export type NeededSuccess = 'exchange of a code' | 'refresh' | 'list, assign or unassign';

export interface ClientEvaluation {
  readonly evaluated: readonly EvaluatedRequirement[];
  readonly missing: readonly NeededSuccess[];
}

export function evaluateRequirements(
  { requirements }: ClientCatalogue,
  episodes: readonly Episode[],
  settings: EvaluationSettings,
): ClientEvaluation {
  const watched = episodes.map(watchedEpisode);
  const checked = watched.filter(({ situation }) => !REHEARSALS.includes(situation));
  const sent = watched.flatMap(({ entries }) => entries);
  const successes: readonly (readonly [NeededSuccess, boolean])[] = [
    ['exchange of a code', sent.some((one) => one.grantType === 'authorization_code' && one.gotTokens)],
    ['refresh', watched.some(({ refreshes }) => refreshes.some(({ gotTokens }) => gotTokens))],
    ['list, assign or unassign', watched.some(({ operations }) => operations.some(({ effect }) => effect))],
  ];
  return {
    evaluated: requirements.map(({ id, level, situations }) => ({
      id,
      evaluation: RULES[id](level === 'observed' ? watched : checked, settings, situations),
    })),
    missing: successes.flatMap(([needed, isSeen]) => (isSeen ? [] : [needed])),
  };
}

import type { ClientRequirementId } from '../../../generated/ids.ts';
import type { ClientCatalogue } from '../../document/load-client-requirements.ts';
import type { JournalEntry } from '../../emulator/control-types.ts';
import type { ClientRule, Episode, Evaluation, EvaluationSettings } from './episode.ts';
import { gotTokens, operations, refreshes, tokenRequests } from './journal.ts';
import { CALLS } from './rules/calls.ts';
import { ERRORS, HABITS, SECRETS } from './rules/conduct.ts';
import { REHEARSALS, REHEARSED } from './rules/rehearsals.ts';
import { CODES, SIGNING_IN } from './rules/sign-in.ts';
import { PAIRS, RENEWALS } from './rules/token-pairs.ts';
import { TOKEN_REQUESTS } from './rules/token-requests.ts';

const RULES: Readonly<Record<ClientRequirementId, ClientRule>> = {
  ...SIGNING_IN,
  ...CODES,
  ...TOKEN_REQUESTS,
  ...PAIRS,
  ...RENEWALS,
  ...CALLS,
  ...ERRORS,
  ...SECRETS,
  ...HABITS,
  ...REHEARSED,
};

export interface EvaluatedRequirement {
  readonly id: ClientRequirementId;
  readonly evaluation: Evaluation;
}

export interface ClientEvaluation {
  readonly evaluated: readonly EvaluatedRequirement[];
  readonly missing: readonly string[];
}

export function evaluateClient(
  { requirements }: ClientCatalogue,
  episodes: readonly Episode[],
  settings: EvaluationSettings,
): ClientEvaluation {
  const checked = episodes.filter(({ situation }) => !REHEARSALS.includes(situation));
  const exchanged = ({ grantType }: JournalEntry) => grantType === 'authorization_code';
  const needed: readonly (readonly [what: string, succeeded: (episode: Episode) => boolean])[] = [
    ['exchange of a code', (episode) => tokenRequests(episode).filter(exchanged).some(gotTokens)],
    ['refresh', (episode) => refreshes(episode).some(gotTokens)],
    ['list, assign or unassign', (episode) => operations(episode).some(({ effect }) => effect !== undefined)],
  ];
  return {
    evaluated: requirements.map(({ id, level }) => ({
      id,
      evaluation: RULES[id](level === 'observed' ? episodes : checked, settings),
    })),
    missing: needed.flatMap(([what, succeeded]) =>
      episodes.some(succeeded) ? [] : [`no ${what} that succeeded`],
    ),
  };
}

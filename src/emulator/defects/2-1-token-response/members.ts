import type { ServiceAnswer } from '../../answer.ts';
import type { Defect } from '../../defect.ts';
import { defect } from '../define-defect.ts';
import { changeResponses, type TokenResponseOf } from '../token-responses.ts';

/** A member that comes a second time, in front of the right one: most parsers take the last, some the first. */
function twice(id: string, member: string, value: unknown, onlyOf?: TokenResponseOf): Defect {
  return defect(id, (policy) =>
    changeResponses(policy, (answer: ServiceAnswer, of) =>
      onlyOf === undefined || of === onlyOf
        ? {
            ...answer,
            body: answer.body.replace('{', `{${JSON.stringify(member)}:${JSON.stringify(value)},`),
          }
        : answer,
    ),
  );
}

/** Faults that are gone once the body was parsed. */
export const members: readonly Defect[] = [
  twice('exchange-access-token-twice', 'access_token', 'of-another-grant', 'exchange'),
  twice('refresh-refresh-token-twice', 'refresh_token', 'of-another-grant', 'refresh'),
  twice('exchange-expires-in-twice', 'expires_in', 3_600, 'exchange'),
  twice('refresh-token-type-twice', 'token_type', 'mac', 'refresh'),
];

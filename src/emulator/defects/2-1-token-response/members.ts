import type { ServiceAnswer } from '../../answer.ts';
import type { Changes, Defects } from '../define-defect.ts';
import { changeResponses, type TokenResponseOf } from '../token-responses.ts';

/** Sends a member twice, the wrong one first: most parsers take the last, some the first. */
function twice(member: string, value: unknown, onlyOf?: TokenResponseOf): Changes {
  return (policy) =>
    changeResponses(policy, (answer: ServiceAnswer, of) =>
      onlyOf === undefined || of === onlyOf
        ? {
            ...answer,
            body: answer.body.replace('{', `{${JSON.stringify(member)}:${JSON.stringify(value)},`),
          }
        : answer,
    );
}

/** Faults that disappear once the body is parsed. */
export const members: Defects = {
  'exchange-access-token-twice': {
    summary: 'The response to an exchange has two members access_token.',
    breaks: ['exchange.token-response'],
    changes: twice('access_token', 'of-another-grant', 'exchange'),
  },
  'refresh-refresh-token-twice': {
    summary: 'The response to a refresh has two members refresh_token.',
    breaks: ['refresh.token-response'],
    changes: twice('refresh_token', 'of-another-grant', 'refresh'),
  },
  'exchange-expires-in-twice': {
    summary: 'The response to an exchange tells two lifetimes.',
    breaks: ['exchange.expires-in-7200'],
    changes: twice('expires_in', 3_600, 'exchange'),
  },
  'refresh-token-type-twice': {
    summary: 'The response to a refresh tells two token types.',
    breaks: ['refresh.token-type-bearer'],
    changes: twice('token_type', 'mac', 'refresh'),
  },
};

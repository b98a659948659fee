import type { ResourceOperation } from '../policy.ts';
import { refuse } from '../refusal.ts';
import {
  anybodysPair,
  findingToo,
  forbidding,
  needingNoToken,
  operating,
  refusedAndDone,
} from './at-resource-api.ts';
import { type Defects, together, whenever } from './define-defect.ts';

const MISSING = refuse('token-missing', 'no token was presented');

/** Faults that each operation can have. */
function withoutToken(operation: ResourceOperation, named: string): Defects {
  const required = `${operation}.token-required` as const;
  const meant = operating(operation);
  return {
    [`${operation}-token-optional`]: {
      summary: `${named} needs no access token.`,
      breaks: [required],
      changes: needingNoToken(meant),
    },
    [`${operation}-empty-token-accepted`]: {
      summary: `${named} is content with a header that names the scheme and holds no token.`,
      severity: 'subtle',
      breaks: [required],
      changes: needingNoToken((request) => meant(request) && request.authorization !== ''),
    },
    [`${operation}-without-token-refused-and-done`]: {
      summary:
        operation === 'list'
          ? 'A list request without a token gets the status of a refusal, and the list.'
          : `${named} without a token is answered with 401, after it was done.`,
      severity: 'subtle',
      breaks: [required],
      changes: together(
        needingNoToken(meant),
        whenever(
          'token.permits',
          (_, pair) => pair.accessToken === '',
          ({ answer }) => ({ answer: refusedAndDone(answer, () => true, MISSING) }),
        ),
      ),
    },
    [`${operation}-any-token-accepted`]: {
      summary: `${named} takes whatever is presented as a token.`,
      breaks: [`${operation}.token-invalid-refused`, 'list.refresh-token-is-no-access-token'],
      changes: findingToo((presented) => (presented === undefined ? undefined : anybodysPair()), meant),
    },
  };
}

export const defects: Defects = {
  'scope-unassign-never-allowed': {
    summary: 'Unassign needs a scope that cannot be had.',
    breaks: ['scope.granted-scopes-act'],
    changes: forbidding(
      refuse('scope-insufficient', 'unassign needs a scope that no client can be granted'),
      (operation) => operation === 'unassign',
    ),
  },

  ...withoutToken('assign', 'Assign'),
  ...withoutToken('unassign', 'Unassign'),
  ...withoutToken('list', 'The list'),

  'list-refresh-token-accepted': {
    summary: 'A refresh token does as access token.',
    breaks: ['list.refresh-token-is-no-access-token'],
    changes: findingToo((presented = '', store) => store.tokens.byRefreshToken(presented)),
  },
};

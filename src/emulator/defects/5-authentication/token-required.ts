import type { ResourceOperation } from '../../policy.ts';
import { refuse } from '../../refusal.ts';
import { METHOD, needingNoToken, operating } from '../access-tokens.ts';
import { type Changes, changed, type Defects } from '../define-defect.ts';
import { refusedAndDone } from '../refused-and-done.ts';

const MISSING = refuse('token-missing', 'no token was presented');

const lettingAnybodyIn = (operation: ResourceOperation): Changes => needingNoToken(operating(operation));

function lettingEmptyIn(operation: ResourceOperation): Changes {
  return needingNoToken(
    () =>
      ({ method, authorization }) =>
        method === METHOD[operation] && authorization !== '',
  );
}

function refusingAnybody(operation: ResourceOperation): Changes {
  return (base) => {
    const policy = changed(base, lettingAnybodyIn(operation)(base));
    let nobody = false;
    return {
      token: {
        ...policy.token,
        permits(asked, pair) {
          nobody = pair.accessToken === '';
          return policy.token.permits(asked, pair);
        },
      },
      answer: refusedAndDone(policy.answer, () => nobody, MISSING),
    };
  };
}

export const tokenRequired: Defects = {
  'assign-token-optional': {
    summary: 'Assign needs no access token.',
    severity: 'blunt',
    breaks: ['assign.token-required'],
    changes: lettingAnybodyIn('assign'),
  },
  'assign-empty-token-accepted': {
    summary: 'Assign is content with a header that names the scheme and holds no token.',
    breaks: ['assign.token-required'],
    changes: lettingEmptyIn('assign'),
  },
  'assign-without-token-refused-and-done': {
    summary: 'Assign without a token is answered with 401, after it was done.',
    breaks: ['assign.token-required'],
    changes: refusingAnybody('assign'),
  },
  'unassign-token-optional': {
    summary: 'Unassign needs no access token.',
    severity: 'blunt',
    breaks: ['unassign.token-required'],
    changes: lettingAnybodyIn('unassign'),
  },
  'unassign-empty-token-accepted': {
    summary: 'Unassign is content with a header that names the scheme and holds no token.',
    breaks: ['unassign.token-required'],
    changes: lettingEmptyIn('unassign'),
  },
  'unassign-without-token-refused-and-done': {
    summary: 'Unassign without a token is answered with 401, after it was done.',
    breaks: ['unassign.token-required'],
    changes: refusingAnybody('unassign'),
  },
  'list-token-optional': {
    summary: 'The list needs no access token.',
    severity: 'blunt',
    breaks: ['list.token-required'],
    changes: lettingAnybodyIn('list'),
  },
  'list-empty-token-accepted': {
    summary: 'The list is content with a header that names the scheme and holds no token.',
    breaks: ['list.token-required'],
    changes: lettingEmptyIn('list'),
  },
  'list-without-token-refused-and-done': {
    summary: 'The list without a token has the status of a refusal, and is there all the same.',
    breaks: ['list.token-required'],
    changes: refusingAnybody('list'),
  },
};

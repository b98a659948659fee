import type { ResourceOperation } from '../../policy.ts';
import { anybodysPair, findingToo, type Meant, operating } from '../access-tokens.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';

const COMPARED = 16;

function anyToken(operation: ResourceOperation): Changes {
  return findingToo(
    (presented) => (presented === undefined ? undefined : anybodysPair()),
    operating(operation),
  );
}

function comparing(alike: (presented: string, issued: string) => boolean, meant?: Meant): Changes {
  return findingToo((presented, store, newestFirst) => {
    const found = presented && newestFirst.find((issued) => alike(presented, issued));
    return found ? store.tokens.byAccessToken(found) : undefined;
  }, meant);
}

export const tokenChecked: Defects = {
  'assign-any-token-accepted': {
    summary: 'Assign takes whatever is presented as a token.',
    severity: 'blunt',
    breaks: ['assign.token-invalid-refused', 'list.refresh-token-is-no-access-token'],
    changes: anyToken('assign'),
  },
  'unassign-any-token-accepted': {
    summary: 'Unassign takes whatever is presented as a token.',
    severity: 'blunt',
    breaks: ['unassign.token-invalid-refused', 'list.refresh-token-is-no-access-token'],
    changes: anyToken('unassign'),
  },
  'list-any-token-accepted': {
    summary: 'The list takes whatever is presented as a token.',
    severity: 'blunt',
    breaks: ['list.token-invalid-refused', 'list.refresh-token-is-no-access-token'],
    changes: anyToken('list'),
  },

  'resource-token-in-any-case': {
    summary: 'Access tokens are looked up without regard to letter case.',
    breaks: ['assign.token-invalid-refused', 'unassign.token-invalid-refused', 'list.token-invalid-refused'],
    changes: comparing((presented, issued) => presented.toLowerCase() === issued.toLowerCase()),
  },
  'resource-token-first-sixteen-characters': {
    summary: 'Access tokens are looked up by their first sixteen characters.',
    breaks: ['assign.token-invalid-refused', 'unassign.token-invalid-refused', 'list.token-invalid-refused'],
    changes: comparing(
      (presented, issued) =>
        presented.length >= COMPARED && presented.slice(0, COMPARED) === issued.slice(0, COMPARED),
    ),
  },
  'resource-token-with-more-behind': {
    summary: 'What follows an access token does not count.',
    breaks: ['assign.token-invalid-refused', 'unassign.token-invalid-refused', 'list.token-invalid-refused'],
    changes: comparing((presented, issued) => presented.startsWith(issued)),
  },

  'list-token-without-its-end': {
    summary: 'The list takes an access token whose end is missing.',
    breaks: ['list.token-invalid-refused'],
    changes: comparing(
      (presented, issued) => presented.length > COMPARED && issued.startsWith(presented),
      operating('list'),
    ),
  },

  'list-refresh-token-accepted': {
    summary: 'A refresh token does as access token.',
    severity: 'blunt',
    breaks: ['list.refresh-token-is-no-access-token'],
    changes: findingToo((presented = '', store) => store.tokens.byRefreshToken(presented)),
  },
  'list-used-code-accepted': {
    summary: 'A code that was exchanged does as access token.',
    breaks: ['list.refresh-token-is-no-access-token'],
    changes: findingToo((presented = '', store) => store.codes.get(presented)?.grant.latest),
  },

  'resource-revoked-token-accepted': {
    summary: 'The resource API does not ask whether an access token was revoked.',
    breaks: ['exchange.code-replay-revokes'],
    changes: changing('token.check', (base) => (pair, now) => {
      const dead = base(pair, now);
      return dead?.refused === 'token-revoked' ? undefined : dead;
    }),
  },
};

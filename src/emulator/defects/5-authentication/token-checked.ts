import type { ResourceOperation } from '../../policy.ts';
import type { IssuedPair } from '../../records.ts';
import { isRefusal } from '../../refusal.ts';
import type { Store } from '../../store.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';
import { issuedValues } from '../token-responses.ts';
import { anybodysPair, METHOD } from './anybody.ts';

const COMPARED = 16;

function anyToken(operation: ResourceOperation): Changes {
  return ({ token }) => {
    let here = false;
    return {
      token: {
        presented(request) {
          here = request.method === METHOD[operation];
          return token.presented(request);
        },
        find(presented, store) {
          const found = token.find(presented, store);
          return here && isRefusal(found) && found.refused === 'token-unknown' ? anybodysPair() : found;
        },
      },
    };
  };
}

function comparing(alike: (presented: string, issued: string) => boolean, only?: ResourceOperation): Changes {
  return ({ token }) => {
    const access = issuedValues(token, 'access');
    let here = false;
    return {
      token: {
        value: access.value,
        presented(request) {
          here = only === undefined || request.method === METHOD[only];
          return token.presented(request);
        },
        find(presented, store) {
          const found = token.find(presented, store);
          if (!here || presented === undefined || !isRefusal(found)) return found;
          const meant = access.newestFirst().find((issued) => alike(presented, issued));
          return meant === undefined ? found : token.find(meant, store);
        },
      },
    };
  };
}

function findingBy(find: (presented: string, store: Store) => IssuedPair | undefined): Changes {
  return changing('token.find', (base) => (presented, store) => {
    const found = base(presented, store);
    return presented !== undefined && isRefusal(found) ? (find(presented, store) ?? found) : found;
  });
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
    changes: comparing((presented, issued) => {
      return presented.toLowerCase() === issued.toLowerCase();
    }),
  },
  'resource-token-first-sixteen-characters': {
    summary: 'Access tokens are looked up by their first sixteen characters.',
    breaks: ['assign.token-invalid-refused', 'unassign.token-invalid-refused', 'list.token-invalid-refused'],
    changes: comparing((presented, issued) => {
      return presented.length >= COMPARED && presented.slice(0, COMPARED) === issued.slice(0, COMPARED);
    }),
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
      'list',
    ),
  },

  'list-refresh-token-accepted': {
    summary: 'A refresh token does as access token.',
    severity: 'blunt',
    breaks: ['list.refresh-token-is-no-access-token'],
    changes: findingBy((presented, store) => store.tokens.byRefreshToken(presented)),
  },
  'list-used-code-accepted': {
    summary: 'A code that was exchanged does as access token.',
    breaks: ['list.refresh-token-is-no-access-token'],
    changes: findingBy((presented, store) => store.codes.get(presented)?.grant.latest),
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

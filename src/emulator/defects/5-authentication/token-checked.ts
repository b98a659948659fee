import type { Defect } from '../../defect.ts';
import type { ResourceOperation } from '../../policy.ts';
import type { IssuedPair } from '../../records.ts';
import { isRefusal } from '../../refusal.ts';
import type { Store } from '../../store.ts';
import { defect } from '../define-defect.ts';
import { issuedValues } from '../token-responses.ts';
import { anybodysPair, METHOD } from './anybody.ts';

/** Characters of an access token that are compared. */
const COMPARED = 16;

/** A defect that takes whatever token is presented with one operation. */
function anyToken(operation: ResourceOperation): Defect {
  return defect(`${operation}-any-token-accepted`, ({ token }) => {
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
  });
}

/** A defect that compares access tokens carelessly, with every operation or with one. */
function comparing(
  id: string,
  alike: (presented: string, issued: string) => boolean,
  only?: ResourceOperation,
): Defect {
  return defect(id, ({ token }) => {
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
  });
}

/** A defect that finds a pair by what is no access token. */
function findingBy(id: string, find: (presented: string, store: Store) => IssuedPair | undefined): Defect {
  return defect(id, ({ token }) => ({
    token: {
      find(presented, store) {
        const found = token.find(presented, store);
        return presented !== undefined && isRefusal(found) ? (find(presented, store) ?? found) : found;
      },
    },
  }));
}

/** Faults in telling access tokens from what are none, or none any more. */
export const tokenChecked: readonly Defect[] = [
  anyToken('assign'),
  anyToken('unassign'),
  anyToken('list'),

  comparing('resource-token-in-any-case', (presented, issued) => {
    return presented.toLowerCase() === issued.toLowerCase();
  }),
  comparing('resource-token-first-sixteen-characters', (presented, issued) => {
    return presented.length >= COMPARED && presented.slice(0, COMPARED) === issued.slice(0, COMPARED);
  }),
  comparing('resource-token-with-more-behind', (presented, issued) => presented.startsWith(issued)),

  comparing(
    'list-token-without-its-end',
    (presented, issued) => presented.length > COMPARED && issued.startsWith(presented),
    'list',
  ),

  findingBy('list-refresh-token-accepted', (presented, store) => store.tokens.byRefreshToken(presented)),
  findingBy('list-used-code-accepted', (presented, store) => store.codes.get(presented)?.grant.latest),

  defect('resource-revoked-token-accepted', ({ token }) => ({
    token: {
      check(pair, now) {
        const dead = token.check(pair, now);
        return dead?.refused === 'token-revoked' ? undefined : dead;
      },
    },
  })),
];

import { headerOf, withHeader } from '../../../../src/emulator/answer.ts';
import type { Defect } from '../../../../src/emulator/defect.ts';
import { defect } from '../../../../src/emulator/defects/define-defect.ts';
import type { AnswerPolicy, AuthorizationOutcome } from '../../../../src/emulator/policy.ts';
import { parseScopes, scopeSet } from '../../../../src/emulator/scopes.ts';
import { everyNth } from '../tools/every-nth.ts';

/** Redirects with a code of which every n-th is changed. */
function everyNthRedirect(
  id: string,
  n: number,
  change: (answer: AnswerPolicy, outcome: AuthorizationOutcome) => ReturnType<AnswerPolicy['authorization']>,
): Defect {
  return defect(id, ({ answer }) => {
    const now = everyNth(n);
    return {
      answer: {
        authorization: (outcome) =>
          outcome.parameters.some(([name]) => name === 'code') && now()
            ? change(answer, outcome)
            : answer.authorization(outcome),
      },
    };
  });
}

/** Faults of the authorization request that show in one of many requests. */
export const authorizations: readonly Defect[] = [
  everyNthRedirect('authorize-every-twentieth-code-empty', 20, (answer, outcome) =>
    answer.authorization({ ...outcome, parameters: [['code', '']] }),
  ),

  everyNthRedirect('authorize-every-twenty-eighth-without-code', 28, (answer, outcome) =>
    answer.authorization({ ...outcome, parameters: [] }),
  ),

  defect('authorize-every-ninth-code-with-bare-ampersand', ({ code, answer }) => {
    const now = everyNth(9);
    return {
      code: {
        value(randomness) {
          const value = code.value(randomness);
          return now() ? `${value.slice(0, 20)}&${value.slice(20)}` : value;
        },
      },
      answer: {
        authorization(outcome) {
          const redirect = answer.authorization(outcome);
          const location = headerOf(redirect, 'Location') ?? '';
          return withHeader(redirect, 'Location', location.replace(/([?&]code=[^&]*?)%26/, '$1&'));
        },
      },
    };
  }),

  defect('authorize-every-seventh-redirect-unverified', ({ authorize, answer }) => {
    const now = everyNth(7);
    const waved = new Set<string>();
    let asking = false;
    return {
      answer: {
        method(method) {
          asking = answer.method(method) === 'GET';
          return answer.method(method);
        },
      },
      authorize: {
        redirectUri(request, application) {
          const unverified = asking && now();
          const known = authorize.redirectUri(request, application);
          const { redirectUri } = request;
          if (typeof known === 'string' || redirectUri === undefined) return known;
          if (unverified) waved.add(redirectUri);
          return unverified || (!asking && waved.has(redirectUri)) ? redirectUri : known;
        },
      },
    };
  }),

  defect('authorize-every-sixth-unknown-scope-accepted', ({ authorize, answer }) => {
    const now = everyNth(6);
    const waved = new Set<string>();
    let asking = false;
    return {
      answer: {
        method(method) {
          asking = answer.method(method) === 'GET';
          return answer.method(method);
        },
      },
      authorize: {
        scopes(request) {
          const known = authorize.scopes(request);
          const { scope } = request;
          if (!('refused' in known) || known.refused !== 'scope-unknown' || scope === undefined) return known;
          const accepted = asking ? now() : waved.has(scope);
          if (accepted) waved.add(scope);
          return accepted ? (parseScopes(knownWords(scope)) ?? scopeSet(['read'])) : known;
        },
      },
    };
  }),
];

/** The words of a scope value that are scopes; `read` when none is. */
function knownWords(scope: string): string {
  const words = scope.split(' ').filter((word) => parseScopes(word) !== undefined);
  return words.join(' ') || 'read';
}

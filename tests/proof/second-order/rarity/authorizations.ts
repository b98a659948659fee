import { withHeader } from '../../../../src/emulator/answer.ts';
import type { Changes } from '../../../../src/emulator/defects/define-defect.ts';
import type { AnswerPolicy, AuthorizationOutcome } from '../../../../src/emulator/policy/policy.ts';
import { parseScopes, scopeSet } from '../../../../src/emulator/store/scopes.ts';
import { headerOf } from '../../../../src/http/exchange.ts';
import type { SecondOrderDefects } from '../define-second-order.ts';
import { everyNth } from '../tools/every-nth.ts';

/** Redirects with a code of which every n-th is changed. */
function everyNthRedirect(
  n: number,
  change: (answer: AnswerPolicy, outcome: AuthorizationOutcome) => ReturnType<AnswerPolicy['authorization']>,
): Changes {
  return ({ answer }) => {
    const now = everyNth(n);
    return {
      answer: {
        authorization: (outcome) =>
          outcome.parameters.some(([name]) => name === 'code') && now()
            ? change(answer, outcome)
            : answer.authorization(outcome),
      },
    };
  };
}

/** Faults of the authorization request that show in one of many requests. */
export const authorizations: SecondOrderDefects = {
  'authorize-every-twentieth-code-empty': {
    summary: 'Every 20th redirect has an empty code.',
    breaks: ['authorize.redirects-with-code'],
    changes: everyNthRedirect(20, (answer, outcome) =>
      answer.authorization({ ...outcome, parameters: [['code', '']] }),
    ),
  },

  'authorize-every-twenty-eighth-without-code': {
    summary: 'Every 28th redirect has no code.',
    breaks: ['authorize.redirects-with-code'],
    changes: everyNthRedirect(28, (answer, outcome) => answer.authorization({ ...outcome, parameters: [] })),
  },

  'authorize-every-ninth-code-with-bare-ampersand': {
    summary:
      'Every 9th code holds an ampersand that the redirect does not encode, so that the client reads a part of it.',
    // The client reads another code than the issued one (2.2), so that its rightful exchange is refused.
    breaks: ['authorize.redirects-with-code', 'exchange.form-encoded'],
    changes: ({ code, answer }) => {
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
    },
  },

  'authorize-every-seventh-redirect-unverified': {
    summary: 'Every 7th authorization request does not verify the redirect_uri.',
    breaks: [
      'authorize.redirect-uri-authorized',
      'authorize.bad-redirect-uri-not-followed',
      'authorize.redirect-uri-exact',
    ],
    changes: ({ authorize, answer }) => {
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
    },
  },

  'authorize-every-sixth-unknown-scope-accepted': {
    summary: 'Every 6th request with an unknown scope is accepted.',
    breaks: ['authorize.scope-unknown-refused'],
    changes: ({ authorize, answer }) => {
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
            if (!('refused' in known) || known.refused !== 'scope-unknown' || scope === undefined)
              return known;
            const accepted = asking ? now() : waved.has(scope);
            if (accepted) waved.add(scope);
            return accepted ? (parseScopes(knownWords(scope)) ?? scopeSet(['read'])) : known;
          },
        },
      };
    },
  },
};

/** The words of a scope value that are scopes; `read` when none is. */
function knownWords(scope: string): string {
  const words = scope.split(' ').filter((word) => parseScopes(word) !== undefined);
  return words.join(' ') || 'read';
}

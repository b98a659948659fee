import { refuse } from '../../refusal.ts';
import { ALL_SCOPES, formatScopes, parseScopes } from '../../scopes.ts';
import type { Changes, Defects } from '../define-defect.ts';

function carrying(more: (code: string) => readonly [name: string, value: string]): Changes {
  return ({ answer }) => ({
    answer: {
      authorization(outcome) {
        const code = outcome.parameters.find(([name]) => name === 'code')?.[1];
        if (code === undefined) return answer.authorization(outcome);
        return answer.authorization({ ...outcome, parameters: [...outcome.parameters, more(code)] });
      },
    },
  });
}

export const spellings: Defects = {
  'authorize-code-beside-error': {
    summary: 'The redirect with a code has an empty parameter error too.',
    severity: 'subtle',
    breaks: ['authorize.redirects-with-code'],
    changes: carrying(() => ['error', '']),
  },
  'authorize-code-twice': {
    summary: 'The code comes twice in the redirect.',
    severity: 'subtle',
    breaks: ['authorize.redirects-with-code'],
    changes: carrying((code) => ['code', code]),
  },
  'authorize-code-beside-token': {
    summary: 'The redirect with a code has a parameter access_token too.',
    severity: 'subtle',
    breaks: ['authorize.redirects-with-code'],
    changes: carrying((code) => ['access_token', code]),
  },

  'authorize-needless-encoding-refused': {
    summary: 'Percent-encoded characters that need no encoding are lost.',
    severity: 'subtle',
    breaks: ['authorize.redirects-with-code'],
    changes: ({ authorize }) => ({
      authorize: {
        parameters: (query) => authorize.parameters(query.replace(/%(2D|2E|5F)/gi, '')),
      },
    }),
  },

  'authorize-state-decoded-twice': {
    summary: 'A state is decoded once more than it was encoded, where that can be done.',
    severity: 'subtle',
    breaks: ['authorize.state-echoed'],
    changes: ({ answer }) => ({
      answer: {
        authorization: (outcome) => answer.authorization({ ...outcome, state: decoded(outcome.state) }),
      },
    }),
  },

  'authorize-percent20-first-scope-alone': {
    summary: 'Of scopes with an encoded space between them the first alone is granted.',
    severity: 'subtle',
    breaks: ['authorize.scope-percent20'],
    changes: ({ authorize }) => {
      let encoded = false;
      return {
        authorize: {
          parameters(query) {
            encoded = /[?&]?scope=[^&]*%20/.test(query);
            return authorize.parameters(query);
          },
          scopes(request) {
            const scopes = authorize.scopes(request);
            if (!encoded || 'refused' in scopes) return scopes;
            return parseScopes(request.scope?.split(' ')[0] ?? '') ?? scopes;
          },
        },
      };
    },
  },

  'authorize-three-scopes-in-one-order': {
    summary: 'All three scopes are granted in the order of the table alone.',
    severity: 'subtle',
    breaks: ['authorize.scope-combined'],
    changes: ({ authorize }) => ({
      authorize: {
        scopes(request) {
          const scopes = authorize.scopes(request);
          if ('refused' in scopes || scopes.length < 3 || request.scope === formatScopes(ALL_SCOPES))
            return scopes;
          return refuse('scope-unknown', `not granted in this order: ${request.scope}`, 'scope');
        },
      },
    }),
  },

  'authorize-single-scope-never-asked': {
    summary: 'The user is not asked when a client wants the scope write alone.',
    severity: 'subtle',
    breaks: ['authorize.grant-needed'],
    changes: ({ authorize }) => ({
      authorize: {
        consentNeeded: (question, granted) =>
          String(question.scopes) !== 'write' && authorize.consentNeeded(question, granted),
      },
    }),
  },
};

function decoded(state: string | undefined): string | undefined {
  if (state === undefined) return undefined;
  try {
    return decodeURIComponent(state);
  } catch {
    return state;
  }
}

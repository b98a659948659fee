import { refuse } from '../../refusal.ts';
import { ALL_SCOPES, formatScopes, parseScopes } from '../../scopes.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';
import { redirecting } from '../redirecting.ts';

function carrying(more: (code: string) => readonly [name: string, value: string]): Changes {
  return redirecting((outcome) => {
    const code = outcome.parameters.find(([name]) => name === 'code')?.[1];
    return code === undefined ? outcome : { ...outcome, parameters: [...outcome.parameters, more(code)] };
  });
}

export const spellings: Defects = {
  'authorize-code-beside-error': {
    summary: 'The redirect with a code has an empty parameter error too.',
    breaks: ['authorize.redirects-with-code'],
    changes: carrying(() => ['error', '']),
  },
  'authorize-code-twice': {
    summary: 'The code comes twice in the redirect.',
    breaks: ['authorize.redirects-with-code'],
    changes: carrying((code) => ['code', code]),
  },
  'authorize-code-beside-token': {
    summary: 'The redirect with a code has a parameter access_token too.',
    breaks: ['authorize.redirects-with-code'],
    changes: carrying((code) => ['access_token', code]),
  },

  'authorize-needless-encoding-refused': {
    summary: 'Percent-encoded characters that need no encoding are lost.',
    breaks: ['authorize.redirects-with-code'],
    changes: changing('authorize.parameters', (base) => (query) => base(query.replace(/%(2D|2E|5F)/gi, ''))),
  },

  'authorize-state-decoded-twice': {
    summary: 'A state is decoded once more than it was encoded, where that can be done.',
    breaks: ['authorize.state-echoed'],
    changes: redirecting((outcome) => ({ ...outcome, state: decoded(outcome.state) })),
  },

  'authorize-percent20-first-scope-alone': {
    summary: 'Of scopes with an encoded space between them the first alone is granted.',
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
    breaks: ['authorize.scope-combined'],
    changes: changing('authorize.scopes', (base) => (request) => {
      const scopes = base(request);
      if ('refused' in scopes || scopes.length < 3 || request.scope === formatScopes(ALL_SCOPES))
        return scopes;
      return refuse('scope-unknown', `not granted in this order: ${request.scope}`, 'scope');
    }),
  },

  'authorize-single-scope-never-asked': {
    summary: 'The user is not asked when a client wants the scope write alone.',
    breaks: ['authorize.grant-needed'],
    changes: changing(
      'authorize.consentNeeded',
      (base) => (question, granted) => String(question.scopes) !== 'write' && base(question, granted),
    ),
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

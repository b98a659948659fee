import type { Defect } from '../../defect.ts';
import { refuse } from '../../refusal.ts';
import { ALL_SCOPES, formatScopes, parseScopes } from '../../scopes.ts';
import { defect } from '../define-defect.ts';

/** A redirect with a code that carries more than the code. */
function carrying(id: string, more: (code: string) => readonly [name: string, value: string]): Defect {
  return defect(id, ({ answer }) => ({
    answer: {
      authorization(outcome) {
        const code = outcome.parameters.find(([name]) => name === 'code')?.[1];
        if (code === undefined) return answer.authorization(outcome);
        return answer.authorization({ ...outcome, parameters: [...outcome.parameters, more(code)] });
      },
    },
  }));
}

/** Faults that one spelling of the request, or one part of the redirect, shows. */
export const spellings: readonly Defect[] = [
  carrying('authorize-code-beside-error', () => ['error', '']),
  carrying('authorize-code-twice', (code) => ['code', code]),
  carrying('authorize-code-beside-token', (code) => ['access_token', code]),

  defect('authorize-needless-encoding-refused', ({ authorize }) => ({
    authorize: {
      parameters: (query) => authorize.parameters(query.replace(/%(2D|2E|5F)/gi, '')),
    },
  })),

  defect('authorize-state-decoded-twice', ({ answer }) => ({
    answer: {
      authorization: (outcome) => answer.authorization({ ...outcome, state: decoded(outcome.state) }),
    },
  })),

  defect('authorize-percent20-first-scope-alone', ({ authorize }) => {
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
  }),

  defect('authorize-three-scopes-in-one-order', ({ authorize }) => ({
    authorize: {
      scopes(request) {
        const scopes = authorize.scopes(request);
        if ('refused' in scopes || scopes.length < 3 || request.scope === formatScopes(ALL_SCOPES))
          return scopes;
        return refuse('scope-unknown', `not granted in this order: ${request.scope}`, 'scope');
      },
    },
  })),

  defect('authorize-single-scope-never-asked', ({ authorize }) => ({
    authorize: {
      consentNeeded: (question, granted) =>
        String(question.scopes) !== 'write' && authorize.consentNeeded(question, granted),
    },
  })),
];

function decoded(state: string | undefined): string | undefined {
  if (state === undefined) return undefined;
  try {
    return decodeURIComponent(state);
  } catch {
    return state;
  }
}

import { headerOf, withHeader } from '../../answer.ts';
import type { Defect } from '../../defect.ts';
import type { AuthorizationOutcome } from '../../policy.ts';
import { defect } from '../define-defect.ts';

/** Characters that a text column has where nobody thought of its length. */
const COLUMN = 255;

/** Characters that a header or a cookie has where its length was thought of once. */
const LONG_COLUMN = 512;

/** A `state` that comes back beside the code as something else. */
function returning(id: string, change: (state: string) => string | undefined): Defect {
  return defect(id, ({ answer }) => ({
    answer: { authorization: (outcome) => answer.authorization(withState(outcome, change)) },
  }));
}

/** A `state` that comes back with a denial as something else. */
function returningOnDenial(id: string, change: (state: string) => string | undefined): Defect {
  return defect(id, ({ answer }) => ({
    answer: {
      authorizeFailure: (refusal, request, redirectUri) =>
        answer.authorizeFailure(
          refusal,
          refusal.refused === 'access-denied' ? withState(request, change) : request,
          redirectUri,
        ),
    },
  }));
}

function withState<T extends Pick<AuthorizationOutcome, 'state'>>(
  { state, ...rest }: T,
  change: (state: string) => string | undefined,
): Omit<T, 'state'> & { readonly state?: string } {
  const changed = state === undefined ? undefined : change(state);
  return { ...rest, state: changed };
}

/** Faults in giving `state` back (RFC 6749 sections 4.1.2 and 4.1.2.1). */
export const states: readonly Defect[] = [
  returning('authorize-state-dropped', () => undefined),

  returning('authorize-state-encoded-twice', (state) => encodeURIComponent(state)),

  returning('authorize-state-plus-lost', (state) => state.replaceAll('+', ' ')),

  defect('authorize-state-long-refused', ({ answer }) => ({
    answer: {
      authorization(outcome) {
        const refused = (outcome.state ?? '').length > COLUMN && outcome.parameters[0]?.[0] === 'code';
        return answer.authorization(
          refused ? { ...outcome, parameters: [['error', 'server_error']] } : outcome,
        );
      },
    },
  })),

  returning('authorize-state-zero-dropped', (state) => (state === '0' ? undefined : state)),

  returning('authorize-state-cut', (state) => state.slice(0, COLUMN)),

  returning('authorize-state-cut-late', (state) => state.slice(0, LONG_COLUMN)),

  returning('authorize-state-markup-stripped', (state) => state.replace(/[<>]/g, '')),

  returning('authorize-state-escaped', (state) => state.replaceAll('&', '&amp;')),

  returning('authorize-state-backslash-lost', (state) => state.replaceAll('\\', '')),

  returning('authorize-state-trimmed', (state) => state.trim()),

  defect('authorize-state-twice', ({ answer }) => ({
    answer: {
      authorization(outcome) {
        const redirect = answer.authorization(outcome);
        if (outcome.state === undefined) return redirect;
        const state = encodeURIComponent(outcome.state);
        return withHeader(redirect, 'Location', `${headerOf(redirect, 'Location')}&state=${state}`);
      },
    },
  })),

  returningOnDenial('authorize-state-dropped-on-denial', () => undefined),

  returningOnDenial('authorize-state-encoded-twice-on-denial', (state) => encodeURIComponent(state)),

  returningOnDenial('authorize-state-cut-on-denial', (state) => state.slice(0, COLUMN)),

  returningOnDenial('authorize-state-zero-dropped-on-denial', (state) => (state === '0' ? undefined : state)),
];

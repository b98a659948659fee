import type { AuthorizationOutcome } from '../../policy.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';
import { redirecting } from '../redirecting.ts';

export function returning(change: (state: string) => string | undefined): Changes {
  return redirecting((outcome) => withState(outcome, change));
}

export function returningOnDenial(change: (state: string) => string | undefined): Changes {
  return changing(
    'answer.authorizeFailure',
    (base) => (refusal, request, redirectUri) =>
      base(refusal, refusal.refused === 'access-denied' ? withState(request, change) : request, redirectUri),
  );
}

function withState<T extends Pick<AuthorizationOutcome, 'state'>>(
  { state, ...rest }: T,
  change: (state: string) => string | undefined,
): Omit<T, 'state'> & { readonly state?: string } {
  const changed = state === undefined ? undefined : change(state);
  return { ...rest, state: changed };
}

export const states: Defects = {
  'authorize-state-dropped': {
    summary: 'A state does not come back beside the code.',
    breaks: ['authorize.state-echoed'],
    changes: returning(() => undefined),
  },

  'authorize-state-dropped-on-denial': {
    summary: 'A state does not come back when the user denies.',
    reference: 'thephpleague/oauth2-server#597',
    breaks: ['authorize.state-echoed-on-denial'],
    changes: returningOnDenial(() => undefined),
  },
};

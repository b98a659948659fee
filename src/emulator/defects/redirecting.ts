import { headerOf, type ServiceAnswer, withHeader } from '../answer.ts';
import type { AuthorizationOutcome } from '../policy.ts';
import { type Changes, changing } from './define-defect.ts';

export function redirecting(change: (outcome: AuthorizationOutcome) => AuthorizationOutcome): Changes {
  return changing('answer.authorization', (base) => (outcome) => base(change(outcome)));
}

export function relocating(change: (address: string, outcome: AuthorizationOutcome) => string): Changes {
  return changing(
    'answer.authorization',
    (base) => (outcome) => relocated(base(outcome), (address) => change(address, outcome)),
  );
}

export function relocated(redirect: ServiceAnswer, change: (address: string) => string): ServiceAnswer {
  return withHeader(redirect, 'Location', change(headerOf(redirect, 'Location') ?? ''));
}

export function denyingWith(parameters: () => AuthorizationOutcome['parameters']): Changes {
  return ({ answer }) => ({
    answer: {
      authorizeFailure(refusal, request, redirectUri) {
        if (refusal.refused !== 'access-denied' || redirectUri === undefined)
          return answer.authorizeFailure(refusal, request, redirectUri);
        return answer.authorization({ redirectUri, parameters: parameters(), state: request.state });
      },
    },
  });
}

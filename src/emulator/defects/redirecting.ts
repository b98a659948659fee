import { headerOf, type ServiceAnswer, withHeader } from '../answer.ts';
import type { AuthorizationOutcome } from '../policy.ts';
import { type Changes, changing } from './define-defect.ts';

export function redirecting(change: (outcome: AuthorizationOutcome) => AuthorizationOutcome): Changes {
  return changing('answer.authorization', (base) => (outcome) => base(change(outcome)));
}

export function relocated(redirect: ServiceAnswer, change: (address: string) => string): ServiceAnswer {
  return withHeader(redirect, 'Location', change(headerOf(redirect, 'Location') ?? ''));
}

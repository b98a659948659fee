import { relocated } from '../../../src/emulator/defects/4-1-authorization-request.ts';
import { type Changes, changing } from '../../../src/emulator/defects/define-defect.ts';
import type { AuthorizationOutcome } from '../../../src/emulator/policy/policy.ts';

export function relocating(change: (address: string, outcome: AuthorizationOutcome) => string): Changes {
  return changing(
    'answer.authorization',
    (base) => (outcome) => relocated(base(outcome), (address) => change(address, outcome)),
  );
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

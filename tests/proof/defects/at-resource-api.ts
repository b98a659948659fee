import { type Changes, changed, type PolicyChanges } from '../../../src/emulator/defects/define-defect.ts';
import type { Policy, TokenPolicy } from '../../../src/emulator/policy/policy.ts';

/** Distinguishes the access tokens of a grant's second and later refreshes from the others. */
/** Milliseconds for which a racing defect pauses: enough for simultaneous requests to meet. */
export const RACE_MS = 5;

export function afterFirstRefresh(
  changes: (policy: Policy, isLater: (accessToken: string) => boolean) => PolicyChanges,
): Changes {
  return (base) => {
    const later = new Set<string>();
    const value: TokenPolicy['value'] = (kind, randomness, previous) => {
      const fresh = base.token.value(kind, randomness, previous);
      if (kind === 'access' && previous?.refreshed) later.add(fresh);
      return fresh;
    };
    const policy = changed(base, { token: { value } });
    return changed(
      policy,
      changes(policy, (accessToken) => later.has(accessToken)),
    );
  };
}

import type { Policy } from '../policy.ts';
import type { WholeProfile } from '../profile.ts';
import { answerPolicy } from './answer.ts';
import { assignmentsPolicy } from './assignments.ts';
import { authorizePolicy } from './authorize.ts';
import { clientPolicy } from './client.ts';
import { codePolicy } from './code.ts';
import { withWorkarounds } from './departures.ts';
import { lifetimePolicy } from './lifetime.ts';
import { refreshPolicy } from './refresh.ts';
import { tokenPolicy } from './token.ts';

/** Creates a policy that follows the document, with the profile's answers to open points and its declared departures. */
export function policyFromProfile({ answers, departures }: WholeProfile): Policy {
  const policy: Policy = {
    authorize: authorizePolicy(answers),
    code: codePolicy(answers),
    client: clientPolicy(answers),
    token: tokenPolicy(answers),
    refresh: refreshPolicy(answers),
    lifetime: lifetimePolicy(answers),
    assignments: assignmentsPolicy(),
    answer: answerPolicy(answers),
  };
  return withWorkarounds(policy, departures);
}

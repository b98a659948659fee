import { encodeId } from '../../flow/requests.ts';
import { isWordOnTheUser } from '../../flow/settings/users.ts';
import type { Target } from '../../targets/target.ts';
import type { CheckOutcome } from '../run-check.ts';

/** Returns a configured user, other than the first, whom the service refused to assign; otherwise undefined. */
export function refusedUser({ result }: CheckOutcome, { users }: Target): string | undefined {
  const refused = result.evidence.flatMap((entry) =>
    entry.kind === 'exchange' && entry.request.method === 'PUT' && isWordOnTheUser(entry.response?.status)
      ? [new URL(entry.request.url).pathname]
      : [],
  );
  return users.slice(1).find((user) => refused.some((path) => path.endsWith(`/${encodeId(user)}`)));
}

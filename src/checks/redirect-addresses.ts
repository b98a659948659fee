import type { AuthorizeOutcome } from '../agent/user-agent.ts';
import { isClientAddress } from '../targets/redirect-address.ts';
import { ConformanceFailure } from './outcome.ts';

export function expectNoDelivery(
  outcome: AuthorizeOutcome,
  address: string,
  authorized: readonly [string, ...string[]],
): void {
  const { caught } = outcome;
  if (caught === undefined) return;
  const [reached] = caught.url.split(/[?#]/);
  if (authorized.some((uri) => uri.split('?')[0] === reached)) return;
  if (!isClientAddress(caught.url, [address], [])) return;
  throw new ConformanceFailure(
    'no redirect to an address that is not authorized',
    `a redirect to ${reached}`,
  );
}

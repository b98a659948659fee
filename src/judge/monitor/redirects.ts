import { isLoopback } from '../../document/input/loopback.ts';

/**
 * Classifies a difference between redirect addresses: undefined for none, `near` if only RFC 9700 forbids it, `open`
 * for a loopback port (undocumented), else `other`.
 */
export function redirectMismatch(address: string, wanted: string): 'near' | 'open' | 'other' | undefined {
  if (address === wanted) return undefined;
  if (!URL.canParse(address) || !URL.canParse(wanted)) return 'other';
  const [one, other] = [new URL(address), new URL(wanted)];
  if (isLoopback(one.hostname) && one.hostname === other.hostname && one.port !== other.port) return 'open';
  if (one.origin !== other.origin || one.username !== other.username || one.password !== other.password)
    return 'other';
  const path = (url: URL) => url.pathname.replace(/\/$/, '').toLowerCase();
  return path(one) === path(other) ? 'near' : 'other';
}

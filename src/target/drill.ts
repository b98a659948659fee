import { didYouMean, UsageError } from '../document/input/usage-error.ts';
import { isListRequest, isTokenRequest, jsonOf, type Transport } from '../http/exchange.ts';
import type { Target } from './target.ts';

export const DRILL_VARIABLE = 'LEGACY_CONFORMANCE_DRILL';

const DRILLS = ['expires-in', 'assign-hidden'] as const;

/** A change to the answers that the suite receives. It shows that a pipeline turns red: the service is not involved. */
export type Drill = (typeof DRILLS)[number];

/** Returns the drill of `LEGACY_CONFORMANCE_DRILL`; undefined if it is empty or not set. @throws UsageError for an unknown name */
export function drillIn(env: Readonly<Record<string, string | undefined>>): Drill | undefined {
  const value = env[DRILL_VARIABLE];
  if (!value) return undefined;
  const drill = DRILLS.find((one) => one === value);
  if (drill !== undefined) return drill;
  const expected = `expected ${DRILLS.join(' or ')}, or no value`;
  throw new UsageError(
    `${DRILL_VARIABLE}: ${expected}; got ${JSON.stringify(value)}.${didYouMean(value, DRILLS)}`,
  );
}

export function stamped(name: string, drill: Drill | undefined): string {
  return drill === undefined ? name : `DRILL ${drill}: ${name}`;
}

export function isStamped(name: string): boolean {
  return name.startsWith('DRILL ');
}

/** Returns why a run with a drill never conforms; nothing without a drill. */
export function drillTrouble(
  drill: Drill | undefined,
): readonly { readonly kind: 'inconclusive'; readonly message: string }[] {
  return drill === undefined ? [] : [{ kind: 'inconclusive', message: drillWords(drill) }];
}

export function drillWords(drill: Drill): string {
  return `DRILL ${drill}: the suite changed what it received (${DRILL_VARIABLE}), so this run proves nothing`;
}

export function drilled(target: Target, drill: Drill | undefined): Target {
  if (drill === undefined) return target;
  // A smoke run assigns the user of the lock alone.
  const own = target.lock === undefined ? target.users : [...target.users, target.lock.user];
  const change = drill === 'expires-in' ? withOtherLifetime : withoutOwnUsers(own);
  const transport: Transport = async (request, signal) => {
    const response = await target.transport(request, signal);
    const concerned = drill === 'expires-in' ? isTokenRequest(request) : isListRequest(request);
    const json = concerned ? jsonOf(response) : undefined;
    if (json === undefined) return response;
    const body = JSON.stringify(change(json));
    return { ...response, body, bytes: Buffer.byteLength(body) };
  };
  return { ...target, name: stamped(target.name, drill), transport };
}

/** Adds a second to `expires_in`. */
function withOtherLifetime(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || !('expires_in' in json)) return json;
  return { ...json, expires_in: Number(json.expires_in) + 1 };
}

/** Removes entries of the suite's own users from every array: ids as they are, or a member with such a value. */
function withoutOwnUsers(users: readonly string[]): (json: unknown) => unknown {
  const isOwn = (value: unknown): boolean =>
    typeof value === 'object' && value !== null
      ? !Array.isArray(value) && Object.values(value).some(isOwn)
      : users.includes(String(value));
  const kept = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((one) => !isOwn(one)).map(kept);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, kept(member)]));
  };
  return kept;
}

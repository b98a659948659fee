import type { RequirementId } from '../../../generated/ids.ts';
import type { Difference } from '../../report/facts.ts';

/** A request that a service must honour. */
export interface RightRequest {
  /** `exchange`, `list`, … */
  readonly is: string;
  /** Returns its features, each worded to complete "with …". */
  readonly traits: () => readonly string[];
  /** The code or pair that it carries. Times are in seconds on the target's clock. */
  readonly credential: { readonly issuedAt: number };
  readonly at: number;
}

interface Seen extends RightRequest {
  readonly isHonoured: boolean;
}

/** Smallest numbers of refused and of honoured requests that are compared. */
const FEWEST = 2;

/** Follows requests that a service must honour, to tell in which way the refused ones differ. */
export class RefusedRequests {
  readonly #seen = new Map<string, Seen[]>();
  /** By requirement, the kind of request whose refusal breaks it. */
  readonly #kinds = new Map<RequirementId, string>();

  /** @param breaks the requirement that the refusal breaks; absent if the request was honoured */
  note(request: RightRequest, breaks?: RequirementId): void {
    const all = this.#seen.get(request.is) ?? [];
    this.#seen.set(request.is, all);
    all.push({ ...request, isHonoured: breaks === undefined });
    if (breaks !== undefined) this.#kinds.set(breaks, request.is);
  }

  differences(): ReadonlyMap<RequirementId, Difference> {
    return new Map(
      [...this.#kinds].flatMap(([id, kind]) => {
        const difference = differenceIn(this.#seen.get(kind) ?? []);
        return difference === undefined ? [] : [[id, difference] as const];
      }),
    );
  }
}

function differenceIn(seen: readonly Seen[]): Difference | undefined {
  const { honoured = [], refused = [] } = Object.groupBy(seen, ({ isHonoured }) =>
    isHonoured ? 'honoured' : 'refused',
  );
  if (honoured.length < FEWEST || refused.length < FEWEST) return undefined;
  const counts = { honoured: honoured.length, refused: refused.length };
  const ofHonoured = new Set(honoured.flatMap(({ traits }) => traits()));
  const ofRefused = refused.map(({ traits }) => traits());
  const trait = ofRefused[0]?.find(
    (one) => !ofHonoured.has(one) && ofRefused.every((traits) => traits.includes(one)),
  );
  if (trait !== undefined) return { kind: 'trait', trait, ...counts };
  const from = Math.min(...refused.map(ageOf));
  const until = Math.max(...honoured.map(ageOf));
  if (from >= until + 1) return { kind: 'age', from, until, ...counts };
  if (seen.findLastIndex((one) => one.isHonoured) < seen.findIndex((one) => !one.isHonoured))
    return { kind: 'since', ...counts };
  return { kind: isLost(seen) ? 'lost' : 'mixed', ...counts };
}

function ageOf({ credential, at }: RightRequest): number {
  return at - credential.issuedAt;
}

/** True if some credential was honoured before it was refused, and none afterwards. */
function isLost(seen: readonly Seen[]): boolean {
  const [honoured, refused, lost] = [new Set<object>(), new Set<object>(), new Set<object>()];
  for (const { credential, isHonoured } of seen) {
    if (isHonoured && refused.has(credential)) return false;
    if (isHonoured) honoured.add(credential);
    else refused.add(credential);
    if (!isHonoured && honoured.has(credential)) lost.add(credential);
  }
  return lost.size > 0;
}

/** Returns the characters of a value that encodings treat in ways of their own. */
export function oddCharacters(value: string, of: string): readonly string[] {
  return [...new Set(value.replaceAll(/[A-Za-z0-9]/g, ''))].map((one) => `${of} that holds \`${one}\``);
}

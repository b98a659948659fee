import type { RequirementId } from '../../../generated/ids.ts';
import { headerOf, type WireRequest } from '../../http/exchange.ts';
import type { RequestDifference, RightAnswers } from '../../report/facts.ts';
import { oddCharactersIn } from '../../service/flow/answers.ts';

/** A request that a service must honour. */
export interface RightRequest {
  /** `exchange`, `list`, `the effect of assign`, … */
  readonly is: string;
  /** Returns its features, each worded to complete "with …". */
  readonly traits: () => readonly string[];
  /** The code or pair that it carries. Times are in seconds on the target's clock. */
  readonly credential: { readonly issuedAt: number };
  readonly at: number;
  /** The connection of its answer. */
  readonly connection?: object | undefined;
}

interface Answered extends RightRequest {
  readonly hasFailed: boolean;
  /** Seconds since its code or pair was issued, or last was good. */
  readonly idle: number;
}

/** Requests of a kind that are kept: an exploration may send a million. */
const MOST_KEPT = 10_000;

/** Smallest numbers of failures and of successes that are compared. */
const FEWEST = 2;

/** Smallest score of a trait that is named: what follows from a failure may fail without the trait. */
const TELLING = 0.8;

/** Smallest score of a trait that is named as the nearest, where none tells. */
const NEAR = 0.4;

/** With fewer failures, a trait that successes have too is a coincidence. */
const MANY = 10;

/** Smallest mean of failures on a connection, or with a token, that tells. */
const MANY_ON_ONE = 2;

/** Follows requests that a service must honour, to tell in which way the failed ones differ. */
export class RightRequests {
  readonly #answered = new Map<string, Answered[]>();
  /** By requirement, the kind of request whose failure breaks it. */
  readonly #kinds = new Map<RequirementId, string>();
  /** The last good use of each code or pair. */
  readonly #usedAt = new WeakMap<object, number>();

  /** @param breaks the requirement that its failure breaks; absent if it succeeded */
  answered(request: RightRequest, breaks?: RequirementId): void {
    const all = this.#answered.get(request.is) ?? [];
    this.#answered.set(request.is, all);
    const { credential, at } = request;
    const idle = at - (this.#usedAt.get(credential) ?? credential.issuedAt);
    if (breaks === undefined) this.#usedAt.set(credential, at);
    if (all.length < MOST_KEPT) all.push({ ...request, hasFailed: breaks !== undefined, idle });
    if (breaks !== undefined) this.#kinds.set(breaks, request.is);
  }

  differences(): ReadonlyMap<RequirementId, RequestDifference> {
    return new Map(
      [...this.#kinds].flatMap(([id, kind]) => {
        const difference = differenceIn(this.#answered.get(kind) ?? []);
        return difference === undefined ? [] : [[id, difference] as const];
      }),
    );
  }
}

function differenceIn(all: readonly Answered[]): RequestDifference | undefined {
  const [failed, good] = [all.filter((one) => one.hasFailed), all.filter((one) => !one.hasFailed)];
  if (good.length < FEWEST || failed.length < FEWEST) return undefined;
  const counts = { failed: failed.length, succeeded: good.length };
  const ages = separated(failed, good, ageOf);
  const pauses = separated(failed, good, ({ idle }) => idle);
  if (ages !== undefined)
    return { kind: 'age', ...ages, ...(pauses && { unusedFrom: pauses.from }), ...counts };
  if (pauses !== undefined) return { kind: 'idle', ...pauses, ...counts };
  const ofGood = countsOf(good);
  const [best] = [...countsOf(failed)]
    .map(([name, ofFailed]) => ({ name, failed: ofFailed, succeeded: ofGood.get(name) ?? 0 }))
    .toSorted((a, b) => scoreOf(b, counts) - scoreOf(a, counts));
  const score = best === undefined ? 0 : scoreOf(best, counts);
  if (best && score >= TELLING && (failed.length >= MANY || best.succeeded === 0))
    return { kind: 'trait', trait: best, ...counts };
  if (all.findLastIndex((one) => !one.hasFailed) < all.findIndex((one) => one.hasFailed))
    return { kind: 'since', ...counts };
  if (isLost(all)) return { kind: 'lost', ...counts };
  for (const [of, keyOf] of PARTS) {
    const parts = spoiledParts(all, keyOf);
    if (parts !== undefined) return { kind: 'parts', of, ...parts, ...counts };
  }
  if (failed.length < MANY) return { kind: 'few', ...counts };
  return { kind: 'mixed', ...(best && score >= NEAR && { nearest: best }), ...counts };
}

/** Returns the least number of seconds of a failure and the greatest of a success, if no success has more than a failure. */
function separated(
  failed: readonly Answered[],
  good: readonly Answered[],
  secondsOf: (one: Answered) => number,
): { readonly from: number; readonly until: number } | undefined {
  const from = Math.min(...failed.map(secondsOf));
  const until = Math.max(...good.map(secondsOf));
  return from >= until + 1 ? { from, until } : undefined;
}

const PARTS: readonly (readonly ['connection' | 'token', (one: Answered) => object | undefined])[] = [
  ['connection', ({ connection }) => connection],
  ['token', ({ credential }) => credential],
];

/** Counts the connections or tokens with which nearly all failed from the first failure on, if those of the successes are others. */
function spoiledParts(
  all: readonly Answered[],
  keyOf: (one: Answered) => object | undefined,
): { readonly spoiled: number; readonly others: number } | undefined {
  const afterFirstFailure: Answered[] = [];
  const parts = Map.groupBy(all, keyOf);
  parts.delete(undefined);
  let spoiled = 0;
  for (const requests of parts.values()) {
    const first = requests.findIndex(({ hasFailed }) => hasFailed);
    if (first < 0) continue;
    spoiled += 1;
    afterFirstFailure.push(...requests.slice(first));
  }
  const others = parts.size - spoiled;
  const failed = afterFirstFailure.filter(({ hasFailed }) => hasFailed).length;
  const good = all.filter(({ hasFailed }) => !hasFailed).length;
  const isTelling =
    others >= FEWEST &&
    failed >= Math.max(MANY, MANY_ON_ONE * spoiled, TELLING * (all.length - good)) &&
    afterFirstFailure.length - failed <= (1 - TELLING) * good;
  return isTelling ? { spoiled, others } : undefined;
}

function countsOf(requests: readonly RightRequest[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const trait of requests.flatMap(({ traits }) => traits()))
    counts.set(trait, (counts.get(trait) ?? 0) + 1);
  return counts;
}

/** Returns the share of a trait among failures, less that among successes. */
function scoreOf(trait: RightAnswers, all: RightAnswers): number {
  return trait.failed / all.failed - trait.succeeded / all.succeeded;
}

function ageOf({ credential, at }: RightRequest): number {
  return at - credential.issuedAt;
}

/** True if some credential failed that had been good before, and none was good again. */
function isLost(all: readonly Answered[]): boolean {
  const [good, failed] = [new Set<object>(), new Set<object>()];
  let isSomeLost = false;
  for (const { credential, hasFailed } of all) {
    if (!hasFailed && failed.has(credential)) return false;
    (hasFailed ? failed : good).add(credential);
    isSomeLost ||= hasFailed && good.has(credential);
  }
  return isSomeLost;
}

/** Returns the features of a request's form. */
export function traitsOfForm(request: WireRequest): readonly string[] {
  const header = (name: string) => headerOf(request, name) ?? 'none';
  return [
    `Accept: ${header('accept')}`,
    `Content-Type: ${header('content-type')}`,
    ...(request.body === undefined ? [] : ['a body']),
    ...(request.noLength ? ['no length'] : []),
    ...(request.url.includes('%') ? ['a percent-encoded path'] : []),
  ];
}

/** Returns a feature for each odd character of a value. */
export function oddCharacters(value: string, of: string): readonly string[] {
  return oddCharactersIn(value).map(
    (one) =>
      `${of} that holds ${one === ' ' ? 'a blank (a redirect writes a plus sign as %2B)' : `\`${one}\``}`,
  );
}

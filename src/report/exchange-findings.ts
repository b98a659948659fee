import type { RequirementId } from '../../generated/ids.ts';
import type { Exchange } from '../http/exchange.ts';
import { countText } from './count-text.ts';
import type { ExchangeFinding, RequestDifference, RequestTrait } from './facts.ts';

interface Concluded {
  readonly examples: number;
  /** Number of exchanges that broke it without another explanation: then it fails. */
  readonly broken: number;
  readonly first: ExchangeFinding | undefined;
  /** The checks that sent them, in order. */
  readonly during: readonly string[];
  readonly exchanges: readonly Exchange[];
  /** Findings that fail no requirement, one sentence each. */
  readonly alsoSeen: readonly string[];
}

const SHOWN = 3;

/** Concludes the findings of all exchanges by requirement, when all checks have ended. */
export function concludeExchanges(
  {
    examples,
    findings,
  }: { readonly examples: ReadonlyMap<RequirementId, number>; readonly findings: readonly ExchangeFinding[] },
  checks: readonly CheckEnding[],
  levelOf: (id: RequirementId) => string,
): ReadonlyMap<RequirementId, Concluded> {
  const ids = new Set([...examples.keys(), ...findings.map(({ id }) => id)]);
  return new Map(
    [...ids].map((id) => {
      const own = findings.filter((finding) => finding.id === id);
      const counting = own.filter((finding) => failsRequirement(finding, checks, levelOf));
      const uncounted = own.filter((finding) => !counting.includes(finding));
      return [
        id,
        {
          examples: Math.max(examples.get(id) ?? 0, own.length),
          broken: counting.length,
          first: counting[0],
          during: [...new Set(counting.flatMap(({ during }) => during ?? []))],
          exchanges: counting.flatMap(({ exchanges }) => exchanges).slice(0, SHOWN),
          alsoSeen: wordings(uncounted),
        },
      ] as const;
    }),
  );
}

/** Words a finding for a report, without values that change between runs. */
export function findingReason({ first, broken, examples, during }: Concluded, ending?: string): string {
  const [check] = during;
  const own = first !== undefined && during.includes(first.id);
  const where = check === undefined ? '' : `, ${during.length === 1 ? 'all' : 'first'} during ${check}`;
  const beside = own ? 'its own check evaluates other answers, and passed' : 'not in its own check';
  const share = `in ${broken} of ${examples} examples of this run${where}; ${ending ?? beside}`;
  return `expected ${first?.expected}; got ${first?.got} ${share}`;
}

export function differenceText({ failed, succeeded, ...difference }: RequestDifference): string {
  const both = `${failed} requests like it failed and ${succeeded} succeeded`;
  switch (difference.kind) {
    case 'trait':
      return `${both}: ${traitText(difference.trait)}`;
    case 'age': {
      const { from, until, unusedFrom } = difference;
      const unused =
        unusedFrom === undefined
          ? ''
          : `; those that failed had been unused for ${tenths(unusedFrom)} s or more`;
      return `${both}: none with a code or token younger than ${tenths(from)} s failed, and none older than ${tenths(until)} s succeeded${unused}`;
    }
    case 'idle':
      return `${both}: none with a code or token unused for less than ${tenths(difference.from)} s failed, and none unused for more than ${tenths(difference.until)} s succeeded`;
    case 'since':
      return `${both}: from the first failure on, all failed`;
    case 'lost':
      return `${both}: codes or tokens that had been good failed later, and none of them was good again`;
    case 'parts': {
      const { of, spoiled, others } = difference;
      const cause = of === 'token' ? 'how these tokens differ' : 'an earlier request on the same connection';
      return `${both}: with ${countText(spoiled, of)} nearly all failed from the first failure on, and with ${others} others none: the cause may be one instance of several, or ${cause}`;
    }
    case 'few':
      return both;
    case 'mixed': {
      const { nearest } = difference;
      const alike = nearest
        ? `; nearest to a difference, ${traitText(nearest)}`
        : ', alike in all that the suite compares';
      return `${both}${alike}: the cause may be what came before them, or one instance of several`;
    }
  }
}

function tenths(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}

function traitText({ failed, succeeded, name }: RequestTrait): string {
  return `${failed} of the first and ${succeeded} of the others came with ${name}`;
}

function wordings(findings: readonly ExchangeFinding[]): readonly string[] {
  const times = new Map<string, number>();
  for (const { expected, got, during } of findings) {
    const text = `expected ${expected}; got ${got}${during === undefined ? '' : `, during ${during}`}`;
    times.set(text, (times.get(text) ?? 0) + 1);
  }
  return [...times].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`));
}

export interface CheckEnding {
  readonly id: string;
  /** `documented`: a documented requirement failed; `minor`: one of another level. */
  readonly failed: 'documented' | 'minor' | undefined;
}

const FAMILIES: Readonly<Record<string, string>> = {
  exchange: 'token',
  refresh: 'token',
  token: 'token',
  assign: 'resource',
  unassign: 'resource',
  list: 'resource',
  resource: 'resource',
  scope: 'resource',
  version: 'resource',
  lifetime: 'resource',
  authorize: 'authorize',
  application: 'authorize',
};

/**
 * True if a broken requirement of another level explains a documented one: reading that changes a list explains any user, the same
 * change twice only its own user.
 */
function upsets(minor: string, documented: string): boolean {
  if (minor === 'list.safe') return true;
  return minor.endsWith('.idempotent') && !/\.(?:leaves-others|project-scoped)$/.test(documented);
}

/** Requirements of one family fail together because of one fault. */
function familyOf(id: string): string {
  return FAMILIES[id.split('.')[0] ?? ''] ?? id;
}

/**
 * Decides if a finding fails its requirement. A failing check's requests, and a failed requirement's findings, show the same
 * fault in other words: they appear beside that failure and fail nothing more.
 *
 * @param levelOf an undocumented requirement cannot explain a documented one
 */
export function failsRequirement(
  finding: Pick<ExchangeFinding, 'id' | 'during' | 'uncertain'>,
  checks: readonly CheckEnding[],
  levelOf: (id: RequirementId) => string,
): boolean {
  if (finding.uncertain) return false;
  // No other failure makes a server error right.
  if (finding.id.endsWith('.no-5xx')) return true;
  const documented = levelOf(finding.id) === 'documented';
  return !checks.some(({ id, failed }) => {
    const isDuring = id === finding.during;
    if (failed === 'minor' && !documented) return isDuring;
    const explains = failed === 'documented' || (failed === 'minor' && upsets(id, finding.id));
    return explains && (isDuring || familyOf(id) === familyOf(finding.id));
  });
}

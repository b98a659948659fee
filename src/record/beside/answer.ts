import { type AskedKind, subjectOf } from './asked.ts';

/** An answer without values that differ between services, so that both sides can be compared. Holds no secret. */
export interface StoryAnswer {
  readonly outcome: AnswerOutcome;
  /** Everything else that a client can tell, by name. */
  readonly facets: Readonly<Record<string, string>>;
  /** Own users in the list, by place. */
  readonly listed?: readonly string[];
  /** Part of an `at once` step, from 0. */
  readonly part: number;
  /** Number of other users in the list. Only for services whose users nobody else changes. */
  readonly others?: number;
}

type AnswerOutcome =
  | 'tokens'
  | 'code'
  | 'done'
  | 'refused'
  | 'redirect'
  | 'page'
  | 'not modified'
  | 'trouble'
  | 'no answer';

/** Facets that name the step where a value was first seen. */
export const MET = ['access token', 'refresh token', 'code'] as const;

/** Facets of a user's record: a list without own users does not show them. */
const OF_RECORDS = ['fields of a record', 'order of fields', 'envelope'];

export function isAnswered({ outcome }: StoryAnswer): boolean {
  return outcome !== 'trouble' && outcome !== 'no answer';
}

export interface Difference {
  /** Kind of request: `refresh wrongly: wrong secret`. */
  readonly asked: string;
  readonly facet: string;
  readonly left: string;
  readonly right: string;
  /** The aspect of an open point, otherwise the facet and the kind of request. */
  readonly subject: string;
  /** Both answers came while another request that may affect them was in progress. */
  readonly atOnce: boolean;
}

interface Compared {
  readonly asked: AskedKind;
  readonly atOnce: boolean;
  readonly split: ReadonlySet<string>;
}

/** Returns the differences. If the outcomes differ, ignores everything else, because it follows from them. */
export function compareAnswers(
  left: StoryAnswer,
  right: StoryAnswer,
  { asked, atOnce, split }: Compared,
): readonly Difference[] {
  if (!isAnswered(left) || !isAnswered(right)) return [];
  const { operation, ...others } = asked;
  // A refusal without a known cause differs from a success.
  const refused =
    left.outcome === 'refused' && operation ? { ...others, text: `${asked.text}, refused` } : asked;
  const differs = (facet: string, one: string, other: string) => {
    const about = facet === 'outcome' ? asked : refused;
    const subject = subjectOf(about, facet);
    return one === other ? [] : [{ asked: about.text, facet, left: one, right: other, subject, atOnce }];
  };
  if (left.outcome !== right.outcome) return differs('outcome', left.outcome, right.outcome);
  const names = [...new Set([...Object.keys(left.facets), ...Object.keys(right.facets)])];
  const facets = names
    .filter((name) => !OF_RECORDS.includes(name) || (name in left.facets && name in right.facets))
    .filter((name) => !(fieldsOf(left) !== fieldsOf(right) && name === 'order of fields'))
    .flatMap((name) => differs(name, left.facets[name] ?? 'none', right.facets[name] ?? 'none'));
  return [...facets, ...listDifferences(left, right, split, differs)];
}

export function keyOf({ asked, facet, left, right }: Difference): string {
  return [asked, facet, ...valuesOf(facet, left, right)].join(' | ');
}

/** Returns the parts of both values that tell a difference from others at a facet. */
function valuesOf(facet: string, left: string, right: string): readonly string[] {
  if (facet === ORDER) return [];
  if (facet === LISTED) return [whoHasMore(left, right)];
  return (MET as readonly string[]).includes(facet) ? [kindOf(left), kindOf(right)] : [left, right];
}

const LISTED = 'users listed';
const ORDER = 'order of the list';

function listDifferences(
  left: StoryAnswer,
  right: StoryAnswer,
  split: ReadonlySet<string>,
  differs: (facet: string, one: string, other: string) => readonly Difference[],
): readonly Difference[] {
  if (left.listed === undefined || right.listed === undefined) return [];
  const settled = (ids: readonly string[]) => ids.filter((id) => !split.has(id));
  const [one, other] = [settled(left.listed), settled(right.listed)];
  const sorted = (ids: readonly string[]) =>
    ids.toSorted((a, b) => Number(a) - Number(b)).join(' ') || 'nobody';
  const others =
    left.others === undefined || right.others === undefined
      ? []
      : differs('other users listed', String(left.others), String(right.others));
  if (sorted(one) !== sorted(other)) return [...differs(LISTED, sorted(one), sorted(other)), ...others];
  return [...differs(ORDER, one.join(' '), other.join(' ')), ...others];
}

function fieldsOf({ facets }: StoryAnswer): string | undefined {
  return facets['fields of a record'];
}

function kindOf(met: string): string {
  return met.split(':')[0] ?? met;
}

function whoHasMore(left: string, right: string): string {
  const idsIn = (listed: string) => (listed === 'nobody' ? [] : listed.split(' '));
  const [one, other] = [idsIn(left), idsIn(right)];
  const more = (ids: readonly string[], than: readonly string[]) =>
    ids.some((id) => ids.filter((same) => same === id).length > than.filter((same) => same === id).length);
  return [more(one, other) && 'more on the left', more(other, one) && 'more on the right']
    .filter((who) => who !== false)
    .join(', ');
}

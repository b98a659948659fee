import { type AspectId, isAspectId } from '../../document/profiles/aspects.ts';
import { headerAspect } from '../../document/profiles/header-kinds.ts';
import {
  WRONG_AUTHORIZATIONS,
  WRONG_EXCHANGES,
  WRONG_REFRESHES,
} from '../../evaluation/requests/wrong-requests.ts';

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

export type AnswerOutcome =
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
  /** Both answers came while another request that may affect them was in progress. */
  readonly atOnce: boolean;
}

export interface Compared {
  readonly asked: string;
  readonly atOnce: boolean;
  readonly split: ReadonlySet<string>;
}

/** A refusal of one without a known cause is told apart from its success. */
const OPERATION = /^(assign|unassign|list)$/;

/** Returns the differences. If the outcomes differ, ignores everything else, because it follows from them. */
export function compareAnswers(
  left: StoryAnswer,
  right: StoryAnswer,
  { asked, atOnce, split }: Compared,
): readonly Difference[] {
  if (!isAnswered(left) || !isAnswered(right)) return [];
  const refused = left.outcome === 'refused' && OPERATION.test(asked) ? ', refused' : '';
  const differs = (facet: string, one: string, other: string) =>
    one === other
      ? []
      : [{ asked: `${asked}${facet === 'outcome' ? '' : refused}`, facet, left: one, right: other, atOnce }];
  if (left.outcome !== right.outcome) return differs('outcome', left.outcome, right.outcome);
  const names = [...new Set([...Object.keys(left.facets), ...Object.keys(right.facets)])];
  const facets = names
    .filter((name) => !OF_RECORDS.includes(name) || (name in left.facets && name in right.facets))
    .filter((name) => !(fieldsOf(left) !== fieldsOf(right) && name === 'order of fields'))
    .flatMap((name) => differs(name, left.facets[name] ?? 'none', right.facets[name] ?? 'none'));
  return [...facets, ...listDifferences(left, right, split, differs)];
}

export function keyOf({ asked, facet, left, right }: Difference): string {
  if ((MET as readonly string[]).includes(facet))
    return [asked, facet, kindOf(left), kindOf(right)].join(' | ');
  if (facet === LISTED) return [asked, facet, whoHasMore(left, right)].join(' | ');
  return facet === ORDER ? [asked, facet].join(' | ') : [asked, facet, left, right].join(' | ');
}

export const LISTED = 'users listed';
export const ORDER = 'order of the list';

function listDifferences(
  left: StoryAnswer,
  right: StoryAnswer,
  split: ReadonlySet<string>,
  differs: (facet: string, one: string, other: string) => readonly Difference[],
): readonly Difference[] {
  if (left.listed === undefined || right.listed === undefined) return [];
  const [one, other] = [left.listed, right.listed].map((ids) => ids.filter((id) => !split.has(id)));
  if (one === undefined || other === undefined) return [];
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
  const [one, other] = [left.split(' '), right.split(' ')].map((ids) => (ids[0] === 'nobody' ? [] : ids));
  const more = (ids: readonly string[] = [], than: readonly string[] = []) =>
    ids.some((id) => ids.filter((same) => same === id).length > than.filter((same) => same === id).length);
  return [more(one, other) && 'more on the left', more(other, one) && 'more on the right']
    .filter((who) => who !== false)
    .join(', ');
}

const BY_FACET: readonly (readonly [facet: RegExp, asked: RegExp, aspect: AspectId])[] = [
  [/^pages$/, /^authorize$/, 'consent-memory.remembered'],
  [/^order of the list$/, /^/, 'list-shape.order'],
  [/^(order of fields|fields of a record)$/, /^/, 'list-shape.fields'],
  [/^envelope$/, /^/, 'list-shape.container'],
  [/^body$/, /^(exchange|refresh)$/, 'token-response-fields.extra-fields'],
  [/^content type$/, /^(exchange|refresh)$/, 'token-response-fields.content-type'],
  [/^outcome$/, /^exchange of an old code$/, 'lifetimes.code'],
  [/^outcome$/, /with a refreshed token$/, 'refresh-fate.old-access-token'],
  [/^outcome$/, /^refresh with a used token$/, 'refresh-fate.old-refresh-token'],
];

const BY_ASKED: readonly (readonly [asked: RegExp, aspect: AspectId])[] = [
  [/^exchange of a used code$/, 'token-failures.exchange.used-code'],
  [/^exchange of an old code$/, 'token-failures.exchange.expired-code'],
  [/^refresh with a used token$/, 'token-failures.refresh.revoked-token'],
  [/^authorize wrongly: deny$/, 'authorize-failures.denial'],
  [/with an unknown project/, 'resource-failures.unknown-project'],
  [/with an unknown user/, 'resource-failures.unknown-user'],
  [/with no token$/, 'resource-failures.no-token'],
  [/with (unknown token|a refresh token|a code)$/, 'resource-failures.invalid-token'],
  [/with an expired token$/, 'resource-failures.expired-token'],
  [/with a refreshed token$/, 'resource-failures.revoked-token'],
];

const WRONG = {
  'authorize wrongly': WRONG_AUTHORIZATIONS,
  'exchange wrongly': WRONG_EXCHANGES,
  'refresh wrongly': WRONG_REFRESHES,
} as const;

/** Facets that are the same for all answers of an endpoint. */
const EVERYWHERE = /^form of |^challenge$|^(access token|refresh token|code)$/;

/** Returns the subject of a difference: the aspect of an open point, otherwise the facet and the kind of request. */
export function groupOf({ asked, facet }: Difference): string {
  const header = /^header (.*)$/.exec(facet)?.[1];
  const general = BY_FACET.find(([facets, kinds]) => facets.test(facet) && kinds.test(asked))?.[2];
  if (general !== undefined) return general;
  if (header !== undefined) return headerAspect(header, familyOf(asked)) ?? facet;
  if (EVERYWHERE.test(facet) || facet === LISTED || facet === ORDER) return facet;
  const known = BY_ASKED.find(([kinds]) => kinds.test(asked))?.[1] ?? aspectOfWrong(asked);
  if (known !== undefined) return known;
  const operation = /^(assign|unassign|list)$/.exec(asked)?.[1];
  const aspect = `operation-answers.${operation}.${facet.replace(' ', '-')}`;
  return isAspectId(aspect) ? aspect : `${asked}: ${facet}`;
}

function aspectOfWrong(asked: string): AspectId | undefined {
  const [kind = '', name] = asked.split(': ');
  const rows = WRONG[kind as keyof typeof WRONG] as
    | readonly { readonly name: string; readonly aspect?: AspectId }[]
    | undefined;
  return rows?.find((row) => row.name === name)?.aspect;
}

function familyOf(asked: string): 'pages' | 'token' | 'resource' {
  if (asked.startsWith('authorize')) return 'pages';
  return /^(exchange|refresh)/.test(asked) ? 'token' : 'resource';
}

import { type AspectId, isAspectId } from '../../document/profiles/aspects.ts';
import { headerAspect } from '../../document/profiles/header-kinds.ts';
import {
  WRONG_AUTHORIZATIONS,
  WRONG_EXCHANGES,
  WRONG_REFRESHES,
} from '../../judge/requests/wrong-requests.ts';
import { type Difference, LISTED, ORDER } from './answer.ts';

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

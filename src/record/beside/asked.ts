import { LIFETIME } from '../../document/lifetime.ts';
import { type AspectId, isAspectId } from '../../document/profiles/aspects.ts';
import { type HeaderFamily, headerAspect } from '../../document/profiles/header-kinds.ts';
import {
  givesOf,
  NO_TOKEN,
  REFRESH_TOKEN_OF,
  type SingleStep,
  type Step,
  singleSteps,
  UNKNOWN_TOKEN,
} from '../../evaluation/explore/steps.ts';
import {
  WRONG_AUTHORIZATIONS,
  WRONG_EXCHANGES,
  WRONG_REFRESHES,
} from '../../evaluation/requests/wrong-requests.ts';

/** A kind of request, and the open points that its answers are about. */
export interface AskedKind {
  /** `refresh wrongly: wrong secret`. */
  readonly text: string;
  readonly family: HeaderFamily;
  /** Of a right request. */
  readonly operation?: 'assign' | 'unassign' | 'list';
  readonly aspect?: AspectId | undefined;
  /** Aspects of single facets, instead of `aspect`. */
  readonly byFacet?: Readonly<Partial<Record<string, AspectId>>> | undefined;
}

const OF_LISTS: Readonly<Partial<Record<string, AspectId>>> = {
  'order of the list': 'list-shape.order',
  'order of fields': 'list-shape.fields',
  'fields of a record': 'list-shape.fields',
  envelope: 'list-shape.container',
};

/** Facets that are the same for all answers of an endpoint. */
const EVERYWHERE = /^form of |^challenge$|^(access token|refresh token|code|users listed)$/;

/** Returns the subject of a difference: the aspect of an open point, otherwise the facet and the kind of request. */
export function subjectOf({ text, family, operation, aspect, byFacet }: AskedKind, facet: string): string {
  const general = byFacet?.[facet] ?? OF_LISTS[facet];
  if (general !== undefined) return general;
  const header = /^header (.*)$/.exec(facet)?.[1];
  if (header !== undefined) return headerAspect(header, family) ?? facet;
  if (EVERYWHERE.test(facet)) return facet;
  if (aspect !== undefined) return aspect;
  const ofOperation = `operation-answers.${operation}.${facet.replace(' ', '-')}`;
  return isAspectId(ofOperation) ? ofOperation : `${text}: ${facet}`;
}

const OF_TOKEN_RESPONSES = {
  body: 'token-response-fields.extra-fields',
  'content type': 'token-response-fields.content-type',
} as const;

type WrongRow = { readonly name: string; readonly aspect?: AspectId };

const WRONG = {
  'authorize wrongly': WRONG_AUTHORIZATIONS,
  'exchange wrongly': WRONG_EXCHANGES,
  'refresh wrongly': WRONG_REFRESHES,
} as const;

/** Seconds after which a code is old. */
const MOMENT = 10;

/** Describes a step's request from the steps before it: `list with an expired token`. */
export class StoryHistory {
  #now = 0;
  readonly #given = new Map<string, number>();
  readonly #used = new Set<string>();

  note(step: Step): void {
    for (const one of singleSteps([step])) {
      if (one.do === 'wait') this.#now += one.seconds;
      if (one.do === 'exchange') this.#used.add(one.code);
      if (one.do === 'refresh') this.#used.add(one.pair);
    }
    for (const name of givesOf(step)) this.#given.set(name, this.#now);
  }

  asked(step: SingleStep): AskedKind {
    const family = 'token';
    switch (step.do) {
      case 'authorize':
        return { text: step.do, family: 'pages', byFacet: { pages: 'consent-memory.remembered' } };
      case 'authorize wrongly':
      case 'exchange wrongly':
      case 'refresh wrongly': {
        const rows: readonly WrongRow[] = WRONG[step.do];
        const denial = step.how === 'deny' ? 'authorize-failures.denial' : undefined;
        const aspect = denial ?? rows.find(({ name }) => name === step.how)?.aspect;
        const text = `${step.do}: ${step.how}`;
        return { text, family: step.do === 'authorize wrongly' ? 'pages' : family, aspect };
      }
      case 'exchange':
        if (this.#used.has(step.code))
          return { text: 'exchange of a used code', family, aspect: 'token-failures.exchange.used-code' };
        if (this.#isOld(step.code, MOMENT))
          return {
            text: 'exchange of an old code',
            family,
            aspect: 'token-failures.exchange.expired-code',
            byFacet: { outcome: 'lifetimes.code' },
          };
        return { text: step.do, family, byFacet: OF_TOKEN_RESPONSES };
      case 'refresh':
        if (!this.#used.has(step.pair)) return { text: step.do, family, byFacet: OF_TOKEN_RESPONSES };
        return {
          text: 'refresh with a used token',
          family,
          aspect: 'token-failures.refresh.revoked-token',
          byFacet: { outcome: 'refresh-fate.old-refresh-token' },
        };
      case 'assign':
      case 'unassign':
      case 'list':
        return this.#operation(step);
      default:
        return { text: step.do, family: 'resource' };
    }
  }

  #operation(step: Extract<SingleStep, { do: 'assign' | 'unassign' | 'list' }>): AskedKind {
    const { spelling } = step;
    const token = this.#token(step.with);
    const how: (readonly [text: string, aspect?: AspectId])[] = [];
    if (spelling?.head) how.push(['HEAD']);
    if (spelling?.unlessSame) how.push(['If-None-Match']);
    if (spelling?.unlessSince) how.push(['If-Modified-Since']);
    if (step.project.startsWith('unknown'))
      how.push(['an unknown project', 'resource-failures.unknown-project']);
    if ('user' in step && step.user.startsWith('unknown'))
      how.push(['an unknown user', 'resource-failures.unknown-user']);
    if (token !== undefined) how.push(token);
    if (how.length === 0) return { text: step.do, family: 'resource', operation: step.do };
    const isOld = token?.[1] === 'resource-failures.revoked-token';
    return {
      text: `${step.do} with ${how.map(([text]) => text).join(', ')}`,
      family: 'resource',
      aspect: how.find(([, aspect]) => aspect !== undefined)?.[1],
      byFacet: isOld ? { outcome: 'refresh-fate.old-access-token' } : undefined,
    };
  }

  #token(name: string): readonly [text: string, aspect: AspectId] | undefined {
    if (name === NO_TOKEN) return [name, 'resource-failures.no-token'];
    if (name === UNKNOWN_TOKEN) return [name, 'resource-failures.invalid-token'];
    if (name.startsWith(REFRESH_TOKEN_OF)) return ['a refresh token', 'resource-failures.invalid-token'];
    if (name.startsWith('code ')) return ['a code', 'resource-failures.invalid-token'];
    if (this.#isOld(name, LIFETIME)) return ['an expired token', 'resource-failures.expired-token'];
    return this.#used.has(name) ? ['a refreshed token', 'resource-failures.revoked-token'] : undefined;
  }

  #isOld(name: string, seconds: number): boolean {
    return this.#now - (this.#given.get(name) ?? this.#now) > seconds;
  }
}

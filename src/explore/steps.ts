/**
 * What exploration does, one step at a time. Steps are plain JSON and name what they give and need (`code 1`, `pair 3`), so
 * that a sequence can be cut, kept in a file, and done again on another day.
 */

import {
  WRONG_AUTHORIZATIONS as AUTHORIZATIONS,
  WRONG_EXCHANGES as EXCHANGES,
  WRONG_REFRESHES as REFRESHES,
} from '../requests/wrong-requests.ts';

/** How a request is written, where standards call two ways equal. */
export interface StepSpelling {
  /** Order of the parameters: a permutation of what the document lists. */
  readonly order?: readonly number[];
  /** Content-Type with a charset. */
  readonly charset?: true;
  /** What `Accept` says; `none`: it is not sent. */
  readonly accept?: '*/*' | 'none';
  /** Unreserved characters percent-encoded, as the form encoding allows. */
  readonly percent?: true;
}

/** How an operation is asked for, where HTTP leaves several ways. What is acknowledged all the same must be done, and lists be right. */
export interface OperationSpelling {
  /** HEAD and not GET: it only reads, and what it leaves behind must harm no reader. */
  readonly head?: true;
  readonly accept?: '*/*' | 'none';
  readonly encoding?: 'identity' | 'gzip' | 'br';
  /** Only if the list is no longer what this token was shown last (`If-None-Match`). */
  readonly unlessSame?: true;
  /** The host in capitals. */
  readonly host?: true;
  /** The first character of every id percent-encoded without need. */
  readonly percent?: true;
  /** With an empty JSON object as body. */
  readonly body?: true;
}

type Explored<R> = R extends { readonly unexplored: true }
  ? never
  : R extends { readonly name: infer N }
    ? N
    : never;

function explored<const R extends { readonly name: string; readonly unexplored?: true }>(rows: readonly R[]) {
  return rows.filter(({ unexplored }) => unexplored === undefined).map(({ name }) => name) as [Explored<R>];
}

/** In which way an authorization request is one that must get no code: by what the owner does, or by what it holds. */
export const WRONG_AUTHORIZATIONS = ['deny', 'by a stranger', ...explored(AUTHORIZATIONS)] as const;

/** In which way an exchange is one that must be refused. */
export const WRONG_EXCHANGES = explored(EXCHANGES);

/** In which way a refresh is one that must be refused. */
export const WRONG_REFRESHES = explored(REFRESHES);

export type Step =
  | {
      readonly do: 'authorize';
      /** Name of the code. */
      readonly as: string;
      readonly application: number;
      /** Which of its redirect addresses. */
      readonly address: number;
      readonly scope: string;
      readonly state?: string;
      readonly spelling?: StepSpelling;
    }
  | {
      readonly do: 'authorize wrongly';
      readonly how: (typeof WRONG_AUTHORIZATIONS)[number];
      readonly application: number;
      /** All three when absent. */
      readonly scope?: string;
      readonly spelling?: StepSpelling;
    }
  | { readonly do: 'exchange'; readonly code: string; readonly as: string; readonly spelling?: StepSpelling }
  | {
      readonly do: 'exchange wrongly';
      readonly code: string;
      readonly how: (typeof WRONG_EXCHANGES)[number];
      readonly spelling?: StepSpelling;
    }
  | { readonly do: 'refresh'; readonly pair: string; readonly as: string; readonly spelling?: StepSpelling }
  | {
      readonly do: 'refresh wrongly';
      readonly pair: string;
      readonly how: (typeof WRONG_REFRESHES)[number];
      readonly spelling?: StepSpelling;
    }
  | {
      readonly do: 'assign' | 'unassign';
      readonly project: string;
      readonly user: string;
      readonly with: string;
      readonly spelling?: OperationSpelling;
    }
  | {
      readonly do: 'list';
      readonly project: string;
      readonly with: string;
      readonly spelling?: OperationSpelling;
    }
  /** The service forgets that its owner has consented, and asks again. */
  | { readonly do: 'forget consent' }
  /** The owner creates a further application in the account area (clause 1). */
  | { readonly do: 'create application'; readonly as: string }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'at once'; readonly steps: readonly SingleStep[] };

/** A step of its own. */
export type SingleStep = Exclude<Step, { readonly do: 'at once' }>;

/** Steps one by one, those that are taken at once too. */
export function singleSteps(steps: readonly Step[]): readonly SingleStep[] {
  return steps.flatMap((step) => (step.do === 'at once' ? step.steps : [step]));
}

/** Whether a step sends what is wrong on purpose. */
export function isWrong(step: SingleStep): boolean {
  return step.do.endsWith(' wrongly');
}

/** In place of a pair's name: no token, or one that was never issued. */
export const NO_TOKEN = 'no token';
export const UNKNOWN_TOKEN = 'unknown token';
/** Before a pair's name: its refresh token, sent as access token. */
export const REFRESH_TOKEN_OF = 'refresh token of ';

/** Names that a step needs. */
export function needsOf(step: Step): readonly string[] {
  if (step.do === 'at once') return step.steps.flatMap(needsOf);
  if ('code' in step) return [step.code];
  if ('pair' in step) return [step.pair];
  if ('with' in step) return [step.with.replace(REFRESH_TOKEN_OF, '')];
  if (step.do === 'authorize' && step.application > 1) return [applicationName(step.application)];
  return [];
}

/** The name of an application that was created on the way. */
export function applicationName(index: number): string {
  return `application ${index + 1}`;
}

/** Names that a step gives. */
export function givesOf(step: Step): readonly string[] {
  if (step.do === 'at once') return step.steps.flatMap(givesOf);
  return 'as' in step ? [step.as] : [];
}

/** A step in words, as it stands in a story. */
export function inWords(step: Step): string {
  switch (step.do) {
    case 'authorize': {
      const [app, address] = [step.application, step.address];
      const who = `${forApplication(app)}${address === 0 ? '' : ` to its address ${address + 1}`}`;
      const state = step.state === undefined ? '' : ' with `state`';
      return `authorize${who} for ${step.scope}${state}${spelt(step.spelling)} → ${step.as}`;
    }
    case 'authorize wrongly':
      return `authorize${forApplication(step.application)}${step.scope === undefined ? '' : ` for ${step.scope}`}: ${step.how}${spelt(step.spelling)}`;
    case 'exchange':
      return `exchange ${step.code}${spelt(step.spelling)} → ${step.as}`;
    case 'exchange wrongly':
      return `exchange ${step.code}: ${step.how}${spelt(step.spelling)}`;
    case 'refresh':
      return `refresh ${step.pair}${spelt(step.spelling)} → ${step.as}`;
    case 'refresh wrongly':
      return `refresh ${step.pair}: ${step.how}${spelt(step.spelling)}`;
    case 'forget consent':
      return 'consent is forgotten';
    case 'create application':
      return `create ${step.as} in the account area`;
    case 'wait':
      return `wait ${step.seconds} s`;
    case 'at once':
      return `at once: ${step.steps.map((one, i) => `(${'abcdefgh'[i] ?? i + 1}) ${inWords(one)}`).join('; ')}`;
    case 'list':
      return `list project ${step.project} with ${step.with}${asked(step.spelling)}`;
    default:
      return `${step.do} user ${step.user} ${step.do === 'assign' ? 'to' : 'from'} project ${step.project} with ${step.with}${asked(step.spelling)}`;
  }
}

function forApplication(index: number): string {
  if (index === 0) return '';
  return index === 1 ? ' for the second application' : ` for ${applicationName(index)}`;
}

function asked(spelling: OperationSpelling | undefined): string {
  if (spelling === undefined) return '';
  const { head, accept, encoding, unlessSame, host, percent, body } = spelling;
  return inBrackets([
    head && 'HEAD',
    accept && (accept === 'none' ? 'no Accept' : 'Accept: */*'),
    encoding && `Accept-Encoding: ${encoding}`,
    unlessSame && 'If-None-Match',
    host && 'Host in capitals',
    percent && 'ids percent-encoded',
    body && 'with a body',
  ]);
}

function spelt(spelling: StepSpelling | undefined): string {
  if (spelling === undefined) return '';
  const { order, charset, accept, percent } = spelling;
  return inBrackets([
    order && `parameters in the order ${order.map((i) => i + 1).join(' ')}`,
    charset && 'Content-Type with a charset',
    accept && (accept === 'none' ? 'no Accept' : 'Accept: */*'),
    percent && 'percent-encoded',
  ]);
}

function inBrackets(ways: readonly (string | undefined)[]): string {
  const known = ways.filter((way) => way !== undefined);
  return known.length === 0 ? '' : ` (${known.join(', ')})`;
}

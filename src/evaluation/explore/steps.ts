/** Steps are plain JSON and name what they give and need (`code 1`), so that sequences can be shortened and replayed. */

import type { Spelling } from '../../service/flow/spelling.ts';
import { ALL_SCOPES } from '../../service/target.ts';
import {
  WRONG_AUTHORIZATIONS as AUTHORIZATIONS,
  WRONG_EXCHANGES as EXCHANGES,
  WRONG_REFRESHES as REFRESHES,
} from '../requests/wrong-requests.ts';

export type StepSpelling = Omit<Spelling, Condition>;

type Condition = 'unlessSame' | 'unlessSince';

/** A condition sends the tag or the date of the last list that this token received. */
export type OperationSpelling = StepSpelling & Readonly<Partial<Record<Condition, true>>>;

type Explored<R> = R extends { readonly unexplored: true }
  ? never
  : R extends { readonly name: infer N }
    ? N
    : never;

function explored<const R extends { readonly name: string; readonly unexplored?: true }>(rows: readonly R[]) {
  return rows.filter(({ unexplored }) => unexplored === undefined).map(({ name }) => name) as [Explored<R>];
}

export const WRONG_AUTHORIZATION_NAMES = ['deny', 'by a stranger', ...explored(AUTHORIZATIONS)] as const;

export const WRONG_EXCHANGE_NAMES = explored(EXCHANGES);

export const WRONG_REFRESH_NAMES = explored(REFRESHES);

export type WrongExchange = (typeof WRONG_EXCHANGE_NAMES)[number];
export type WrongRefresh = (typeof WRONG_REFRESH_NAMES)[number];

/** The owner's way to the decision, as it is printed. */
export type Visit = 'after leaving the page' | 'in another browser';

/** A step that sends a request, with its spelling. */
type Request<Do extends string, Parts, S = StepSpelling> = {
  readonly do: Do;
  readonly spelling?: S;
  /** Name of another way to send the request (`target/flow/channels.ts`). */
  readonly channel?: string;
} & Readonly<Parts>;

export type Step =
  | Request<
      'authorize',
      {
        as: string;
        application: number;
        address: number;
        scope: string;
        state?: string;
        visit?: Visit;
      }
    >
  | Request<
      'authorize wrongly',
      { how: (typeof WRONG_AUTHORIZATION_NAMES)[number]; application: number; scope?: string }
    >
  | Request<'exchange', { code: string; as: string }>
  | Request<'exchange wrongly', { code: string; how: WrongExchange }>
  | Request<'refresh', { pair: string; as: string }>
  | Request<'refresh wrongly', { pair: string; how: WrongRefresh }>
  | Request<'assign' | 'unassign', { project: string; user: string; with: string }, OperationSpelling>
  | Request<'list', { project: string; with: string }, OperationSpelling>
  | { readonly do: 'forget consent' }
  /** The owner creates a further application in the account area (clause 1). */
  | {
      readonly do: 'create application';
      readonly as: string;
      /** With a name beyond letters and blanks, and two addresses, one of which has a query. */
      readonly odd?: true;
    }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'at once'; readonly steps: readonly SingleStep[] };

export type SingleStep = Exclude<Step, { readonly do: 'at once' }>;

export function singleSteps(steps: readonly Step[]): readonly SingleStep[] {
  return steps.flatMap((step) => (step.do === 'at once' ? step.steps : [step]));
}

export function isWrong(step: SingleStep): boolean {
  return step.do.endsWith(' wrongly');
}

/** Used instead of a pair's name: no token, or one that was never issued. */
export const NO_TOKEN = 'no token';
export const UNKNOWN_TOKEN = 'unknown token';
export const REFRESH_TOKEN_OF = 'refresh token of ';

/** Authorizes for all three scopes; by default for the first application and its first address. */
export function authorizeAll(
  as: string,
  { application = 0, address = 0, visit }: { application?: number; address?: number; visit?: Visit } = {},
): Step {
  return { do: 'authorize', as, application, address, scope: ALL_SCOPES, ...(visit && { visit }) };
}

export function needsOf(step: Step): readonly string[] {
  if (step.do === 'at once') return step.steps.flatMap(needsOf);
  if ('code' in step) return [step.code];
  if ('pair' in step) return [step.pair];
  if ('with' in step) return [step.with.replace(REFRESH_TOKEN_OF, '')];
  if (step.do === 'authorize' && step.application > 1) return [applicationName(step.application)];
  return [];
}

export function applicationName(index: number): string {
  return `application ${index + 1}`;
}

export function givesOf(step: Step): readonly string[] {
  return singleSteps([step]).flatMap((one) => ('as' in one ? [one.as] : []));
}

/** Changes a step, or each part of a step whose parts are sent at once. */
export function withParts(step: Step, change: (part: SingleStep) => SingleStep): Step {
  return step.do === 'at once' ? { ...step, steps: step.steps.map(change) } : change(step);
}

export function withIds(step: Step, project: (id: string) => string, user: typeof project): Step {
  return withParts(step, (one) => ({
    ...one,
    ...('project' in one && { project: project(one.project) }),
    ...('user' in one && { user: user(one.user) }),
  }));
}

export function describeStep(step: Step): string {
  const channel = 'channel' in step && step.channel !== undefined ? ` ${step.channel}` : '';
  return `${described(step)}${channel}`;
}

function described(step: Step): string {
  switch (step.do) {
    case 'authorize': {
      const [app, address] = [step.application, step.address];
      const who = `${forApplication(app)}${address === 0 ? '' : ` to its address ${address + 1}`}`;
      const state = step.state === undefined ? '' : ' with `state`';
      const visit = step.visit === undefined ? '' : ` ${step.visit}`;
      return `authorize${who} for ${step.scope}${state}${visit}${spelt(step.spelling)} → ${step.as}`;
    }
    case 'authorize wrongly':
      return `authorize${forApplication(step.application)}${step.scope === undefined ? '' : ` for ${step.scope}`}: ${step.how}${spelt(step.spelling)}`;
    case 'exchange':
    case 'refresh':
      return `${step.do} ${needsOf(step).join()}${spelt(step.spelling)} → ${step.as}`;
    case 'exchange wrongly':
    case 'refresh wrongly':
      return `${step.do.split(' ')[0]} ${needsOf(step).join()}: ${step.how}${spelt(step.spelling)}`;
    case 'forget consent':
      return 'consent is forgotten';
    case 'create application':
      return `create ${step.as} in the account area${step.odd ? ', with an odd name and two addresses' : ''}`;
    case 'wait':
      return `wait ${step.seconds} s`;
    case 'at once':
      return `at once: ${step.steps.map((one, i) => `(${partLetter(i)}) ${describeStep(one)}`).join('; ')}`;
    case 'list':
      return `list project ${step.project} with ${step.with}${spelt(step.spelling, 'ids percent-encoded')}`;
    default:
      return `${step.do} user ${step.user} ${step.do === 'assign' ? 'to' : 'from'} project ${step.project} with ${step.with}${spelt(step.spelling, 'ids percent-encoded')}`;
  }
}

/** Returns the letter of a part of a step whose parts are sent at once. */
export function partLetter(index: number): string {
  return 'abcdefgh'[index] ?? String(index + 1);
}

function forApplication(index: number): string {
  if (index === 0) return '';
  return index === 1 ? ' for the second application' : ` for ${applicationName(index)}`;
}

function spelt(spelling: OperationSpelling | undefined, percent = 'percent-encoded'): string {
  if (spelling === undefined) return '';
  const { order, accept, encoding } = spelling;
  const ways = [
    order && `parameters in the order ${order.map((i) => i + 1).join(' ')}`,
    spelling.charset && 'Content-Type with a charset',
    spelling.head && 'HEAD',
    accept && (accept === 'none' ? 'no Accept' : `Accept: ${accept}`),
    encoding && `Accept-Encoding: ${encoding}`,
    spelling.unlessSame && 'If-None-Match',
    spelling.unlessSince && 'If-Modified-Since',
    spelling.host && 'Host in capitals',
    spelling.percent && percent,
    spelling.body && 'with a body',
    spelling.noLength && 'without a length',
    spelling.cut && 'cut off before the answer',
    spelling.kept && 'on a kept connection',
  ].filter((way) => way !== undefined);
  return ways.length === 0 ? '' : ` (${ways.join(', ')})`;
}

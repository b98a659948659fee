import type { Target } from '../../../service/target.ts';
import { authorizeAll, type OperationSpelling, type Step, type Visit } from '../steps.ts';

/** The documented flow in one context: each context differs from the usual one in one value. */
export interface ContextRow {
  /** Completes "refresh to be honoured, …". */
  readonly name: string;
  readonly steps: readonly Step[];
  /** The place that the row is about. */
  readonly at?: At;
  readonly if?: boolean;
}

interface At {
  readonly application?: number;
  readonly address?: number;
  readonly visit?: Visit;
}

export interface ContextAbilities {
  /** A refresh before the expiry is honoured. */
  readonly early: boolean;
  /** Replays and other requests that a service may answer by revoking are allowed. */
  readonly refusals: boolean;
}

/** Seconds behind the expiry. */
export const EXPIRED = 7_215;

interface Parts {
  readonly at?: At;
  /** Before the flow's own authorization. */
  readonly before?: readonly Step[];
  /** Between exchange and the first call. */
  readonly beside?: readonly Step[];
  /** Before the refresh. */
  readonly aged?: readonly Step[];
  readonly after?: readonly Step[];
}

/** Makes the flow of a target, with more steps in it. */
export class ContextFlow {
  readonly target: Target;
  readonly early: boolean;
  readonly refusals: boolean;

  constructor(target: Target, { early, refusals }: ContextAbilities) {
    this.target = target;
    this.early = early;
    this.refusals = refusals;
  }

  readonly list = (
    pair: string,
    spelling?: OperationSpelling,
    at: string = this.target.projects[0],
  ): Step => ({
    do: 'list',
    project: at,
    with: pair,
    ...(spelling && { spelling }),
  });

  readonly change = (
    operation: 'assign' | 'unassign',
    pair = 'pair 1',
    user: string = this.target.users[0],
    spelling?: OperationSpelling,
    at: string = this.target.projects[0],
  ): Step => ({
    do: operation,
    project: at,
    user,
    with: pair,
    ...(spelling && { spelling }),
  });

  readonly use = (pair: string): readonly Step[] => [
    this.change('assign', pair),
    this.list(pair),
    this.change('unassign', pair),
    this.list(pair),
  ];

  readonly refresh = (aged: readonly Step[], then = this.use('pair 2')): readonly Step[] => {
    if (!this.early && this.target.clock === undefined) return [];
    const waits: readonly Step[] = this.early || aged.length > 0 ? [] : [wait(EXPIRED)];
    return [...aged, ...waits, { do: 'refresh', pair: 'pair 1', as: 'pair 2' }, ...then];
  };

  readonly flow = ({ at, before = [], beside = [], aged = [], after = [] }: Parts): readonly Step[] => [
    ...before,
    authorizeAll('code 1', at),
    exchange('code 1', 'pair 1'),
    ...beside,
    ...this.use('pair 1'),
    ...this.refresh(aged),
    ...after,
  ];
}

export function wait(seconds: number): Step {
  return { do: 'wait', seconds };
}

export function exchange(code: string, as: string): Step {
  return { do: 'exchange', code, as };
}

/** A grant of the second application, beside the flow. */
export const OTHER_GRANT: readonly Step[] = [
  authorizeAll('code 2', { application: 1 }),
  exchange('code 2', 'pair B'),
];

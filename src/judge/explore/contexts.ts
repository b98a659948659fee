import type { Target } from '../../target/target.ts';
import { NO_TOKEN, type Step, UNKNOWN_TOKEN } from './steps.ts';

/** The documented flow in one context: each context differs from the usual one in one value. */
export interface Context {
  /** Completes "refresh to be honoured, …". */
  readonly name: string;
  readonly steps: readonly Step[];
}

interface Abilities {
  /** A refresh before the expiry is honoured. */
  readonly early: boolean;
  /** Replays and other requests that a service may answer by revoking are allowed. */
  readonly refusals: boolean;
}

/** Seconds behind the expiry, and a time of every age of a token over midnight (UTC). */
const EXPIRED = 7_215;
const A_DAY = 86_400;

type At = Readonly<{ application: number; address: number }>;
const USUAL: At = { application: 0, address: 0 };

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

/**
 * Returns the flow in each context that a target can be in, the likeliest faults first: authorize, exchange, assign, list, unassign,
 * list, refresh, list with the new token.
 */
export function contextsOf(target: Target, { early, refusals }: Abilities): readonly Context[] {
  const { projects, users, clock, shared, secondApplication, application } = target;
  const [project, user] = [projects[0], users[0]];
  const list = (pair: string, spelling?: Extract<Step, { do: 'list' }>['spelling']): Step => ({
    do: 'list',
    project,
    with: pair,
    ...(spelling && { spelling }),
  });
  const change = (operation: 'assign' | 'unassign', pair = 'pair 1', who = user): Step => ({
    do: operation,
    project,
    user: who,
    with: pair,
  });
  const mayRefresh = early || clock !== undefined;
  const refresh = (aged: readonly Step[]): readonly Step[] => {
    if (!mayRefresh) return [];
    const waits: readonly Step[] = early || aged.length > 0 ? [] : [{ do: 'wait', seconds: EXPIRED }];
    return [...aged, ...waits, { do: 'refresh', pair: 'pair 1', as: 'pair 2' }, ...use('pair 2')];
  };
  const use = (pair: string): readonly Step[] => [
    change('assign', pair),
    list(pair),
    change('unassign', pair),
    list(pair),
  ];
  const flow = ({ at = USUAL, before = [], beside = [], aged = [], after = [] }: Parts) => [
    ...before,
    code('code 1', at),
    exchange('code 1', 'pair 1'),
    ...beside,
    ...use('pair 1'),
    ...refresh(aged),
    ...after,
  ];
  const other: At = { application: 1, address: 0 };
  const second = secondApplication?.redirectUris ?? [];
  const created = application.redirectUris.length > 0 && !shared && target.pages.accountArea !== undefined;
  const places = [
    ...application.redirectUris
      .slice(1)
      .map((_, index) => named('at another address', { application: 0, address: index + 1 })),
    ...second.map((_, address) => named('for the second application', { application: 1, address })),
    ...(created
      ? [0, 1].map((address) =>
          named('for an application from the account area', {
            application: target.secondApplication ? 2 : 1,
            address,
          }),
        )
      : []),
  ];
  const creates = ({ application: number }: At): readonly Step[] =>
    number > (secondApplication ? 1 : 0)
      ? [{ do: 'create application', as: `application ${number + 1}`, odd: true }]
      : [];
  const times: readonly (readonly [string, readonly Step[], readonly Step[]])[] =
    clock === undefined
      ? []
      : [
          ['after the expiry', [{ do: 'wait', seconds: EXPIRED }], []],
          ['over midnight', [{ do: 'wait', seconds: A_DAY / 2 }], []],
          [
            'after an early refresh',
            early ? [{ do: 'wait', seconds: 100 }] : [],
            [{ do: 'wait', seconds: EXPIRED }, list('pair 1'), list('pair 2')],
          ],
        ];
  return [
    {
      name: 'beside a second grant of the same user',
      steps: flow({
        beside: [code('code 2'), exchange('code 2', 'pair B'), list('pair 1')],
        after: [list('pair B')],
      }),
    },
    { name: 'with the newer of two codes', steps: flow({ before: [code('code 2')] }) },
    ...(second.length === 0
      ? []
      : [
          {
            name: 'beside a grant of the other application',
            steps: flow({
              beside: [code('code 2', other), exchange('code 2', 'pair B'), list('pair 1')],
              after: [list('pair B')],
            }),
          },
        ]),
    {
      name: 'after refused requests',
      steps: flow({
        beside: [list(NO_TOKEN), list(UNKNOWN_TOKEN), { ...change('assign'), with: NO_TOKEN } as Step],
      }),
    },
    { name: 'after HEAD', steps: flow({ beside: [list('pair 1', { head: true })] }) },
    {
      name: 'with a list that changes between two conditional requests',
      steps: flow({
        beside: [
          list('pair 1'),
          list('pair 1', { unlessSame: true }),
          change('assign'),
          list('pair 1', { unlessSame: true }),
          change('unassign'),
          list('pair 1', { unlessSame: true }),
        ],
      }),
    },
    {
      name: 'with a compressed list',
      steps: flow({
        beside: [
          ...users.slice(0, 3).map((who) => change('assign', 'pair 1', who)),
          list('pair 1', { encoding: 'gzip' }),
          list('pair 1', { encoding: 'identity' }),
          ...users.slice(0, 3).map((who) => change('unassign', 'pair 1', who)),
        ],
      }),
    },
    ...(clock !== undefined && early
      ? [
          {
            name: 'with a second refresh, past the end of the first token',
            steps: [
              code('code 1'),
              exchange('code 1', 'pair 1'),
              { do: 'wait', seconds: 7_000 },
              { do: 'refresh', pair: 'pair 1', as: 'pair 2' },
              { do: 'refresh', pair: 'pair 2', as: 'pair 3' },
              { do: 'wait', seconds: 400 },
              ...use('pair 3'),
            ] as const,
          },
        ]
      : []),
    ...places.flatMap(({ name, at }) => [
      { name, steps: flow({ at, before: creates(at) }) },
      ...times.map(([when, aged, after]) => ({
        name: `${name}, ${when}`,
        steps: flow({ at, before: creates(at), aged, after }),
      })),
    ]),
    ...times.map(([name, aged, after]) => ({ name, steps: flow({ aged, after }) })),
    ...(shared
      ? []
      : [
          {
            name: 'after a denial',
            steps: flow({ before: [{ do: 'authorize wrongly', how: 'deny', application: 0 }] }),
          },
        ]),
    ...(shared || second.length === 0
      ? []
      : [
          {
            name: 'after consent to the other application',
            steps: flow({
              before: [{ do: 'forget consent' }, code('code 2', other), exchange('code 2', 'pair B')],
            }),
          },
        ]),
    ...(refusals
      ? [
          {
            name: 'beside the replay of the code of another grant',
            steps: flow({
              before: [code('code 2', second.length === 0 ? USUAL : other), exchange('code 2', 'pair B')],
              beside: [exchange('code 2', 'pair of the replay')],
            }),
          },
          ...(early
            ? [
                {
                  name: 'with two refreshes of one token at once',
                  steps: flow({
                    before: [code('code 2'), exchange('code 2', 'pair B')],
                    beside: [
                      {
                        do: 'at once',
                        steps: [
                          { do: 'refresh', pair: 'pair B', as: 'pair C' },
                          { do: 'refresh', pair: 'pair B', as: 'pair D' },
                        ],
                      },
                    ],
                  }),
                },
              ]
            : []),
        ]
      : []),
  ];
}

function named(name: string, at: At) {
  return { name, at };
}

function code(as: string, { application, address }: At = USUAL): Step {
  return { do: 'authorize', as, application, address, scope: 'read write destroy' };
}

function exchange(from: string, as: string): Step {
  return { do: 'exchange', code: from, as };
}

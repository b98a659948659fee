import { authorizeAll, NO_TOKEN, UNKNOWN_TOKEN } from '../steps.ts';
import { type ContextFlow, type ContextRow, wait } from './flow.ts';

/** Seconds after which a change has another date. */
const TWO_DATES = 2;

const KEPT = { spelling: { kept: true } } as const;

/** Users whose list is worth compressing. */
const SOME = 3;

/** Returns the flow with other forms of its requests. */
export function requestRows({ target, early, list, change, flow }: ContextFlow): readonly ContextRow[] {
  const { users, projects } = target;
  const [, elsewhere] = projects;
  const some = users.slice(0, SOME);
  // The answer that was cut off would show a user in a project without one.
  const cutOff =
    elsewhere === undefined
      ? [list('pair 1', { cut: true })]
      : [
          change('assign', 'pair 1', users[0], undefined, elsewhere),
          list('pair 1', { cut: true }, elsewhere),
          list('pair 1'),
          change('unassign', 'pair 1', users[0], undefined, elsewhere),
        ];
  return [
    {
      name: 'after refused requests',
      steps: flow({ beside: [list(NO_TOKEN), list(UNKNOWN_TOKEN), change('assign', NO_TOKEN)] }),
    },
    {
      name: 'after HEAD',
      steps: flow({
        beside: [
          list('pair 1', { head: true }),
          change('assign'),
          list('pair 1'),
          list(NO_TOKEN, { head: true }),
          list(UNKNOWN_TOKEN, { head: true }),
        ],
      }),
    },
    {
      name: 'on the connection of a refused request',
      steps: [
        authorizeAll('code 1'),
        { do: 'exchange wrongly', code: 'code 1', how: 'unknown code', ...KEPT },
        { do: 'exchange', code: 'code 1', as: 'pair 1', ...KEPT },
        list('pair 1'),
        ...(early
          ? [
              { do: 'refresh wrongly', pair: 'pair 1', how: 'unknown token', ...KEPT } as const,
              { do: 'refresh', pair: 'pair 1', as: 'pair 2', ...KEPT } as const,
              list('pair 2'),
            ]
          : []),
      ],
    },
    { name: 'after a request that was cut off', steps: flow({ beside: cutOff }) },
    {
      name: 'with changes that have no length',
      steps: flow({
        beside: [
          change('assign', 'pair 1', users[0], { noLength: true }),
          list('pair 1'),
          change('unassign', 'pair 1', users[0], { noLength: true }),
          list('pair 1'),
        ],
      }),
    },
    {
      name: 'with a list that changes between two conditional requests',
      steps: flow({
        beside: [
          list('pair 1'),
          change('assign'),
          list('pair 1', { unlessSame: true }),
          list('pair 1', { unlessSame: true }),
          list('pair 1'),
          change('unassign'),
          list('pair 1', { unlessSame: true }),
          wait(TWO_DATES),
          list('pair 1'),
          change('assign'),
          list('pair 1', { unlessSince: true }),
          wait(TWO_DATES),
          list('pair 1'),
          change('unassign'),
          list('pair 1', { unlessSince: true }),
        ],
      }),
    },
    {
      name: 'with a compressed list',
      steps: flow({
        beside: [
          ...some.map((who) => change('assign', 'pair 1', who)),
          list('pair 1', { encoding: 'gzip' }),
          list('pair 1', { encoding: 'identity' }),
          ...some.map((who) => change('unassign', 'pair 1', who)),
          list('pair 1', { encoding: 'gzip' }),
        ],
      }),
    },
  ];
}

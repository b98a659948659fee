import { authorizeAll } from '../steps.ts';
import { type ContextFlow, type ContextRow, exchange, OTHER_GRANT } from './flow.ts';

/** Returns the flow beside other codes, grants and refreshes. */
export function grantRows({ target, early, refusals, list, use, flow }: ContextFlow): readonly ContextRow[] {
  const { secondApplication } = target;
  const second = secondApplication === undefined ? {} : { application: 1 };
  return [
    {
      name: 'beside a second grant of the same user',
      steps: flow({
        beside: [authorizeAll('code 2'), exchange('code 2', 'pair B'), list('pair 1')],
        after: [
          list('pair B'),
          ...(early ? [{ do: 'refresh', pair: 'pair B', as: 'pair C' } as const, list('pair C')] : []),
        ],
      }),
    },
    {
      name: 'beside the access token that was replaced',
      if: early,
      steps: flow({ after: [list('pair 1'), ...use('pair 2')] }),
    },
    { name: 'with the newer of two codes', steps: flow({ before: [authorizeAll('code 2')] }) },
    {
      // A service may refuse this exchange: it may know the newest code alone.
      name: 'with the older of two codes',
      steps: [
        authorizeAll('code 1'),
        { do: 'authorize', as: 'code 2', application: 0, address: 0, scope: 'read' },
        exchange('code 1', 'pair 1'),
        ...use('pair 1'),
      ],
    },
    {
      name: 'beside a grant of the other application',
      if: secondApplication !== undefined,
      steps: flow({ beside: [...OTHER_GRANT, list('pair 1')], after: [list('pair B')] }),
    },
    {
      name: 'beside the replay of the code of another grant',
      if: refusals,
      steps: flow({
        before: [authorizeAll('code 2', second), exchange('code 2', 'pair B')],
        beside: [exchange('code 2', 'pair of the replay')],
      }),
    },
    {
      name: 'beside the replay of a refresh token of another grant',
      if: refusals && early,
      steps: flow({
        before: [
          { do: 'authorize', as: 'code 2', application: 0, address: 0, ...second, scope: 'read' },
          exchange('code 2', 'pair B'),
          { do: 'refresh', pair: 'pair B', as: 'pair C' },
        ],
        beside: [{ do: 'refresh', pair: 'pair B', as: 'pair of the replay' }],
      }),
    },
    {
      name: 'with two refreshes of one token at once',
      if: refusals && early,
      steps: flow({
        before: [authorizeAll('code 2'), exchange('code 2', 'pair B')],
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
  ];
}

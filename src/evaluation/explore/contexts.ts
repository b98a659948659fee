import type { Target } from '../../service/target.ts';
import { type ContextAbilities, ContextFlow, type ContextRow } from './contexts/flow.ts';
import { grantRows } from './contexts/grants.ts';
import { browserRows, consentRows } from './contexts/pages.ts';
import { requestRows } from './contexts/requests.ts';
import { placeAndTimeRows, placeRows, scopeRows, waitingRows } from './contexts/times.ts';
import { authorizeAll, REFRESH_TOKEN_OF, type Step, type WrongExchange, type WrongRefresh } from './steps.ts';

interface Context extends Pick<ContextRow, 'name' | 'steps'> {
  /** Requests that must be refused in this context too. */
  readonly misuses: readonly Step[];
}

/** Wrong requests whose refusal may depend on the application. The checks send them for the first one. */
const WRONG_EXCHANGES: readonly WrongExchange[] = [
  'wrong secret',
  'by the other application',
  'other authorized address',
  'unknown code',
  'secret of the other application',
  'other address',
];
const WRONG_REFRESHES: readonly WrongRefresh[] = [
  'unknown token',
  'access token',
  'secret of the other application',
  'wrong secret',
  'by the other application',
];

/** Users at most that fill a project. */
const MANY = 6;

/**
 * Returns the flow in each context that a target can be in, the likeliest faults first: authorize, exchange, assign, list, unassign,
 * list, refresh, list with the new token. A wrong password is no context: its check types one, and a run may type few.
 */
export function contextsOf(target: Target, abilities: ContextAbilities): readonly Context[] {
  const flow = new ContextFlow(target, abilities);
  const rows: readonly ContextRow[] = [
    ...grantRows(flow),
    ...requestRows(flow),
    ...waitingRows(flow),
    ...placeRows(flow),
    ...consentRows(flow),
    crowdedRow(flow),
    ...browserRows(flow),
    ...scopeRows(flow),
    // Last, because they are many: a live run may end within them.
    ...placeAndTimeRows(flow),
  ];
  return rows
    .filter(({ if: isPossible = true }) => isPossible)
    .map((row) => ({
      name: row.name,
      steps: row.steps,
      misuses: row.at?.application ? misusesOf(row, flow) : [],
    }));
}

function crowdedRow({ target: { users, projects }, list, change, flow }: ContextFlow): ContextRow {
  const allIn = (where: string): readonly Step[] => {
    const many = users.slice(0, MANY);
    return [
      ...many.map((who) => change('assign', 'pair 1', who, undefined, where)),
      list('pair 1', undefined, where),
      ...many.map((who) => change('unassign', 'pair 1', who, undefined, where)),
      list('pair 1', undefined, where),
    ];
  };
  return {
    name: 'with every user in a project',
    steps: flow({ beside: [projects[0], ...projects.slice(1, 2)].flatMap((where) => allIn(where)) }),
  };
}

/** Returns wrong exchanges, calls and refreshes of an application. */
function misusesOf({ steps, at }: ContextRow, { list, change }: ContextFlow): readonly Step[] {
  const pair = steps.findLast((step) => step.do === 'refresh' || step.do === 'exchange')?.as ?? '';
  return [
    ...WRONG_EXCHANGES.flatMap((how, index): readonly Step[] => {
      const code = `code of misuse ${index + 1}`;
      return [authorizeAll(code, at), { do: 'exchange wrongly', code, how }];
    }),
    change('assign', `${REFRESH_TOKEN_OF}${pair}`),
    list(pair),
    ...WRONG_REFRESHES.map((how): Step => ({ do: 'refresh wrongly', pair, how })),
  ];
}

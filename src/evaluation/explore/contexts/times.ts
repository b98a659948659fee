import { SOME_SCOPES } from '../../../document/profiles/scope-sets.ts';
import type { Target } from '../../../service/target.ts';
import { authorizeAll, type Step } from '../steps.ts';
import { type ContextFlow, type ContextRow, EXPIRED, exchange, wait } from './flow.ts';

/** Seconds in which a token is still good, whatever the clocks. */
const NEARLY_EXPIRED = 7_000;
/** Seconds for which most codes are good, and from then on: a token that began to age with its code is dead after both. */
const [CODE_WAITS, THEN_EXPIRES] = [45, 7_170];
/** Seconds until an early refresh, and from then on: the first token is dead after both. */
const EARLY = 3_650;
/** Seconds of half a day, in which a token expires and the date may change. */
const HALF_A_DAY = 43_200;

/** An application and one of its addresses, which the flow's own code is for. */
interface ApplicationAddress {
  readonly name: string;
  readonly application: number;
  readonly address: number;
}

/** A time at which the pair is refreshed, and what is asked for afterwards. */
interface Time {
  readonly name: string;
  readonly aged: readonly Step[];
  readonly after: readonly Step[];
}

/** Returns the flow with a code that waits, and with a second refresh. */
export function waitingRows({ target: { clock }, early, list, use }: ContextFlow): readonly ContextRow[] {
  return [
    {
      name: 'with a code that waited',
      if: clock !== undefined,
      steps: [
        authorizeAll('code 1'),
        wait(CODE_WAITS),
        exchange('code 1', 'pair 1'),
        list('pair 1'),
        wait(THEN_EXPIRES),
        list('pair 1'),
      ],
    },
    {
      name: clock ? 'with a second refresh, past the end of the first token' : 'with a second refresh',
      if: early,
      steps: [
        authorizeAll('code 1'),
        exchange('code 1', 'pair 1'),
        ...(clock ? [wait(7_000)] : []),
        { do: 'refresh', pair: 'pair 1', as: 'pair 2' },
        { do: 'refresh', pair: 'pair 2', as: 'pair 3' },
        ...(clock ? [wait(400)] : []),
        ...use('pair 3'),
      ],
    },
  ];
}

/** Returns the flow at each place, and at each time. */
export function placeRows(flow: ContextFlow): readonly ContextRow[] {
  return [
    ...addressesOf(flow.target).map((place) => rowFor(flow, place)),
    ...timesOf(flow).map(({ name, aged, after }) => ({ name, steps: flow.flow({ aged, after }) })),
  ];
}

/** Returns the flow at each place and time. */
export function placeAndTimeRows(flow: ContextFlow): readonly ContextRow[] {
  const times = timesOf(flow);
  return addressesOf(flow.target).flatMap((place) => times.map((time) => rowFor(flow, place, time)));
}

/** Returns refreshes of pairs with fewer scopes, which stay the same (clause 4.3). */
export function scopeRows({ target: { clock }, early, refresh }: ContextFlow): readonly ContextRow[] {
  return SOME_SCOPES.map((scope) => ({
    name: `for the scope ${scope}`,
    steps: [
      { do: 'authorize', as: 'code 1', application: 0, address: 0, scope },
      exchange('code 1', 'pair 1'),
      ...refresh(early ? [wait(100)] : [], []),
      ...(clock ? [wait(EXPIRED), { do: 'refresh', pair: 'pair 2', as: 'pair 3' } as const] : []),
    ],
  }));
}

function rowFor({ target, flow }: ContextFlow, place: ApplicationAddress, time?: Time): ContextRow {
  return {
    name: time === undefined ? place.name : `${place.name}, ${time.name}`,
    steps: flow({ ...time, at: place, before: createsFor(place, target) }),
    ...(time === undefined && { at: place }),
  };
}

/** Returns every place but the first address of the first application. */
function addressesOf({
  application,
  secondApplication,
  isLive,
  pages,
}: Target): readonly ApplicationAddress[] {
  const created = secondApplication === undefined ? 1 : 2;
  return [
    ...application.redirectUris
      .slice(1)
      .map((_, index) => ({ name: `at address ${index + 2}`, application: 0, address: index + 1 })),
    ...(secondApplication?.redirectUris ?? []).map((_, address) => ({
      name: `for the second application at address ${address + 1}`,
      application: 1,
      address,
    })),
    ...(isLive || pages.accountArea === undefined ? [] : [0, 1]).map((address) => ({
      name: `for an application from the account area at address ${address + 1}`,
      application: created,
      address,
    })),
  ];
}

function createsFor({ application }: ApplicationAddress, { secondApplication }: Target): readonly Step[] {
  if (application <= (secondApplication === undefined ? 0 : 1)) return [];
  return [{ do: 'create application', as: `application ${application + 1}`, odd: true }];
}

function timesOf({ target: { clock }, early, list, change }: ContextFlow): readonly Time[] {
  if (clock === undefined) return [];
  // A refused list proves nothing where no user is assigned.
  const oneDead = [
    change('assign', 'pair 2'),
    wait(EARLY),
    list('pair 1'),
    list('pair 2'),
    change('unassign', 'pair 2'),
  ];
  return [
    { name: 'after the expiry', aged: [wait(EXPIRED)], after: [wait(NEARLY_EXPIRED), list('pair 2')] },
    { name: 'over midnight', aged: [wait(HALF_A_DAY)], after: [] },
    { name: 'after an early refresh', aged: early ? [wait(EARLY)] : [], after: oneDead },
  ];
}

import type { Script } from '../script.ts';
import { concurrentSteps } from './at-once.ts';
import { afterARefusal, changesOfOneUser, fewerScopes, readingsOfOneList } from './lists.ts';
import { everywhere, manyChanges, manyRefreshes, sameChange } from './much.ts';
import {
  replays,
  unknownIds,
  withoutRight,
  wrongAuthorizations,
  wrongExchanges,
  wrongRefreshes,
} from './refusals.ts';
import { datePasses, lateRefresh, timePasses } from './time.ts';

export interface Scenario {
  readonly name: string;
  readonly write: (script: Script) => void;
  readonly times: number;
  readonly needs?: readonly ('refusals' | 'clock' | 'emulator')[];
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'at once', write: concurrentSteps, times: 28 },
  { name: 'time passes', write: timePasses, times: 9, needs: ['clock'] },
  { name: 'a date passes', write: datePasses, times: 3, needs: ['clock'] },
  { name: 'late refresh', write: lateRefresh, times: 2, needs: ['clock'] },
  { name: 'readings of one list', write: readingsOfOneList, times: 3 },
  { name: 'changes of one user', write: changesOfOneUser, times: 3 },
  { name: 'fewer scopes', write: fewerScopes, times: 3 },
  { name: 'after a refusal', write: afterARefusal, times: 1 },
  // On other services, an id that the suite takes for unknown may exist.
  { name: 'unknown ids', write: unknownIds, times: 2, needs: ['emulator'] },
  { name: 'wrong exchanges', write: wrongExchanges, times: 7, needs: ['refusals'] },
  { name: 'wrong refreshes', write: wrongRefreshes, times: 5, needs: ['refusals'] },
  { name: 'replays', write: replays, times: 4, needs: ['refusals'] },
  { name: 'wrong authorizations', write: wrongAuthorizations, times: 5, needs: ['refusals'] },
  { name: 'without right', write: withoutRight, times: 6, needs: ['refusals'] },
];

/** Scenarios that need many requests; drawn only with a large budget, after some cheap ones. */
export const MUCH: readonly Scenario[] = [
  { name: 'many refreshes', write: manyRefreshes, times: 1 },
  { name: 'everywhere', write: everywhere, times: 1 },
  { name: 'many changes', write: manyChanges, times: 1 },
  { name: 'the same change', write: sameChange, times: 2 },
];

import type { Defect } from '../../../src/emulator/defect.ts';
import { defects as concurrency } from './concurrency.ts';
import { defects as data } from './data.ts';
import { defects as order } from './order.ts';
import { defects as rarity } from './rarity.ts';
import { defects as reader } from './reader.ts';
import { defects as state } from './state.ts';

/**
 * Faults that one example of each sentence does not show: in some states, for some data, for some readers, in some order,
 * with requests in flight at once, or once in many times.
 */
export const SECOND_ORDER: readonly Defect[] = [
  ...state,
  ...data,
  ...reader,
  ...order,
  ...concurrency,
  ...rarity,
];

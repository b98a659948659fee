import { expect, test } from '@playwright/test';
import { SECOND_ORDER } from '../proof/second-order/index.ts';
import { concurrency } from './second-order/concurrency.ts';
import { data } from './second-order/data.ts';
import { order } from './second-order/order.ts';
import { rarity } from './second-order/rarity.ts';
import { reader } from './second-order/reader.ts';
import { state } from './second-order/state.ts';
import { openWorld } from './second-order/world.ts';

/** No check need find a defect of second order, so that each is there is shown here, by itself. */

const ROWS = [...state, ...data, ...reader, ...order, ...concurrency, ...rarity];

test('every defect of second order has a row, and one', () => {
  expect(ROWS.map((row) => row.defect)).toEqual(SECOND_ORDER.map(({ id }) => id));
});

for (const { defect, tried, sound, faulty } of ROWS) {
  test(`${defect} shows, and does not show on a sound service`, async () => {
    const defects = SECOND_ORDER.filter(({ id }) => id === defect);
    expect(sound).not.toEqual(faulty);
    expect(await tried(await openWorld([]))).toEqual(sound);
    expect(await tried(await openWorld(defects))).toEqual(faulty);
  });
}

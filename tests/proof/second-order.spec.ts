import { expect, test } from '@playwright/test';
import { SECOND_ORDER } from './second-order/index.ts';
import { concurrency } from './second-order-examples/concurrency.ts';
import { data } from './second-order-examples/data.ts';
import { order } from './second-order-examples/order.ts';
import { rarity } from './second-order-examples/rarity.ts';
import { reader } from './second-order-examples/reader.ts';
import { state } from './second-order-examples/state.ts';
import { openWorld } from './second-order-examples/world.ts';

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

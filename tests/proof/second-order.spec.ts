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

const EXAMPLES = { ...state, ...data, ...reader, ...order, ...concurrency, ...rarity };

test('every defect of second order has an example', () => {
  expect(Object.keys(EXAMPLES)).toEqual(SECOND_ORDER.map(({ id }) => id));
});

for (const [id, [story, sound, faulty]] of Object.entries(EXAMPLES)) {
  test(`${id} shows, and does not show on a sound service`, async () => {
    const defects = SECOND_ORDER.filter((one) => one.id === id);
    expect(sound).not.toEqual(faulty);
    expect(await story(await openWorld([]))).toEqual(sound);
    expect(await story(await openWorld(defects))).toEqual(faulty);
  });
}

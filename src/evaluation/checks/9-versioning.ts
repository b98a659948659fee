import { NOT_THERE } from '../../service/flow/smoke-steps.ts';
import { check } from '../language/check.ts';
import { givenEffect } from '../language/lists.ts';
import { ConformanceFailure } from '../language/outcome.ts';
import { placeFor } from '../language/places.ts';

export const checks = [
  check('version.prefix', async ({ given, users, target }) => {
    for (const operation of ['list', 'assign', 'unassign'] as const) {
      // A 404 for a user who is not assigned would not concern the path.
      if (operation === 'unassign') await givenEffect(given, 'assign', placeFor(target, 0));
      const { response } = await users[operation]().send();
      if (!NOT_THERE.includes(response.status)) continue;
      throw new ConformanceFailure(`${operation} to be answered under /v2`, `status ${response.status}`);
    }
  }),
];

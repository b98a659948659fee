import { check } from '../../support/check/check.ts';
import { ConformanceFailure } from '../../support/check/outcome.ts';

/** Statuses that say that there is nothing at an address, or nothing for this method. */
const NOT_THERE = [404, 405, 410, 501];

/** Clause 9: the version prefix. */
export const checks = [
  check('version.prefix', async ({ users }) => {
    for (const operation of ['list', 'assign', 'unassign'] as const) {
      const { response } = await users[operation]().answer();
      if (!NOT_THERE.includes(response.status)) continue;
      throw new ConformanceFailure(`${operation} to be answered under /v2`, `status ${response.status}`);
    }
  }),
];

import { isSuccess } from '../../exchange/exchange.ts';
import type { Operation } from '../../flow/requests.ts';
import { aspectsOfPoint } from '../../profiles/aspects.ts';
import { growsWith, SCOPE_SETS, smallestSets } from '../../profiles/scope-sets.ts';
import { ALL_SCOPES } from '../../targets/target.ts';
import type { Lab } from '../lab.ts';
import { noteResourceFailure } from '../notes.ts';
import type { Probe } from '../probe.ts';

const OPERATIONS = ['list', 'unassign', 'assign'] as const satisfies readonly Operation[];

/** Open point 2: each scope set is granted once, and each operation tried with its token. */
export const scopes: Probe = {
  openPoint: 'scope-per-operation',
  aspects: [...aspectsOfPoint('scope-per-operation'), 'resource-failures.insufficient-scope'],
  requests: 7 * 9 + 2,
  async run(lab) {
    const all = await lab.accessToken();
    const allowed: Record<Operation, string[]> = { assign: [], unassign: [], list: [] };
    for (const scope of SCOPE_SETS) {
      const { accessToken: token } = scope === ALL_SCOPES ? { accessToken: all } : await lab.pair({ scope });
      await lab.operate('assign', { token: all });
      for (const operation of OPERATIONS) {
        const response = await lab.operate(operation, { token });
        if (isSuccess(response)) allowed[operation].push(scope);
        else if (lab.seen('resource-failures.insufficient-scope') === undefined) {
          noteResourceFailure(lab, 'insufficient-scope', response);
        }
      }
    }
    if (lab.seen('resource-failures.insufficient-scope') === undefined) {
      lab.see('resource-failures.insufficient-scope', null);
    }
    await lab.operate('unassign', { token: all });
    for (const operation of OPERATIONS) seeAllowed(lab, operation, allowed[operation]);
  },
};

/** Where more scopes allow less, all sets are told, for the smallest ones do not say it. */
function seeAllowed(lab: Lab, operation: Operation, allowed: readonly string[]): void {
  lab.see(
    `scope-per-operation.${operation}`,
    growsWith(allowed) ? smallestSets(allowed) : allowed,
    'a token of each scope set, and what it was allowed',
  );
}

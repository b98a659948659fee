import { isSuccess } from '../../exchange/exchange.ts';
import type { Operation } from '../../flow/request-style.ts';
import { aspectsOfPoint } from '../../profiles/aspects.ts';
import { growsWith, SCOPE_SETS, smallestSets } from '../../profiles/scope-sets.ts';
import { ALL_SCOPES } from '../../targets/target.ts';
import { noteResourceFailure } from '../note-refusal.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { challengeOf } from '../read.ts';

const OPERATIONS = ['list', 'unassign', 'assign'] as const satisfies readonly Operation[];

export const scopes: Probe = {
  openPoint: 'scope-per-operation',
  aspects: [
    ...aspectsOfPoint('scope-per-operation'),
    'resource-failures.insufficient-scope',
    'resource-failures.challenge-scope',
  ],
  requests: 7 * 9 + 2,
  async run(context) {
    const all = await context.accessToken();
    const allowed: Record<Operation, string[]> = { assign: [], unassign: [], list: [] };
    for (const scope of SCOPE_SETS) {
      const { accessToken: token } =
        scope === ALL_SCOPES ? { accessToken: all } : await context.pair({ scope });
      await context.operate('assign', { token: all });
      for (const operation of OPERATIONS) {
        const response = await context.operate(operation, { token });
        if (isSuccess(response)) allowed[operation].push(scope);
        else if (context.seen('resource-failures.insufficient-scope') === undefined) {
          noteResourceFailure(context, 'insufficient-scope', response);
          const { error, scope: named } = challengeOf(response)?.parameters ?? {};
          context.see('resource-failures.challenge-scope', error ? named !== undefined : null);
        }
      }
    }
    if (context.seen('resource-failures.insufficient-scope') === undefined) {
      context.see('resource-failures.insufficient-scope', null);
      context.see('resource-failures.challenge-scope', null);
    }
    await context.operate('unassign', { token: all });
    for (const operation of OPERATIONS) seeAllowed(context, operation, allowed[operation]);
  },
};

/** Records all sets if larger sets allow less, because the smallest sets do not show that. */
function seeAllowed(context: ProbeContext, operation: Operation, allowed: readonly string[]): void {
  context.see(
    `scope-per-operation.${operation}`,
    growsWith(allowed) ? smallestSets(allowed) : allowed,
    'a token of each scope set, and what it was allowed',
  );
}

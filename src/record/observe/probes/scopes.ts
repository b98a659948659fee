import { aspectsOfPoint } from '../../../document/profiles/aspects.ts';
import { isMonotonic, SCOPE_SETS, smallestSets, suffices } from '../../../document/profiles/scope-sets.ts';
import { memberOf } from '../../../http/answer-body.ts';
import { isSuccess } from '../../../http/exchange.ts';
import { failureShape, refusalOf } from '../../../service/flow/answer-shape.ts';
import type { ReceivedPair, TokenAnswer } from '../../../service/flow/answers.ts';
import { pairOf, tokensOf } from '../../../service/flow/flow-steps.ts';
import type { Operation } from '../../../service/flow/requests.ts';
import { ALL_SCOPES } from '../../../service/target.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';

const OPERATIONS = ['list', 'unassign', 'assign'] as const satisfies readonly Operation[];

export const scopes: Probe = {
  aspects: [...aspectsOfPoint('scope-per-operation'), 'resource-failures.insufficient-scope'],
  async run(context) {
    const all = await context.accessToken();
    const allowed: Record<Operation, string[]> = { assign: [], unassign: [], list: [] };
    for (const scope of SCOPE_SETS) {
      const token = scope === ALL_SCOPES ? all : (await context.pair({ scope })).accessToken;
      await context.operate('assign', { token: all });
      for (const operation of OPERATIONS) {
        const response = await context.operate(operation, { token });
        if (isSuccess(response)) allowed[operation].push(scope);
        else if (context.seen('resource-failures.insufficient-scope') === undefined)
          context.see('resource-failures.insufficient-scope', failureShape(response));
      }
    }
    if (context.seen('resource-failures.insufficient-scope') === undefined)
      context.see('resource-failures.insufficient-scope', null);
    await context.operate('unassign', { token: all });
    for (const operation of OPERATIONS) {
      const sets = allowed[operation];
      // The smallest sets do not show that larger ones allow less.
      const shown = isMonotonic(sets) ? smallestSets(sets) : sets;
      context.see(
        `scope-per-operation.${operation}`,
        shown,
        'a token of each scope set, and what it was allowed',
      );
    }
  },
};

interface Fewer {
  readonly scope: string;
  readonly forbids?: Operation;
}

export const scopeRequests: Probe = {
  aspects: [
    ...aspectsOfPoint('scope-requests'),
    'token-failures.refresh.narrower-scope',
    'token-failures.refresh.wider-scope',
    'token-failures.exchange.unwanted-scope',
  ],
  async run(context) {
    const exchanged = await context.exchange('exchange with a scope', await context.code(), {
      scope: 'read',
    });
    context.see('token-failures.exchange.unwanted-scope', refusalOf(exchanged));
    context.see(
      'scope-requests.on-exchange',
      context.pairOf(exchanged) === undefined ? 'refused' : 'ignored',
    );
    const issued = await context.exchange('exchange the code', await context.code());
    const whole = pairOf('exchange', tokensOf('exchange', issued));
    const fewer = visibly(context, issued);
    const scope = typeof fewer === 'object' ? fewer.scope : 'read';
    const part = await context.pair({ scope });
    await context.waitUntilRefreshIsAllowed();
    await refreshed(context, 'narrower', whole, scope, fewer);
    await refreshed(context, 'wider', part, ALL_SCOPES, fewer);
  },
};

async function refreshed(
  context: ProbeContext,
  what: 'narrower' | 'wider',
  pair: ReceivedPair,
  scope: string,
  fewer: Fewer | undefined | 'unknown',
): Promise<void> {
  const answer = await context.refresh(`refresh with a ${what} scope`, pair.refreshToken, { scope });
  context.see(`token-failures.refresh.${what}-scope`, refusalOf(answer));
  const next = context.pairOf(answer);
  const aspect = `scope-requests.${what}-on-refresh` as const;
  if (next === undefined) return context.see(aspect, 'refused');
  if (fewer === 'unknown') {
    return context.cannot(
      aspect,
      'it is not known which scopes forbid what (observe scope-per-operation too)',
    );
  }
  if (fewer === undefined) return context.see(aspect, null);
  const hasAll = await allows(context, next.accessToken, answer, fewer);
  context.see(aspect, hasAll === (what === 'wider') ? 'granted' : 'ignored');
}

/**
 * Chooses scopes that forbid an operation, so that a token's scopes can be tested; otherwise the answer's own words count.
 *
 * @returns `unknown` if no probe has tested the scopes, and no answer names the granted ones
 */
function visibly(context: ProbeContext, { response }: TokenAnswer): Fewer | undefined | 'unknown' {
  const stated = typeof memberOf(response, 'scope') === 'string';
  for (const forbids of ['list', 'unassign', 'assign'] as const) {
    const smallest = context.seen(`scope-per-operation.${forbids}`) as readonly string[] | undefined;
    if (smallest === undefined) return stated ? { scope: 'read' } : 'unknown';
    const scope = SCOPE_SETS.find((set) => set !== ALL_SCOPES && !suffices(set, smallest));
    if (scope !== undefined && suffices(ALL_SCOPES, smallest)) return { scope, forbids };
  }
  return stated ? { scope: 'read' } : undefined;
}

async function allows(
  context: ProbeContext,
  token: string,
  { response }: TokenAnswer,
  { forbids, scope }: Fewer,
): Promise<boolean> {
  if (forbids === undefined) {
    const stated = memberOf(response, 'scope');
    return typeof stated === 'string' && stated.split(' ').length > scope.split(' ').length;
  }
  if (forbids === 'unassign') await context.operate('assign');
  const honoured = isSuccess(await context.operate(forbids, { token }));
  if (forbids !== 'list') await context.operate('unassign');
  return honoured;
}

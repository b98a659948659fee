import type { RequirementId, StepId } from '../../../generated/ids.ts';
import { toEvidence } from '../../exchange/to-evidence.ts';
import type { SmokeRun } from '../../flow/smoke-run.ts';
import { STEP_OWNER, type StepOutcome } from '../../flow/smoke-steps.ts';
import type { RequirementResult } from '../../report/results.ts';
import type { Check } from '../check.ts';
import {
  type CheckEnvironment,
  type CheckOutcome,
  notRun,
  ownerOfWorkaround,
  runCheck,
} from './run-check.ts';

/** Requirements that a smoke run evaluates by one step of its base flow, where the full check takes several. */
const STEP_OF: Readonly<Partial<Record<RequirementId, StepId>>> = {
  'authorize.redirects-with-code': 'authorize',
  'exchange.form-encoded': 'exchange',
  'exchange.token-acts': 'act',
  'version.prefix': 'act',
  'assign.adds-user': 'assign',
  'unassign.removes-user': 'unassign',
  'refresh.token-response': 'refresh',
};

/** Requirements whose full check needs only the answers of the base flow. */
const ANSWERED: readonly RequirementId[] = [
  'exchange.token-type-bearer',
  'exchange.expires-in-7200',
  'refresh.token-type-bearer',
  'refresh.expires-in-7200',
  'token.json-content-type',
  'token.not-cacheable',
];

export const SMOKE_CHECKS: readonly RequirementId[] = [
  ...(Object.keys(STEP_OF) as RequirementId[]),
  ...ANSWERED,
];

/** Evaluates a check on the answers of the base flow. */
export async function smokeOutcome(
  check: Check,
  smoke: SmokeRun,
  environment: CheckEnvironment,
): Promise<CheckOutcome> {
  const step = STEP_OF[check.id];
  if (step !== undefined) return byStep(check.id, step, environment);
  return runCheck(check, { ...environment, session: smoke.afterwards(environment.smokeFlow.requestStyle) });
}

function byStep(
  id: RequirementId,
  step: StepId,
  { smokeFlow, session, bodyView }: CheckEnvironment,
): CheckOutcome {
  const none = notRun(id, '');
  const taken = smokeFlow.steps.find((one) => one.step === step);
  const evidence = toEvidence(taken?.entries ?? [], session.secrets, bodyView);
  return {
    ...none,
    result: { ...none.result, ...ending(id, none.result.clause, taken, smokeFlow.stopped), evidence },
  };
}

function ending(
  id: RequirementId,
  clause: string,
  taken: StepOutcome | undefined,
  stopped: StepOutcome | undefined,
): Pick<RequirementResult, 'result' | 'reason' | 'blockedBy' | 'signature'> {
  if (taken === undefined) {
    const owner = stopped && STEP_OWNER[stopped.step];
    const reason = `the smoke flow stopped earlier: ${stopped?.message ?? 'for an unknown reason'}`;
    return owner === undefined
      ? { result: 'not-run', reason }
      : { result: 'blocked', reason, blockedBy: owner };
  }
  if (taken.status === 'done') return { result: 'pass', reason: '' };
  if (taken.status === 'departed' || taken.status === 'wrong') {
    if (ownerOfWorkaround(taken) !== id && taken.status === 'departed') return { result: 'pass', reason: '' };
    const got = taken.message;
    return { result: 'fail', reason: `clause ${clause}: ${got}`, signature: got };
  }
  return { result: 'not-run', reason: taken.message };
}

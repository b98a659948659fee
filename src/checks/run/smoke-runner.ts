import type { RequirementId, StepId } from '../../../generated/ids.ts';
import { toEvidence } from '../../exchange/to-evidence.ts';
import type { SmokeWalk } from '../../flow/smoke-run.ts';
import { STEP_OWNER, type StepOutcome } from '../../flow/smoke-steps.ts';
import type { RequirementResult } from '../../report/results.ts';
import type { Check } from '../check.ts';
import type { PreparedTarget, ReadyTarget } from './prepare-target.ts';
import { type CheckOutcome, notRun, ownerOfWorkaround, runCheck } from './run-check.ts';

/** Requirements that a smoke run evaluates by one step of its base flow, where the full check takes several. */
const WALKED: Readonly<Partial<Record<RequirementId, StepId>>> = {
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
  ...(Object.keys(WALKED) as RequirementId[]),
  ...ANSWERED,
];

export class SmokeRunner {
  readonly #prepared: PreparedTarget;
  readonly #walk: SmokeWalk | undefined;

  constructor(prepared: PreparedTarget, walk: SmokeWalk | undefined) {
    this.#prepared = prepared;
    this.#walk = walk;
  }

  async run(check: Check): Promise<CheckOutcome> {
    const prepared = this.#prepared;
    if (!prepared.ready) return notRun(check.id, prepared.trouble.message);
    const step = WALKED[check.id];
    if (step !== undefined) return byStep(check.id, step, prepared);
    if (this.#walk === undefined)
      return notRun(check.id, 'the smoke flow did not run, so there is nothing to evaluate');
    const { environment } = prepared;
    return runCheck(check, { ...environment, session: this.#walk.afterwards(environment.walk.requestStyle) });
  }
}

function byStep(id: RequirementId, step: StepId, { environment }: ReadyTarget): CheckOutcome {
  const { catalogue, walk, session, bodyView } = environment;
  const { clause, level } = catalogue.requirement(id);
  const taken = walk.steps.find((one) => one.step === step);
  return {
    result: {
      id,
      clause,
      level,
      ...ending(id, clause, taken, walk.stopped),
      durationMs: 0,
      evidence: toEvidence(taken?.entries ?? [], session.secrets, bodyView),
    },
    observations: [],
    facts: [],
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
    const reason = `the walk ended before: ${stopped?.message ?? 'for an unknown reason'}`;
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

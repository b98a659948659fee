import type { RequirementId } from '../../../generated/ids.ts';
import { toEvidence } from '../../http/to-evidence.ts';
import { type Answered, type TokenAnswer, tokensIn } from '../../service/flow/answers.ts';
import { Stopped } from '../../service/flow/flow-steps.ts';
import type { SmokeFlow, StepId, StepOutcome } from '../../service/flow/smoke-steps.ts';
import { type Check, check } from '../language/check.ts';
import { ConformanceFailure, NotRun } from '../language/outcome.ts';
import { OF_RESPONSES, type ResponseOf } from '../language/token-response.ts';
import type { CheckEnvironment, CheckOutcome } from './check-outcome.ts';
import { runCheck } from './run-check.ts';

/** Requirements that a smoke run evaluates by one step of its smoke flow, where the full check takes several. */
const STEP_OF: Readonly<Partial<Record<RequirementId, StepId>>> = {
  'authorize.redirects-with-code': 'authorize',
  'exchange.form-encoded': 'exchange',
  'exchange.token-acts': 'act',
  'version.prefix': 'act',
  'assign.adds-user': 'assign',
  'unassign.removes-user': 'unassign',
  'refresh.token-response': 'refresh',
};

/** The checks of `check --smoke`. */
export const SMOKE_CHECKS = [
  ...Object.keys(STEP_OF),
  ...Object.keys(OF_RESPONSES),
] as readonly RequirementId[];

/** Runs a check of {@link SMOKE_CHECKS} on the answers of the smoke flow, which has run already. */
export async function smokeOutcome({ id }: Check, environment: CheckEnvironment): Promise<CheckOutcome> {
  const { smokeFlow, session, answerView } = environment;
  const step = STEP_OF[id];
  const [expect, ...responses] = OF_RESPONSES[id] ?? [];
  const evaluated = check(id, async ({ given }) => {
    if (step !== undefined) expectDone(takenIn(smokeFlow, step));
    for (const of of responses)
      if (responses.length === 1 || of === 'exchange' || given.mayRefresh)
        expect?.(answerOf(of, smokeFlow), of);
  });
  const outcome = await runCheck(evaluated, environment);
  const steps: readonly (StepId | undefined)[] = [step, ...responses];
  const entries = smokeFlow.steps.flatMap((one) => (steps.includes(one.step) ? one.entries : []));
  const evidence = toEvidence(entries, session.secrets, answerView);
  return { ...outcome, result: { ...outcome.result, evidence } };
}

/** Returns a step of the smoke flow. @throws Stopped if the flow did not come to it, or NotRun if it has none */
function takenIn({ steps, stopped }: SmokeFlow, wanted: StepId): StepOutcome {
  const taken = steps.find(({ step }) => step === wanted);
  if (taken !== undefined) return taken;
  throw (stopped && whyNot(stopped)) ?? new NotRun(`the smoke flow sent no ${wanted}`);
}

/** Returns why a step was not done; undefined if it was. */
function whyNot({ step, status, message, ...clues }: StepOutcome): Stopped | undefined {
  return status === 'done' || status === 'workaround'
    ? undefined
    : new Stopped(step, status, message, { clues });
}

function expectDone(taken: StepOutcome): void {
  const { status, message } = taken;
  if (status === 'wrong') throw new ConformanceFailure('the documented request to be honoured', message);
  if (whyNot(taken) !== undefined) throw new NotRun(message);
}

/** Returns the token response of a step of the smoke flow. @throws Stopped */
function answerOf(of: ResponseOf, smokeFlow: SmokeFlow): Answered<TokenAnswer> {
  const taken = takenIn(smokeFlow, of);
  const last = taken.entries.findLast((entry) => entry.kind === 'exchange');
  const [exchange, why] = [last?.kind === 'exchange' ? last.exchange : undefined, whyNot(taken)];
  const { response } = exchange ?? {};
  if (why !== undefined || exchange === undefined || response === undefined)
    throw why ?? new NotRun(`the smoke flow got no answer to ${of}`);
  return { ...exchange, response, tokens: tokensIn(exchange) };
}

import type { RequirementId } from '../../../generated/ids.ts';
import { advanceOrSleep } from '../../service/flow/clean-up.ts';
import { queryCode, ServiceClient, showsConsent } from '../../service/flow/service-client.ts';
import { newRecorder, type Session } from '../../service/flow/session.ts';
import { runSmokeFlow } from '../../service/flow/smoke-flow.ts';
import type { Opening, SmokeFlow, StepOutcome } from '../../service/flow/smoke-steps.ts';
import { type Target, withAbility } from '../../service/target.ts';
import { denialWhereRemembered } from '../checks/denial-where-remembered.ts';
import type { Check } from '../language/check.ts';
import type { MonitoredSession } from '../monitor/attach.ts';
import { type CheckEnvironment, type CheckOutcome, withDoubt } from './check-outcome.ts';
import { repeatIfTroubled } from './confirm.ts';
import { runCheck } from './run-check.ts';

export interface FirstDenials {
  readonly outcomes: ReadonlyMap<RequirementId, CheckOutcome>;
  readonly opening?: Opening;
}

export function deniesWhereAsked({ isLive, abilities, pages }: Target): boolean {
  const known = pages.deny !== undefined;
  return isLive && known && pages.consentShown === 'once' && !abilities.has('fresh-consent');
}

const DENIALS = [
  'authorize.denial-redirects',
  'authorize.state-echoed-on-denial',
  'authorize.grant-needed',
] as const satisfies readonly RequirementId[];

export function isDenial({ id }: Pick<Check, 'id'>): boolean {
  return DENIALS.some((one) => one === id);
}

/** Denies before the run grants anything, if a request shows the consent page. Afterwards the service remembers the grant. */
export async function denyBeforeGrants(
  environment: Omit<CheckEnvironment, 'smokeFlow'>,
  watched: MonitoredSession,
): Promise<FirstDenials> {
  const { requestStyle } = environment.session;
  const withoutSmokeFlow = { ...environment, smokeFlow: { steps: [], requestStyle, stopped: undefined } };
  let outcomes: FirstDenials['outcomes'] = new Map();
  const opening = await openFirst(environment.session, async (asked) => {
    if (asked === 'consent') outcomes = await runDenials(withoutSmokeFlow, watched);
  });
  return { outcomes, ...(opening && { opening }) };
}

/** The answer to a run's first authorization request: the page of consent, a code without it, or something else. */
export type FirstAnswer = 'consent' | 'code' | 'other';

/** Opens a run's first authorization request, before the run grants anything. @returns the request if it is still open */
export async function openFirst(
  session: Session,
  then: (answer: FirstAnswer) => Promise<void>,
): Promise<Opening | undefined> {
  const recorder = newRecorder(session);
  const serviceClient = new ServiceClient(session, recorder);
  const visit = { decision: 'view', signedIn: true, through: 'page' } as const;
  const outcome = await serviceClient.authorize(serviceClient.authorization(), visit);
  const asks = showsConsent(outcome);
  const without = queryCode(outcome) === undefined ? 'other' : 'code';
  await then(asks ? 'consent' : without);
  return asks || outcome.caught !== undefined ? undefined : { outcome, recorder };
}

export async function runDenials(
  environment: CheckEnvironment,
  watched: MonitoredSession,
): Promise<ReadonlyMap<RequirementId, CheckOutcome>> {
  const outcomes = new Map<RequirementId, CheckOutcome>();
  for (const check of denialWhereRemembered()) {
    const { session: known } = environment;
    const target = withAbility(known.target, 'fresh-consent');
    const session = watched.during(check.id, { ...known, target });
    const attempt = () => runCheck(check, { ...environment, session });
    outcomes.set(check.id, await repeatIfTroubled(() => unlessGranted(attempt, session), session));
  }
  return outcomes;
}

/** Leaves in doubt what met a trouble behind a grant: the service remembers it, so no further attempt begins as the first. */
async function unlessGranted(
  attempt: () => Promise<CheckOutcome>,
  { grants }: Session,
): Promise<CheckOutcome> {
  const before = grants.page + grants.cookies;
  const outcome = await attempt();
  if (outcome.trouble === undefined || grants.page + grants.cookies === before) return outcome;
  const why = 'the service was in trouble, and now remembers what the first attempt granted';
  return { ...withDoubt(outcome, why), trouble: undefined };
}

/** Seconds after which a service has forgotten a denial that it keeps for a while. */
const AFTER_DENIAL = 20;

/** Seconds after which a service has forgotten the scopes of a grant that it keeps for a while. */
const AFTER_FEWER_SCOPES = 61;

/**
 * Repeats a smoke flow that was refused right behind the denials: its grant, or a scope of it, because they grant fewer. Honoured
 * then, the step fails its requirement, and the run goes on.
 */
export async function grantedLater(session: Session, flow: SmokeFlow): Promise<SmokeFlow> {
  const { stopped } = flow;
  const lacksScopes = stopped?.httpStatus === 403;
  if (stopped?.status !== 'refused' || (stopped.step !== 'authorize' && !lacksScopes)) return flow;
  const seconds = lacksScopes ? AFTER_FEWER_SCOPES : AFTER_DENIAL;
  await advanceOrSleep(session.target, seconds);
  const later = await runSmokeFlow(session);
  const before = lacksScopes ? 'grants of fewer scopes' : 'a denial';
  const message = `${stopped.message}; the same request is granted ${seconds} s after ${before}, and not right behind`;
  const owner = lacksScopes ? 'authorize.scope-combined' : undefined;
  const marked = (step: StepOutcome): StepOutcome =>
    step.step === stopped.step && step.status === 'done'
      ? { ...step, status: 'workaround', message, owner, entries: [...stopped.entries, ...step.entries] }
      : step;
  return { ...later, steps: later.steps.map(marked) };
}

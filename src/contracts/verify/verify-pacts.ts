import type { RunTrouble } from '../../report/results.ts';
import { provesNothing } from '../../service/flow/answers.ts';
import { cleanUpAfter } from '../../service/flow/clean-up.ts';
import { ServiceClient } from '../../service/flow/service-client.ts';
import type { Session } from '../../service/flow/session.ts';
import { runSmokeFlow } from '../../service/flow/smoke-flow.ts';
import { type SmokeFlow, stoppedSince, stoppedText } from '../../service/flow/smoke-steps.ts';
import type { Target } from '../../service/target.ts';
import type { Interaction, Pact } from '../pact/read-pact.ts';
import { type Address, addressOf } from '../providers.ts';
import { type StoppedState, setUpStates } from '../states.ts';
import { nativePact } from './native-pact.ts';
import { type NativeVerifier, startNativeVerifier } from './native-verifier.ts';
import {
  foundOutcome,
  outcomeOf,
  PACT_IS_WRONG,
  pactOutcomes,
  type RequestResult,
  type Verification,
  type WantedPact,
} from './outcome.ts';
import type { InteractionOutcome } from './pact-outcome.ts';
import { ownValues, reasonsNotSent, reasonsOf, tokenRuleViolations } from './reasons.ts';
import { type Relay, startRelay } from './relay.ts';
import { TargetActions } from './target-actions.ts';

export interface VerifyOptions {
  /** Outcomes of interactions that must not be sent. */
  readonly refused?: ReadonlyMap<Interaction, InteractionOutcome>;
  /** A running verifier to reuse; without it a new one is started. */
  readonly verifier?: NativeVerifier;
  readonly signal?: AbortSignal;
  readonly onInteraction?: (pact: Pact, interaction: Interaction) => void;
}

/** Consecutive interactions without an answer after which the verification stops. */
const MOST_UNANSWERED = 2;

/**
 * Verifies pacts against a target: runs the smoke flow once, sets up each interaction's states, lets Pact's verifier compare
 * request and answer, and cleans up. On a live target a failure counts only if the smoke flow still works at the end.
 *
 * @param wanted at least one, already checked
 */
export async function verifyPacts(
  wanted: readonly WantedPact[],
  session: Session,
  options: VerifyOptions = {},
): Promise<Verification> {
  const { target, secrets } = session;
  const smokeFlow = await runSmokeFlow(session);
  const actions = new TargetActions(new ServiceClient({ ...session, requestStyle: smokeFlow.requestStyle }));
  const troubles: RunTrouble[] = [];
  const trouble = (kind: RunTrouble['kind'], message: string) =>
    troubles.push({ kind, message: secrets.redact(message) });
  // The end of the run tries again for users who remain.
  const cleanUp = async () => session.assignedByRun.any && cleanUpAfter(actions);
  await cleanUp();
  const outcomes = new Map(options.refused);
  const put = (one: Interaction, outcome: RequestResult, durationMs = 0) =>
    outcomes.set(one, outcomeOf(one, outcome, secrets, durationMs));
  const ended = () => ({ pacts: pactOutcomes(wanted, outcomes, secrets), troubles });
  const queue = inOrder(wanted, target).filter(([, one]) => !outcomes.has(one));
  const why = unusable(smokeFlow, target);
  if (why !== undefined) {
    trouble('inconclusive', why);
    for (const [, one] of queue) put(one, foundOutcome('not-run', why));
    return ended();
  }
  let unanswered = 0;
  const givenUp = () => {
    if (options.signal?.aborted) return 'interrupted';
    if (unanswered < MOST_UNANSWERED) return undefined;
    return `not tried: the target gave no answer ${MOST_UNANSWERED} times in a row`;
  };
  const attempt = async (pact: Pact, one: Interaction, parts: VerifierParts): Promise<RequestResult> => {
    const address = addressOf(pact, one) ?? 'api';
    try {
      return await verifyInteraction(pact, one, address, parts);
    } catch (error) {
      trouble('broken', `"${one.description}": ${error instanceof Error ? error.message : String(error)}`);
      return foundOutcome('not-run', 'the suite failed');
    } finally {
      await cleanUp();
    }
  };

  const verifier = options.verifier ?? (await startNativeVerifier());
  const relay = await startRelay();
  try {
    for (const [pact, one] of queue) {
      const begun = performance.now();
      const instead = givenUp();
      const outcome =
        instead === undefined
          ? await attempt(pact, one, { verifier, relay, actions })
          : foundOutcome('not-run', instead);
      if (instead === undefined) unanswered = outcome.silent ? unanswered + 1 : 0;
      put(one, outcome, performance.now() - begun);
      options.onInteraction?.(pact, one);
    }
  } finally {
    await relay.close();
    if (options.verifier === undefined) await verifier.close();
  }

  const failed = queue.flatMap(([, one]) => (outcomes.get(one)?.result === 'failed' ? [one] : []));
  if (target.isLive && failed.length > 0) {
    const after = await outage(actions.session, smokeFlow);
    actions.next();
    await cleanUp();
    for (const one of after === undefined ? [] : failed) {
      const { mismatches = [], durationMs } = outcomes.get(one) ?? {};
      const reasons = [{ description: after ?? '' }, ...mismatches];
      put(one, { result: 'not-run', mismatches: reasons }, durationMs);
    }
  }
  return ended();
}

function unusable({ stopped, steps }: SmokeFlow, { isLive }: Target): string | undefined {
  if (!isLive || stopped === undefined || stopped.status === 'wrong') return undefined;
  if (stopped.ownLeft === undefined && steps.some(({ status }) => status === 'workaround')) return undefined;
  return stoppedText(stopped);
}

/** Puts refusals last on a live target, because they may revoke tokens or lock the application. */
function inOrder(
  wanted: readonly WantedPact[],
  { isLive }: Target,
): readonly (readonly [Pact, Interaction])[] {
  const all = wanted.flatMap(({ pact }) => pact.interactions.map((one) => [pact, one] as const));
  const refusal = ([, { status }]: (typeof all)[number]) => isLive && status >= 400;
  return [...all.filter((one) => !refusal(one)), ...all.filter(refusal)];
}

/** Returns the reason why an outage may explain failures; undefined if the smoke flow gets as far as before. */
async function outage(session: Session, before: SmokeFlow): Promise<string | undefined> {
  const stopped = stoppedSince(before, await runSmokeFlow(session));
  return stopped && `afterwards the smoke flow stopped (${stoppedText(stopped)}), so it may be an outage`;
}

interface VerifierParts {
  readonly verifier: NativeVerifier;
  readonly relay: Relay;
  readonly actions: TargetActions;
}

/**
 * Verifies one interaction. Sets up its states first and sends nothing if one fails, so no example id ever reaches the target.
 *
 * @throws Error if the verifier itself fails
 */
async function verifyInteraction(
  pact: Pact,
  interaction: Interaction,
  address: Address,
  { verifier, relay, actions }: VerifierParts,
): Promise<RequestResult> {
  actions.next();
  const ready = await setUpStates(actions, interaction.states);
  if ('stopped' in ready) return notSetUp(ready);
  const { serviceClient } = actions;
  const { value, relayed } = await relay.during(
    { method: interaction.method, address, ready, serviceClient },
    () => verifier.verify(nativePact(pact, interaction), relay.providerUrl, relay.statesUrl),
  );
  // Cut, a secret would not be recognized.
  const report = serviceClient.session.secrets.redactAll(value);
  const { exchanges, withheld } = relayed;
  if (report.impossible !== undefined)
    return foundOutcome('failed', `${PACT_IS_WRONG}: ${report.impossible}`);
  if (withheld.length > 0) return foundOutcome('failed', ...withheld);
  const last = exchanges.at(-1);
  if (last === undefined) return foundOutcome('failed', ...reasonsNotSent(interaction, relayed, report));
  const silence = provesNothing(last);
  if (silence !== undefined) return { ...foundOutcome('not-run', silence), silent: true };
  const mismatches = [
    ...(report.verified ? [] : reasonsOf(report, exchanges, actions.session.target)),
    ...tokenRuleViolations(interaction, exchanges).map((description) => ({ description })),
  ];
  if (report.verified && mismatches.length === 0) return { result: 'verified', mismatches };
  const hints = ownValues(interaction).map((description) => ({ description }));
  return mismatches.length === 0
    ? foundOutcome('failed', 'the verifier gives no reason')
    : { result: 'failed', mismatches: [...mismatches, ...hints] };
}

function notSetUp({ state, stopped: { step, status, owner, message } }: StoppedState): RequestResult {
  const broken = status === 'refused' || status === 'wrong';
  const why = status === 'unable' ? message : `${step}: ${message}${broken ? ` (${owner})` : ''}`;
  const reason = `the suite could not set up the state "${state}": ${why}`;
  return { ...foundOutcome(broken ? 'failed' : 'not-run', reason), silent: status === 'no-answer' };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OpenPointId } from '../../../generated/ids.ts';
import type { ProfileDepartures } from '../../../generated/schemas.d.ts';
import {
  type AspectId,
  aspectIds,
  namesOf,
  type SeenAtOpenPoints,
  type Unseen,
} from '../../document/profiles/aspects.ts';
import type { Catalogue, Risk } from '../../document/types.ts';
import type { FirstAnswer } from '../../evaluation/run/denials.ts';
import type { LookAtOpenPoints } from '../../evaluation/run/prepare-target.ts';
import { type Exchange, TransportFailure } from '../../http/exchange.ts';
import { exchangesOf } from '../../http/recorder.ts';
import { CLEAN_UP_MS, cleanUpAfter } from '../../service/flow/clean-up.ts';
import { withoutBrowser } from '../../service/flow/connect.ts';
import { FlowSteps, NO_CLOCK, Stopped } from '../../service/flow/flow-steps.ts';
import { ServiceClient } from '../../service/flow/service-client.ts';
import { newRecorder, type Session } from '../../service/flow/session.ts';
import { runSmokeFlow } from '../../service/flow/smoke-flow.ts';
import type { SmokeFlow } from '../../service/flow/smoke-steps.ts';
import type { Target } from '../../service/target.ts';
import { headerAnswers } from './headers.ts';
import { NotObservable, type Probe, ProbeContext, SeenSoFar, type Wait } from './probe-context.ts';
import { authorizeFailures, consent, idForms, loopbackPorts, pkce } from './probes/authorization.ts';
import { codeLifetime, refreshTokenLifetime } from './probes/lifetimes.ts';
import { listShape, operations } from './probes/operations.ts';
import { grace, oldAccessToken, oldRefreshToken, replay } from './probes/refresh-fate.ts';
import {
  expiredToken,
  neighbours,
  otherMethods,
  resourceFailures,
  revokedToken,
} from './probes/resource-failures.ts';
import { scopeRequests, scopes } from './probes/scopes.ts';
import { clientAuthentication, exchangeFailures, refreshFailures } from './probes/token-failures.ts';
import { tokenPresentation, tokenResponse } from './probes/tokens.ts';

export interface ObserveRequest {
  readonly risks: ReadonlySet<Risk>;
  readonly only?: ReadonlySet<OpenPointId>;
  readonly wait?: Wait;
  /** Answers from before the run granted anything. */
  readonly before?: SeenSoFar;
  readonly onProbe?: (probe: Probe) => void;
}

export interface Observed extends SeenAtOpenPoints {
  readonly departures: ProfileDepartures;
  readonly requests: number;
}

function riskOf(catalogue: Catalogue, id: AspectId) {
  const { openPoint, aspect } = namesOf(id);
  const point = catalogue.openPoint(openPoint);
  const own = point.aspects.find(({ name }) => name === aspect)?.risk;
  return { openPoint, risk: own ?? point.risk };
}

export function wantedAspects(catalogue: Catalogue, { risks, only }: ObserveRequest): ReadonlySet<AspectId> {
  const isWanted = (aspect: AspectId) => {
    const { openPoint, risk } = riskOf(catalogue, aspect);
    return only === undefined ? risk === 'none' || risks.has(risk) : only.has(openPoint);
  };
  return new Set(aspectIds.filter(isWanted));
}

export function probesFor(wanted: ReadonlySet<AspectId>): readonly Probe[] {
  return PROBES.filter(({ aspects }) => aspects.some((aspect) => wanted.has(aspect)));
}

/**
 * Observes a target at the open points. Each probe has its own codes and tokens, and a probe that stops does not affect the
 * others.
 *
 * @param session in the smoke flow's request style
 * @throws errors of the suite itself; problems with the target are reported as unseen
 */
export async function observe(
  session: Session,
  smokeFlow: SmokeFlow,
  catalogue: Catalogue,
  request: ObserveRequest,
): Promise<Observed> {
  const wanted = wantedAspects(catalogue, request);
  const soFar = request.before ?? new SeenSoFar();
  const recorded = soFar.entries;
  for (const aspect of aspectIds) {
    if (!wanted.has(aspect)) soFar.miss(aspect, notAsked(catalogue, aspect, request, session.target));
  }
  const stopped = () => session.signal?.aborted === true;
  for (const probe of probesFor(wanted)) {
    if (stopped()) break;
    if (probe.aspects.some((aspect) => wanted.has(aspect) && !soFar.answers.has(aspect)))
      await runProbe(probe, session, soFar, wanted, request.wait);
    request.onProbe?.(probe);
  }
  // The request that the abort interrupted is recorded a moment later.
  if (stopped()) await nextTurn();
  const recorder = newRecorder(session, stopped() ? AbortSignal.timeout(CLEAN_UP_MS) : undefined);
  if (session.assignedByRun.any) await cleanUpAfter(new FlowSteps(new ServiceClient(session, recorder)));
  const flowEntries = smokeFlow.steps.flatMap(({ entries }) => entries);
  sumUp(soFar, exchangesOf([...flowEntries, ...recorded]), session, wanted);
  const { answers, evidence, unseen, departures } = soFar;
  const requests = exchangesOf(recorded).length;
  return session.secrets.redactAll({ answers, evidence, unseen, departures, requests });
}

const GRANTED_EARLIER =
  'the service issues a code without asking: an earlier run granted consent, or it never asks; use an application without a grant, or withdraw the consent';
const GRANTED_BY_RUN =
  'the service refuses the first request in the documented form, so the run granted consent before it could look; configure `secondApplication`';

/**
 * Observes denial and the memory of consent before a run grants anything.
 *
 * @param answer to the run's first authorization request
 */
export async function observeFirst(
  session: Session,
  answer: FirstAnswer,
  catalogue: Catalogue,
  request: ObserveRequest,
): Promise<SeenSoFar> {
  const soFar = new SeenSoFar();
  const wanted = new Set(consent.aspects.filter((aspect) => wantedAspects(catalogue, request).has(aspect)));
  const { secondApplication: _, ...target } = session.target;
  if (answer === 'consent' && wanted.size > 0) await runProbe(consent, { ...session, target }, soFar, wanted);
  const reason = answer === 'code' ? GRANTED_EARLIER : GRANTED_BY_RUN;
  for (const aspect of wanted) soFar.miss(aspect, { why: 'not-observable', reason });
  return soFar;
}

async function runProbe(
  probe: Probe,
  session: Session,
  soFar: SeenSoFar,
  wanted: ReadonlySet<AspectId>,
  wait?: Wait,
): Promise<void> {
  const context = new ProbeContext(session, soFar, wanted, wait);
  const missed = await whyUnseen(probe, context);
  for (const aspect of probe.aspects) if (wanted.has(aspect)) soFar.miss(aspect, missed);
  soFar.entries.push(...context.serviceClient.recorder.entries);
}

async function whyUnseen(probe: Probe, context: ProbeContext): Promise<Unseen> {
  try {
    await context.tick();
    await probe.run(context);
    return { why: 'not-observable', reason: 'no answer of the service shows it' };
  } catch (error) {
    if (error instanceof NotObservable) return { why: error.why, reason: error.message };
    if (error instanceof TransportFailure) return { why: 'no-answer', reason: error.message };
    if (!(error instanceof Stopped)) throw error;
    const { step, status, message } = error;
    if (status === 'unable') return { why: 'not-observable', reason: message };
    return { why: status === 'no-answer' ? status : 'not-observable', reason: `${step}: ${message}` };
  }
}

function notAsked(
  catalogue: Catalogue,
  aspect: AspectId,
  { only }: ObserveRequest,
  { clock }: Target,
): Unseen {
  if (only !== undefined) return { why: 'not-asked', reason: 'not asked for (--probe names others)' };
  const { risk } = riskOf(catalogue, aspect);
  const takesHours = risk === 'slow' && clock === undefined;
  if (takesHours && !expiredToken.aspects.includes(aspect))
    return { why: 'not-observable', reason: NO_CLOCK };
  const how = takesHours
    ? 'it takes two hours (`observe --wait-expiry`)'
    : `risk ${risk} (add --risk ${risk})`;
  return { why: 'not-asked', reason: `not asked for: ${how}` };
}

function sumUp(
  soFar: SeenSoFar,
  exchanges: readonly Exchange[],
  { target }: Session,
  wanted: ReadonlySet<AspectId>,
): void {
  for (const [aspect, answer] of headerAnswers(exchanges, soFar.pages, target)) {
    if (wanted.has(aspect)) soFar.see(aspect, answer, 'all answers of the run together');
  }
  for (const aspect of wanted)
    soFar.miss(aspect, { why: 'not-observable', reason: 'no answer of the run shows it' });
}

/**
 * Observes the open points of a target that a run of checks has prepared. An emulator is observed through a connection of its own,
 * without a browser.
 */
export function openPointsObserver(risks: ReadonlySet<Risk>): LookAtOpenPoints {
  return async ({ session, smokeFlow, catalogue }) => {
    if (session.target.isLive) return observe(session, smokeFlow, catalogue, { risks });
    const connection = await withoutBrowser(session.target, session.secrets);
    try {
      const again = await runSmokeFlow(connection.session);
      const session = { ...connection.session, requestStyle: again.requestStyle };
      return await observe(session, again, catalogue, { risks });
    } finally {
      await connection.close();
    }
  };
}

/** All probes in running order: harmless ones first, revoking ones late, slow ones last. A probe may use earlier answers. */
const PROBES: readonly Probe[] = [
  idForms,
  tokenResponse,
  operations,
  listShape,
  consent,
  scopes,
  tokenPresentation,
  resourceFailures,
  neighbours,
  otherMethods,
  loopbackPorts,
  authorizeFailures,
  clientAuthentication,
  pkce,
  scopeRequests,
  oldAccessToken,
  exchangeFailures,
  refreshFailures,
  replay,
  oldRefreshToken,
  grace,
  revokedToken,
  codeLifetime,
  refreshTokenLifetime,
  expiredToken,
];

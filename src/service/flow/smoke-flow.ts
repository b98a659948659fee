import { memberText } from '../../http/answer-secrets.ts';
import type { RecordEntry, Recorder } from '../../http/recorder.ts';
import { pageAddress } from '../agent/page-address.ts';
import { SIGN_IN, whatToCheck } from '../agent/sign-in-values.ts';
import { type AuthorizeOutcome, isSettingMisfit } from '../agent/user-agent.ts';
import { findingText, SCOPES, type Target } from '../target.ts';
import { BLANK_CODE, type ReceivedTokens } from './answers.ts';
import type { OwnAssignment } from './assigned-by-run.ts';
import { cleanUp } from './clean-up.ts';
import { htmlInstead } from './edge-refusal.ts';
import { codeIn, FlowSteps, orStopped, Stopped, tokensOf } from './flow-steps.ts';
import { SOON_MS } from './late-answers.ts';
import { takeLock } from './lock.ts';
import { exchangeParameters, type RequestStyle, refreshParameters } from './requests.ts';
import { changeAssignment } from './seen-change.ts';
import { maySignInElsewhere, ServiceClient } from './service-client.ts';
import { newRecorder, type Session } from './session.ts';
import { barredScope } from './settings/check-settings.ts';
import { ownUsersAssigned, preflightTrouble, waitForOtherRun } from './settings/users.ts';
import {
  type Opening,
  type SmokeFlow,
  type StepId,
  type StepOutcome,
  type TokenFlow,
  workaroundsFor,
} from './smoke-steps.ts';

/**
 * Runs the documented flow once: authorize, grant, exchange, list, assign, list, unassign, list, refresh, list. Retries
 * a refused step with one workaround at a time (`smoke-steps.ts`).
 */
export async function runSmokeFlow(session: Session, opening?: Opening): Promise<SmokeFlow> {
  const runner = new SmokeFlowRunner(session, opening);
  await orStopped(runner.run());
  return runner.found;
}

/** Runs the flow until a project's list accepts a token. Assigns and unassigns no user; leaves a grant and a token pair. */
export async function flowToToken(session: Session): Promise<TokenFlow> {
  const runner = new SmokeFlowRunner(session);
  const tokens = await orStopped(runner.token(session.target.projects));
  return { ...runner.found, tokens: tokens instanceof Stopped ? undefined : tokens };
}

/** `later`: the same request a moment later; `another`: the request as documented, with a code or token of its own. */
type Attempt = 'first' | 'later' | 'again' | 'another';

/** A service that refuses one value in six may refuse two in a row. */
const OTHERS = 3;

/** Statuses of a refusal that may concern the one code or token alone. */
const BY_TOKEN: Partial<Record<StepId, readonly number[]>> = {
  exchange: [400],
  act: [401, 403, 404],
  assign: [403],
  unassign: [403],
  refresh: [400, 401],
};

/** A sign-in may have lost the scopes of the first token, or a setting be wrong: one more token is enough to know. */
const attemptsOf = (status: number | undefined) => (status === 403 || status === 404 ? 1 : OTHERS);

/** A step that the service refused, and how to send it again. */
interface Refused<T> {
  readonly step: StepId;
  readonly first: Stopped;
  /** A server error came twice. */
  readonly failsAgain: boolean;
  readonly once: (time: Attempt, style?: RequestStyle) => Promise<T | Stopped>;
  readonly recorder: Recorder;
  /** Marks what the monitor found in the first attempts as uncertain. */
  readonly forgive: () => void;
}

type Passed<T> = { readonly value: T } & Partial<Pick<StepOutcome, 'status' | 'message' | 'owner'>>;

const LATE_STEPS: readonly StepId[] = ['exchange', 'refresh'];

class SmokeFlowRunner {
  readonly steps: StepOutcome[] = [];
  readonly #session: Session;
  readonly #opening: Opening | undefined;
  requestStyle: RequestStyle;
  /** The scope that the token response states. */
  #granted: string | undefined;
  #token = '';

  constructor(session: Session, opening?: Opening) {
    this.#session = session;
    this.#opening = opening;
    this.requestStyle = session.requestStyle;
  }

  get found(): SmokeFlow {
    const { steps, requestStyle } = this;
    const stopped = steps.find(({ status }) => status !== 'done' && status !== 'workaround');
    return { steps, requestStyle, stopped };
  }

  /** @throws Stopped, as the last of the steps has it */
  async run(): Promise<void> {
    const { projects } = this.#session.target;
    const { refreshToken } = await this.token([projects[0]]);
    await this.#step('list', (flowSteps) => unassignLeftovers(flowSteps, this.#token));
    try {
      await this.#lock();
      const place = firstPlace(this.#session.target);
      for (const operation of ['assign', 'unassign'] as const)
        this.#readLists(
          await this.#withToken(operation, (flowSteps, token) =>
            changeAssignment(flowSteps, token, operation, place),
          ),
        );
    } catch (error) {
      await this.#cleanUp(this.#token);
      throw error;
    }
    if (refreshToken === undefined) return;
    const next = await this.#step('refresh', async (flowSteps, time) =>
      refresh(flowSteps, time === 'another' ? (await flowSteps.pair()).refreshToken : refreshToken),
    );
    this.requestStyle = next.requestStyle;
    this.#session.lock.token = next.accessToken;
    await this.#flowSteps().operation('list', { token: next.accessToken }, LISTING);
  }

  /** Takes the lock, unless there is none or it is held. If only the lock is refused, its key is wrong. */
  async #lock(): Promise<void> {
    const { target, assignedByRun } = this.#session;
    if (target.lock === undefined || assignedByRun.lockHeld) return;
    try {
      this.#readLists(await this.#withToken('assign', takeLock));
    } catch (error) {
      const refused = this.steps.at(-1);
      if (refused?.status !== 'refused') throw error;
      const own = await orStopped(
        changeAssignment(this.#flowSteps(), this.#token, 'assign', firstPlace(target)),
      );
      if (own instanceof Stopped && own.status !== 'wrong') throw error;
      const { project, user } = target.lock;
      const message = `the service refuses the lock, user ${user} in project ${project} (${refused.message}), and assigns ${target.users[0]}: correct \`lock\``;
      this.steps.splice(-1, 1, { ...refused, httpStatus: undefined, message, cause: 'lock' });
      throw error;
    }
  }

  /** Changes an assignment with the flow's token. If another one is accepted instead, the flow goes on with that one. */
  #withToken<T>(
    step: 'assign' | 'unassign',
    change: (flowSteps: FlowSteps, token: string) => Promise<T>,
  ): Promise<T> {
    return this.#step(step, async (flowSteps, time) => {
      const token = time === 'another' ? await flowSteps.freshAccessToken() : this.#token;
      const changed = await change(flowSteps, token);
      this.#token = token;
      return changed;
    });
  }

  /** Unassigns the user if the flow ends between assign and unassign. */
  async #cleanUp(token: string): Promise<void> {
    const { target, leftovers } = this.#session;
    const { serviceClient } = this.#flowSteps();
    if (target.restoreAssignments !== undefined || serviceClient.recorder.signal?.aborted) return;
    leftovers.add(await cleanUp(serviceClient, token));
  }

  async token(projects: readonly string[]): Promise<ReceivedTokens> {
    const opening = this.#opening;
    const code = await this.#step(
      'authorize',
      async (flowSteps, time) =>
        opening !== undefined && time === 'first'
          ? codeOf(flowSteps, opening.outcome, false)
          : authorize(flowSteps, time !== 'first'),
      opening?.recorder,
    );
    const tokens = await this.#step('exchange', async (flowSteps, time) => {
      const { application } = flowSteps.target;
      const used = time === 'first' || time === 'later' ? code : await authorize(flowSteps);
      const parameters = exchangeParameters(application, used);
      const answer = await flowSteps.serviceClient.token('exchange the code', parameters);
      if (used.includes(' ') && answer.response?.status === 400)
        throw new Stopped('exchange', 'refused', `the exchange answered 400: ${BLANK_CODE}`, {
          owner: 'authorize.redirects-with-code',
          httpStatus: 400,
        });
      return tokensOf('exchange', answer);
    });
    this.#granted = tokens.scope;
    return this.#step('act', async (flowSteps, time) => {
      const used = time === 'another' ? await flowSteps.tokens(await flowSteps.code()) : tokens;
      await actOnAny(flowSteps, used.accessToken, projects);
      this.#token = used.accessToken;
      return used;
    });
  }

  async #step<T>(
    step: StepId,
    attempt: (flowSteps: FlowSteps, time: Attempt) => Promise<T>,
    recorder: Recorder = newRecorder(this.#session),
  ): Promise<T> {
    const { findings, target } = this.#session;
    const { entries } = recorder;
    const once = (time: Attempt, style?: RequestStyle) =>
      orStopped(attempt(this.#flowSteps(recorder, style), time));
    const before = findings?.count() ?? 0;
    let first = await once('first');
    const isServerFault = (one: unknown) =>
      target.isLive && one instanceof Stopped && SERVER_FAULTS.includes(one.httpStatus ?? 0);
    // A repeated server error may be the answer to the documented form: another form tells.
    const failsAgain = isServerFault(first) && isServerFault(await once('another'));
    if (first instanceof Stopped && !failsAgain) first = withoutOutage(first);
    const after = findings?.count() ?? 0;
    const forgive = () => findings?.markUncertain(before, after);
    const passed =
      first instanceof Stopped
        ? await this.#rescued({ step, first, failsAgain, once, recorder, forgive })
        : { value: first };
    if (passed instanceof Stopped) {
      const { status, ownLeft, httpStatus, clues } = passed;
      const message = `${passed.message}${this.#fewerScopes(passed)}`;
      this.steps.push({ step, status, message, entries, ownLeft, httpStatus, ...clues });
      throw passed;
    }
    const { value, ...how } = passed;
    this.steps.push({ step, status: 'done', message: '', entries, ...how });
    return value;
  }

  /** Tries a refused step in other ways. Returns how it passed, or the reason why it did not. */
  async #rescued<T>(refused: Refused<T>): Promise<Passed<T> | Stopped> {
    const { step, first, recorder } = refused;
    // The service refuses nothing where a setting does not fit its page, so no other request is tried.
    if (first.status !== 'refused' || isSettingMisfit(first.clues.cause)) return first;
    const passed =
      (await this.#later(refused)) ?? (await this.#otherwise(refused)) ?? (await this.#byAnother(refused));
    if (passed !== undefined) return passed;
    const stopped = withoutOutage(first);
    return this.#session.target.isLive ? explained(this.#flowSteps(recorder), step, stopped) : stopped;
  }

  /** A store may know a new code or refresh token only a moment later. Another one, refused at first too, shows it. */
  async #later<T>({ step, first, once, forgive }: Refused<T>): Promise<Passed<T> | undefined> {
    const { target } = this.#session;
    if (!target.isLive || !LATE_STEPS.includes(step) || ![400, 401].includes(first.httpStatus ?? 0))
      return undefined;
    await target.pause(SOON_MS);
    const value = await once('later');
    if (value instanceof Stopped) return undefined;
    if (!((await once('another')) instanceof Stopped)) {
      forgive();
      return { value };
    }
    const message = `${first.message}; accepted when it was sent again ${SOON_MS / 1_000} s later`;
    return { value, status: 'workaround', message };
  }

  /** Sends the step with one workaround at a time. On a live target, the step as documented tells if the workaround mattered. */
  async #otherwise<T>(refused: Refused<T>): Promise<Passed<T> | Stopped | undefined> {
    const { step, first, failsAgain, once, recorder, forgive } = refused;
    const { target } = this.#session;
    const hasSignedIn =
      step === 'authorize' && recorder.entries.some((entry) => purposeOf(entry) === SIGN_IN);
    for (const workaround of workaroundsFor(step, this.requestStyle, first.httpStatus)) {
      const { violates, description, requestStyle, owner } = workaround;
      const value = await once(failsAgain ? 'another' : 'again', requestStyle);
      if (value instanceof Stopped) {
        if (withoutOutage(value).status === 'no-answer' && step === 'authorize') return value;
        continue;
      }
      // A refresh token is spent by then and cannot be tried again.
      if (violates && target.isLive && (step !== 'refresh' || failsAgain)) {
        const third = await once(failsAgain ? 'another' : 'again');
        if (!(third instanceof Stopped)) {
          if (hasSignedIn && (await this.#losesRequest(recorder))) {
            const message = `${first.message}, after the owner signed in; accepted when it was opened again`;
            return { value: third, status: 'workaround', message };
          }
          forgive();
          return { value: third };
        }
      }
      this.requestStyle = requestStyle;
      const message = violates ? `${first.message}; accepted ${description}` : description;
      return { value, status: violates ? 'workaround' : 'done', message, owner };
    }
    return undefined;
  }

  /** Sends the step with other codes or tokens: a service may refuse some of them alone. */
  async #byAnother<T>({ step, first, once }: Refused<T>): Promise<Passed<T> | undefined> {
    const { httpStatus } = first;
    if (!this.#session.target.isLive || !BY_TOKEN[step]?.includes(httpStatus ?? 0)) return undefined;
    const fewer = this.#fewerScopes(first);
    const message = `${first.message}${fewer}; the same with another code or token is accepted`;
    const ofScopes = httpStatus === 403 ? 'scope.granted-scopes-act' : undefined;
    const owner = fewer === '' ? (ofScopes ?? first.owner) : 'authorize.scope-combined';
    for (let others = 0; others < attemptsOf(httpStatus); others += 1) {
      const value = await once('another');
      if (!(value instanceof Stopped)) return { value, status: 'workaround', message, owner };
    }
    return undefined;
  }

  /** Returns what to add to a refusal for missing scopes: those that the token response states, if they are fewer. */
  #fewerScopes({ httpStatus }: Stopped): string {
    return httpStatus === 403 ? scopesOf(this.#granted) : '';
  }

  /** True if a browser without a session is not led on to the one request that it has open, after the owner signs in. */
  async #losesRequest(recorder: Recorder): Promise<boolean> {
    if (this.#session.target.loadsLittle || !maySignInElsewhere(this.#session)) return false;
    const elsewhere = await orStopped(this.#flowSteps(recorder).code({}, {}));
    return elsewhere instanceof Stopped && elsewhere.status === 'refused';
  }

  #readLists(requestStyle: RequestStyle): void {
    this.requestStyle = requestStyle;
    this.#session.findings?.readLists(requestStyle);
  }

  #flowSteps(recorder: Recorder = newRecorder(this.#session), requestStyle = this.requestStyle): FlowSteps {
    return new FlowSteps(new ServiceClient(this.#session, recorder, requestStyle));
  }
}

function purposeOf(entry: RecordEntry): string {
  return entry.kind === 'step' ? entry.step.purpose : entry.exchange.purpose;
}

/** Server errors that may be an answer to the form of a request; 502 to 504 are outages. */
const SERVER_FAULTS: readonly number[] = [500, 501];

/** A server error at a token's request or first use is an outage and no refusal: no workaround is tried for it. */
function withoutOutage(stopped: Stopped): Stopped {
  const { step, message, httpStatus = 0, clues } = stopped;
  if (httpStatus < 500 || step === 'assign' || step === 'unassign') return stopped;
  return new Stopped(step, 'no-answer', message, { clues });
}

async function authorize(flowSteps: FlowSteps, again = false): Promise<string> {
  const { serviceClient } = flowSteps;
  const visit = { decision: 'grant', signedIn: true, through: 'page' } as const;
  return codeOf(flowSteps, await serviceClient.authorize(serviceClient.authorization(), visit), again);
}

/** Stops after two failed sign-ins, because accounts get locked; a signed-in user is not asked again. */
function codeOf({ target }: FlowSteps, outcome: AuthorizeOutcome, again: boolean): string {
  const { caught, trouble, pages } = outcome;
  const last = pages.at(-1);
  const asked = last?.shows === 'sign-in' || (again && pages.some(({ shows }) => shows === 'sign-in'));
  if (caught === undefined && trouble === undefined && last !== undefined && asked) {
    const observed = `signing in led to no consent and no redirect, but to a page (${last.status}) at ${pageAddress(last.url)}`;
    const finding = { observed, remedy: whatToCheck(target.pages) };
    throw new Stopped('authorize', 'no-answer', `${observed}; ${finding.remedy}`, { clues: { finding } });
  }
  return codeIn(outcome);
}

async function refresh(
  flowSteps: FlowSteps,
  refreshToken: string,
): Promise<ReceivedTokens & { readonly requestStyle: RequestStyle }> {
  const { application, clock } = flowSteps.target;
  const { requestStyle } = flowSteps.serviceClient;
  const parameters = refreshParameters(application, refreshToken, requestStyle);
  const send = async (purpose: string) =>
    tokensOf('refresh', await flowSteps.serviceClient.token(purpose, parameters));
  const early = await orStopped(send('refresh'));
  if (!(early instanceof Stopped)) return { ...early, requestStyle };
  // No clause promises a refresh before expiry (an open point): with a clock, the token expires first.
  if (clock === undefined || early.status !== 'refused' || (early.httpStatus ?? 0) >= 500) throw early;
  await flowSteps.expire();
  const late = await send('refresh after expiry');
  return { ...late, requestStyle: { ...requestStyle, refreshBeforeExpiry: false } };
}

const LISTING = 'list with the new token';

async function actOnAny(flowSteps: FlowSteps, token: string, projects: readonly string[]): Promise<void> {
  let first: Stopped | undefined;
  for (const project of projects) {
    const answer = await orStopped(flowSteps.act('list', { project, token }, LISTING));
    const html = answer instanceof Stopped ? undefined : htmlInstead(answer.response);
    if (html !== undefined) throw new Stopped('act', 'no-answer', html);
    if (!(answer instanceof Stopped)) return;
    const { status, httpStatus, owner } = answer;
    if (status === 'wrong') throw new Stopped('act', status, answer.message, { owner });
    const message = httpStatus
      ? `the list of project ${project} answered ${httpStatus} to the new token`
      : answer.message;
    first ??= new Stopped('act', status, message, { httpStatus, clues: answer.clues });
  }
  throw first ?? new Stopped('act', 'no-answer', 'there is no project to list');
}

/** A service may grant fewer scopes than the request names, such as those of an earlier grant. */
function scopesOf(scope?: string): string {
  const isLess = scope !== undefined && SCOPES.some((one) => !scope.split(' ').includes(one));
  return isLess ? `; the token response has only the scope ${memberText('scope', scope)}` : '';
}

/**
 * Requires that no own user is assigned at the start, because the cleanup would remove that assignment, and that no other run
 * holds the lock.
 *
 * @param users the own users who must be unassigned
 */
export async function unassignLeftovers(
  { serviceClient, target, session }: FlowSteps,
  token: string,
  users: readonly string[] = target.users,
): Promise<void> {
  const { assignedByRun } = session;
  // The request that takes the lock follows the lists at once, without a pause of the pace.
  await target.traffic?.room(target.projects.length + 2);
  const look = () => ownUsersAssigned(serviceClient, token, users);
  const first = await look();
  const found = assignedByRun.lockHeld ? first : await waitForOtherRun(serviceClient, first, look);
  const trouble = preflightTrouble(found, target);
  if (trouble !== undefined) {
    const ownLeft = found.unreadable.length === 0 ? found.assigned : undefined;
    throw new Stopped('list', 'refused', `${trouble.observed}\n${trouble.remedy}`, { ownLeft });
  }
  // Later in the run a list does not prove that a user whom the run assigned is gone.
  if (assignedByRun.lockHeld) return;
  for (const project of target.projects) assignedByRun.seenUnassigned(project, users);
  const { lock } = target;
  if (lock !== undefined) assignedByRun.seenUnassigned(lock.project, [lock.user]);
}

function firstPlace({ projects, users }: Target): OwnAssignment {
  return { project: projects[0], user: users[0] };
}

/**
 * Explains a refused step: `wrong` if the service accepts one scope in place of the three that it granted or was asked for, which
 * no configuration explains.
 */
async function explained(flowSteps: FlowSteps, step: StepId, failed: Stopped): Promise<Stopped> {
  const { httpStatus } = failed;
  const wrong = (how: string) => new Stopped(step, 'wrong', `${failed.message}; ${how}`, { httpStatus });
  if (step === 'authorize') {
    const barred = await barredScope(flowSteps);
    if (barred !== undefined)
      return new Stopped(step, 'refused', findingText(barred), { clues: { finding: barred } });
    const alone = await orStopped(flowSteps.code({ scope: 'read' }));
    return alone instanceof Stopped ? failed : wrong('accepted with one scope alone');
  }
  if (step === 'exchange') {
    // A service may bind codes to something that the run's browser did before.
    if (httpStatus !== 400 || flowSteps.target.loadsLittle || !maySignInElsewhere(flowSteps.session))
      return failed;
    const pair = await orStopped(flowSteps.code({}, {}).then((code) => flowSteps.exchanged(code)));
    return pair instanceof Stopped ? failed : wrong('accepted for a code of another browser');
  }
  if (httpStatus !== 403 || (step !== 'assign' && step !== 'unassign')) return failed;
  // The user is not assigned yet, or is to be unassigned anyway.
  const unassign = async (token: string) =>
    (await flowSteps.operation('unassign', { token })).response?.status;
  const whole = await orStopped(flowSteps.freshAccessToken());
  const one = await orStopped(flowSteps.freshAccessToken({ scope: 'destroy' }));
  if (whole instanceof Stopped || one instanceof Stopped || (await unassign(whole)) !== 403) return failed;
  const refusals: readonly unknown[] = [undefined, 401, 403];
  return refusals.includes(await unassign(one))
    ? failed
    : wrong('a token of one scope alone may unassign, one of all three may not');
}

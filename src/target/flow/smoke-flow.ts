import type { StepId } from '../../../generated/ids.ts';
import { LIFETIME } from '../../document/lifetime.ts';
import { isBusy, isSuccess, TransportFailure } from '../../http/exchange.ts';
import type { Recorder } from '../../http/recorder.ts';
import { pageAddress } from '../agent/page-address.ts';
import { whatToCheck } from '../agent/sign-in-values.ts';
import type { AuthorizeOutcome } from '../agent/user-agent.ts';
import { ALL_SCOPES, type Target } from '../target.ts';
import { freshAccessToken, grantedCode, issuedIn } from './actor.ts';
import type { Attempt, Failed, ReceivedTokens, TokenAnswer } from './answers.ts';
import type { OwnAssignment } from './assigned-by-run.ts';
import { pointersTo, UNREADABLE_LIST } from './assigned-list.ts';
import { cleanUp, letListsSettle } from './clean-up.ts';
import { Conversation } from './conversation.ts';
import { waitForOtherRun } from './lock.ts';
import { readCode } from './read-code.ts';
import type { RequestStyle } from './request-style.ts';
import { authorizationParameters, exchangeParameters, refreshParameters } from './requests.ts';
import type { Session } from './session.ts';
import { barredScope } from './settings/check-settings.ts';
import { findingText } from './settings/finding.ts';
import { listedAmong, misreadPlace, ownUsersAssigned, preflightTrouble } from './settings/own-users.ts';
import {
  type Opening,
  type SmokeFlow,
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
  await runner.run();
  return runner.found;
}

/** Runs the flow until a project's list accepts a token. Assigns and unassigns no user; leaves a grant and a token pair. */
export async function flowToToken(session: Session): Promise<TokenFlow> {
  const runner = new SmokeFlowRunner(session);
  const tokens = await runner.token(session.target.projects);
  return { ...runner.found, tokens };
}

function isPassable(step: StepOutcome): boolean {
  return step.status === 'done' || step.status === 'departed';
}

type StepAttempt<T> = Attempt<T> & {
  readonly requestStyle?: RequestStyle;
  readonly ownLeft?: readonly OwnAssignment[];
  readonly httpStatus?: number;
};

class SmokeFlowRunner {
  readonly steps: StepOutcome[] = [];
  readonly #session: Session;
  readonly #opening: Opening | undefined;
  requestStyle: RequestStyle;

  constructor(session: Session, opening?: Opening) {
    this.#session = session;
    this.#opening = opening;
    this.requestStyle = session.requestStyle;
  }

  get found(): SmokeFlow {
    const { steps, requestStyle } = this;
    return { steps, requestStyle, stopped: steps.find((s) => !isPassable(s)) };
  }

  async run(): Promise<void> {
    const first = await this.token([this.#session.target.projects[0]]);
    if (first === undefined) return;
    const { accessToken: token } = first;
    if ((await this.#step('list', (c) => startClean(c, token))) === undefined) return;
    if (!(await this.#lock(token))) return this.#cleanUp(token);
    const place = firstPlace(this.#session.target);
    const assigned = await this.#step('assign', (c) => change(c, token, 'assign', place));
    const unassigned = assigned && (await this.#step('unassign', (c) => change(c, token, 'unassign', place)));
    if (unassigned === undefined) return this.#cleanUp(token);
    const { refreshToken } = first;
    if (refreshToken === undefined) return;
    const second = await this.#step('refresh', (c) => refresh(c, refreshToken));
    if (second === undefined) return;
    await act(this.#talk(), second.accessToken);
  }

  /** Takes the lock, unless there is none or it is held. If only the lock is refused, its key is wrong. */
  async #lock(token: string): Promise<boolean> {
    const { lock, assignedByRun, target } = this.#session;
    if (lock.place === undefined || assignedByRun.lockHeld) return true;
    if ((await this.#step('assign', (c) => takeLock(c, token))) !== undefined) return true;
    const refused = this.steps.at(-1);
    if (refused?.status !== 'refused') return false;
    const own = await change(this.#talk(), token, 'assign', firstPlace(target));
    if (!own.ok && own.status !== 'wrong') return false;
    const { project, user } = lock.place;
    const message = `the service refuses the lock, user ${user} in project ${project} (${refused.message}), and assigns ${target.users[0]}: correct \`lock\``;
    this.steps.splice(-1, 1, { ...refused, httpStatus: undefined, message });
    return false;
  }

  /** Unassigns the user if the walk ends between assign and unassign. */
  async #cleanUp(token: string): Promise<void> {
    const { target, leftovers } = this.#session;
    const c = this.#talk();
    if (target.restoreAssignments !== undefined || c.recorder.signal?.aborted) return;
    leftovers.add(await cleanUp(c, token));
  }

  async token(projects: readonly string[]): Promise<ReceivedTokens | undefined> {
    const opening = this.#opening;
    const code = await this.#step(
      'authorize',
      async (c, again) =>
        opening === undefined || again ? authorize(c, again) : readAuthorized(c, opening.outcome, false),
      opening?.recorder,
    );
    if (code === undefined) return undefined;
    const first = await this.#step('exchange', (c, again) => exchange(c, again ? undefined : code));
    if (first === undefined) return undefined;
    const { accessToken } = first;
    if ((await this.#step('act', (c) => actOnAny(c, accessToken, projects))) === undefined) return undefined;
    return first;
  }

  async #step<T>(
    step: StepId,
    attempt: (conversation: Conversation, again: boolean) => Promise<StepAttempt<T>>,
    recorder: Recorder = this.#session.newRecorder(),
  ): Promise<T | undefined> {
    const { findings, target } = this.#session;
    const { entries } = recorder;
    const stop = (failed: StepAttempt<T> & Failed) => {
      const { status, message, ownLeft, httpStatus } = failed;
      this.steps.push({ step, status, message, entries, ownLeft, httpStatus });
      return undefined;
    };
    const before = findings?.count() ?? 0;
    const first = await attempt(this.#talk(recorder), false);
    const after = findings?.count() ?? 0;
    if (first.ok) return this.#done(step, first, recorder);
    if (first.status !== 'refused') return stop(first);
    for (const workaround of workaroundsFor(step, this.requestStyle, first.httpStatus)) {
      const second = await attempt(this.#talk(recorder).speaking(workaround.requestStyle), true);
      if (!second.ok && second.status === 'no-answer' && step === 'authorize') return stop(second);
      if (!second.ok) continue;
      if (workaround.violates && this.#mayBeChance(step)) {
        const third = await attempt(this.#talk(recorder), true);
        if (third.ok) {
          findings?.markUncertain(before, after);
          return this.#done(step, third, recorder);
        }
      }
      this.requestStyle = second.requestStyle ?? workaround.requestStyle;
      const { violates, description } = workaround;
      const message = violates ? `${first.message}; accepted ${description}` : description;
      this.steps.push({ step, status: violates ? 'departed' : 'done', message, entries, workaround });
      return second.value;
    }
    return stop(target.shared ? await explained(this.#talk(recorder), step, first) : first);
  }

  #talk(recorder: Recorder = this.#session.newRecorder()): Conversation {
    return new Conversation(this.#session, recorder, this.requestStyle);
  }

  /**
   * Returns true if a refusal may be transient: the documented request succeeds on retry. A refresh token is spent by
   * then and cannot be retried.
   */
  #mayBeChance(step: StepId): boolean {
    return this.#session.target.shared && step !== 'refresh';
  }

  #done<T>(step: StepId, attempt: { value: T; requestStyle?: RequestStyle }, recorder: Recorder): T {
    this.requestStyle = attempt.requestStyle ?? this.requestStyle;
    this.steps.push({ step, status: 'done', message: '', entries: recorder.entries });
    return attempt.value;
  }
}

async function authorize(c: Conversation, again = false): Promise<StepAttempt<string>> {
  const { application } = c.session.target;
  const outcome = await c.authorize(
    authorizationParameters(application, c.requestStyle, { scope: ALL_SCOPES }),
    {
      decision: 'grant',
      signedIn: true,
      through: 'page',
    },
  );
  return readAuthorized(c, outcome, again);
}

function readAuthorized(c: Conversation, outcome: AuthorizeOutcome, again: boolean): StepAttempt<string> {
  const refused = signInRefused(c, outcome, again);
  if (refused !== undefined) return refused;
  const read = readCode(outcome);
  const { offered } = outcome;
  return read.ok || offered === undefined
    ? read
    : { ...read, message: `${read.message}; the page offers ${offered}` };
}

/** Stops after two failed sign-ins, because accounts get locked; a signed-in user is not asked again. */
function signInRefused(
  c: Conversation,
  outcome: AuthorizeOutcome,
  again: boolean,
): StepAttempt<never> | undefined {
  const last = outcome.pages.at(-1);
  if (outcome.caught !== undefined || outcome.trouble !== undefined || last === undefined) return undefined;
  const asked = outcome.pages.some((page) => page.shows === 'sign-in');
  if (last.shows !== 'sign-in' && !(again && asked)) return undefined;
  const message = `signing in led to no consent and no redirect, but to a page (${last.status}) at ${pageAddress(last.url)}; ${whatToCheck(c.session.target.pages)}`;
  return { ok: false, status: 'no-answer', message };
}

async function exchange(c: Conversation, code: string | undefined): Promise<StepAttempt<ReceivedTokens>> {
  let fresh = code;
  if (fresh === undefined) {
    const again = await authorize(c);
    if (!again.ok) return again;
    fresh = again.value;
  }
  const answer = await c.token('exchange the code', exchangeParameters(c.session.target.application, fresh));
  return tokenAttempt(answer);
}

async function refresh(c: Conversation, refreshToken: string): Promise<StepAttempt<ReceivedTokens>> {
  const parameters = refreshParameters(c.session.target.application, refreshToken, c.requestStyle);
  const early = tokenAttempt(await c.token('refresh', parameters));
  if (early.ok || early.status !== 'refused') return early;
  // No clause promises a refresh before expiry (an open point): with a clock, the token expires first.
  const clock = c.session.target.clock;
  if (clock === undefined) return early;
  try {
    await clock.advance(LIFETIME + c.session.target.skewSeconds);
  } catch (error) {
    if (error instanceof TransportFailure) return unanswered(error.message);
    throw error;
  }
  const late = tokenAttempt(await c.token('refresh after expiry', parameters));
  return late.ok ? { ...late, requestStyle: { ...c.requestStyle, refreshBeforeExpiry: false } } : late;
}

/** A server error is an outage and no refusal: no workaround is tried for it. */
function tokenAttempt(answer: TokenAnswer): StepAttempt<ReceivedTokens> {
  const { response } = answer;
  if (response !== undefined && response.status >= 500) return unanswered(`status ${response.status}`);
  return issuedIn(answer);
}

function refused(
  message: string,
  more: Pick<StepOutcome, 'httpStatus' | 'ownLeft'> = {},
): StepAttempt<never> {
  return { ok: false, status: 'refused', message, ...more };
}

function unanswered(why: string | undefined): StepAttempt<never> {
  return { ok: false, status: 'no-answer', message: why ?? 'no answer' };
}

async function actOnAny(
  c: Conversation,
  token: string,
  projects: readonly string[],
): Promise<StepAttempt<true>> {
  let first: StepAttempt<true> | undefined;
  for (const project of projects) {
    const attempt = await act(c, token, project);
    if (attempt.ok) return attempt;
    first ??= attempt;
  }
  return first ?? unanswered('there is no project to list');
}

async function act(
  c: Conversation,
  token: string,
  project: string = c.session.target.projects[0],
): Promise<StepAttempt<true>> {
  const { response, exchange: sent } = await c.resource('list with the new token', {
    operation: 'list',
    project,
    token,
  });
  if (response === undefined) return unanswered(sent.failure?.message);
  if (response.status === 429 || response.status >= 500) return unanswered(`status ${response.status}`);
  if (isSuccess(response)) return { ok: true, value: true };
  const message = `the list operation answered ${response.status} to the new token`;
  return refused(message, { httpStatus: response.status });
}

/**
 * Requires that no own user is assigned at the start, because the cleanup would remove that assignment, and that no other run
 * holds the lock.
 *
 * @param users the own users who must be unassigned
 */
export async function startClean(
  c: Conversation,
  token: string,
  users: readonly string[] = c.session.target.users,
): Promise<StepAttempt<true>> {
  const { target, assignedByRun, lock } = c.session;
  // The request that takes the lock follows the lists at once, without a pause of the pace.
  await target.traffic?.room(target.projects.length + 2);
  const look = () => ownUsersAssigned(c, token, users);
  const first = await look();
  const found = assignedByRun.lockHeld ? first : await waitForOtherRun(c, first, look);
  const trouble = preflightTrouble(found);
  if (trouble === undefined) {
    for (const project of target.projects) assignedByRun.seenUnassigned(project, users);
    if (lock.place !== undefined && !assignedByRun.lockHeld)
      assignedByRun.seenUnassigned(lock.place.project, [lock.place.user]);
    return { ok: true, value: true };
  }
  const ownLeft = found.unreadable.length === 0 ? found.assigned : undefined;
  return refused(`${trouble.observed}; ${trouble.remedy}`, { ownLeft });
}

function firstPlace({ projects, users }: Target): OwnAssignment {
  return { project: projects[0], user: users[0] };
}

/** Requests that release the lock: pages and an exchange for a new token, unassign, and lists. */
const RELEASE_REQUESTS = 12;

/**
 * Takes the lock. The list decides if it is taken: a list that never shows it, or late, stops no run.
 *
 * @param token an access token that may assign
 */
export async function takeLock(c: Conversation, token: string): Promise<StepAttempt<true>> {
  const { lock, assignedByRun, target } = c.session;
  const { place } = lock;
  if (place === undefined || assignedByRun.lockHeld) return { ok: true, value: true };
  target.traffic?.keepForEnd(RELEASE_REQUESTS);
  const taken = await change(c, token, 'assign', place);
  lock.token = token;
  if (taken.ok || taken.status === 'refused') {
    // With a status the request itself was refused; else the list behind it cannot be read.
    if (!taken.ok && taken.httpStatus !== undefined)
      assignedByRun.seenUnassigned(place.project, [place.user]);
    return taken;
  }
  if (taken.status !== 'wrong') return taken;
  await letListsSettle(target);
  const { response } = await c.resource('list', { operation: 'list', project: place.project, token });
  const listed = isSuccess(response) && listedAmong([place.user], c, response).length > 0;
  lock.shown = listed ? 'late' : 'never';
  return { ok: true, value: true };
}

/**
 * Explains a refused step: `wrong` if the service accepts one scope in place of the three that it granted or was asked for, which
 * no configuration explains.
 */
async function explained<T extends Failed & { readonly httpStatus?: number }>(
  c: Conversation,
  step: StepId,
  failed: T,
): Promise<T> {
  const wrong = (how: string): T => ({ ...failed, status: 'wrong', message: `${failed.message}; ${how}` });
  if (step === 'authorize') {
    const barred = await barredScope(c);
    if (barred !== undefined) return { ...failed, message: findingText(barred) };
    const alone = await grantedCode(c, { scope: 'read' });
    return alone.ok ? wrong('accepted with one scope alone') : failed;
  }
  if (failed.httpStatus !== 403 || (step !== 'assign' && step !== 'unassign')) return failed;
  // The user is not assigned yet, or is to be unassigned anyway.
  const unassign = async (token: string) => {
    const { project, user } = firstPlace(c.session.target);
    return (await c.resource('unassign', { operation: 'unassign', project, user, token })).response?.status;
  };
  const [whole, one] = [await freshAccessToken(c), await freshAccessToken(c, { scope: 'destroy' })];
  if (!whole.ok || !one.ok || (await unassign(whole.value)) !== 403) return failed;
  const refusals: readonly unknown[] = [undefined, 401, 403];
  return refusals.includes(await unassign(one.value))
    ? failed
    : wrong('a token of one scope alone may unassign, one of all three may not');
}

/** Assigns or unassigns a user, and requires that the list shows it. */
async function change(
  c: Conversation,
  token: string,
  operation: 'assign' | 'unassign',
  { project, user }: OwnAssignment,
): Promise<StepAttempt<true>> {
  const { response, exchange: sent } = await c.resource(operation, { operation, project, user, token });
  if (response === undefined) return unanswered(sent.failure?.message);
  const answered = `${operation} answered ${response.status}`;
  if (isBusy(response.status)) return unanswered(answered);
  if (!isSuccess(response)) return refused(answered, { httpStatus: response.status });
  const list = await c.resource(`list after ${operation}ing`, { operation: 'list', project, token });
  if (list.response === undefined) return unanswered(list.exchange.failure?.message);
  const wrong = (holds: string): StepAttempt<never> => {
    return { ok: false, status: 'wrong', message: `${answered}, but the list ${holds} the user` };
  };
  if (operation === 'unassign')
    return c.listed(list.response)?.includes(user) === true
      ? wrong('still holds')
      : { ok: true, value: true };
  const pointer = c.requestStyle.userIdPointer ?? pointersTo(list.response, user)[0];
  const requestStyle = { ...c.requestStyle, userIdPointer: pointer };
  const listed = isSuccess(list.response) ? c.speaking(requestStyle).listed(list.response) : [];
  if (listed === undefined) return refused(UNREADABLE_LIST);
  if (listed.includes(user)) return { ok: true, value: true, requestStyle };
  const misread = await misreadPlace(c, token, { project, user });
  return misread === undefined ? wrong('does not hold') : refused(findingText(misread));
}

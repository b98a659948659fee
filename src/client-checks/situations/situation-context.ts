import { setTimeout } from 'node:timers/promises';
import type { SituationId } from '../../../generated/ids.ts';
import { LIFETIME } from '../../document/lifetime.ts';
import type {
  AutoConsent,
  Fault,
  Hold,
  JournalEntry,
  TokenForm,
} from '../../emulator/control/control-types.ts';
import type { Emulator } from '../../emulator/start/start-emulator.ts';
import { CookieJar } from '../../service/agent/cookie-jar.ts';
import { type BrowserRequest, type RedirectResult, visitService } from '../drive/browse.ts';
import type { Call, UserSession } from '../drive/client-driver.ts';
import type { ClientDriver } from '../drive/configured-driver.ts';
import { pollUntil } from '../drive/processes.ts';
import type { Act, ActName, ActResult, Asked, Episode, Gap, SessionName } from '../evaluate/episode.ts';
import type { Places } from '../service.ts';

export class NotProduced extends Error {
  override readonly name = 'NotProduced';
}

export class Unable extends NotProduced {}

/** Durations of every situation, unless a test has others. */
export const DURATIONS = { retryAfterSeconds: 2, heldMs: 1_500 };

export interface SituationSettings {
  /** Long enough to distinguish waiting from an immediate retry. */
  readonly retryAfterSeconds: number;
  /** Real milliseconds for which answers are delayed or held: longer than impatient retries wait, shorter than a deadline. */
  readonly heldMs: number;
  readonly expiresIn?: number;
  /** The client's clock cannot be moved, so real time passes. */
  readonly realTime: boolean;
  readonly signal?: AbortSignal;
  readonly onWaiting?: (secondsLeft: number) => void;
}

/** Values that the requests of a situation name. */
export interface SituationValues extends Pick<SituationSettings, keyof typeof DURATIONS> {
  /** Emails of two owners. */
  readonly first: string;
  readonly second: string;
  /** Lifetime of access tokens in seconds. */
  readonly lifetime: number;
  readonly authUrl: string;
  readonly baseUrl: string;
  /** A project without assigned users. */
  readonly emptyProject: string;
}

export type ControlRequest =
  | {
      readonly method: 'POST';
      readonly path: '/clock/advance';
      readonly body: { readonly seconds: number };
    }
  | { readonly method: 'POST'; readonly path: '/faults'; readonly body: Fault }
  | { readonly method: 'POST'; readonly path: '/holds'; readonly body: Hold }
  | { readonly method: 'DELETE'; readonly path: '/faults' | '/holds' }
  | { readonly method: 'PUT'; readonly path: '/token-form'; readonly body: { readonly form: TokenForm } }
  | { readonly method: 'PUT'; readonly path: '/auto-consent'; readonly body: AutoConsent }
  | { readonly method: 'PUT'; readonly path: '/mark'; readonly body: { readonly mark: SituationId | null } };

/** The browsers of two users, and another browser of the first user. */
export type Browser = SessionName | 'other';

interface SettingsOfOne extends SituationSettings {
  readonly places: Places;
  readonly projectId: string;
  readonly redirectUri: string;
  /** False for browsers that send every cookie back. */
  readonly heedsSameSite: boolean;
}

/** Real milliseconds in which an application sends a change that it has reported as done. */
const LATE_CHANGE_MS = 2_000;

export class SituationContext {
  readonly emulator: Emulator;
  readonly client: ClientDriver;
  readonly settings: SettingsOfOne;
  /** The browsers that a race of one user's calls comes from. */
  browsers: readonly Browser[] = ['first'];
  /** True if the application answers one request at a time; undefined until that is tried. */
  isAlone: boolean | undefined;
  readonly #steps: Act[] = [];
  #sessions: Readonly<Record<Browser, UserSession>>;

  constructor(emulator: Emulator, client: ClientDriver, settings: SettingsOfOne) {
    this.emulator = emulator;
    this.client = client;
    this.settings = settings;
    const { heedsSameSite } = settings;
    const { first, second } = this.values;
    this.#sessions = {
      first: { name: 'first', owner: first, jar: new CookieJar({ heedsSameSite }) },
      second: { name: 'second', owner: second, jar: new CookieJar({ heedsSameSite }) },
      other: { name: 'first', owner: first, jar: new CookieJar({ heedsSameSite }) },
    };
  }

  /** Returns all acts and requests; neither if the journal has lost requests, because the rest could mislead. */
  episode(situation: SituationId, gap?: Gap): Episode {
    const { first, second } = this.#sessions;
    const owners = { first: first.owner, second: second.owner };
    const { control, profile } = this.emulator;
    const { 'refresh-fate.old-refresh-token': old, 'refresh-fate.successor': successor } = profile.answers;
    const { entries, dropped, limit } = control.journal.page();
    if (dropped > 0) {
      const reason = `the journal keeps ${limit} requests, and ${dropped} more were sent: none was evaluated`;
      return { situation, steps: [], entries: [], owners, gap: { reason, unable: false } };
    }
    return {
      situation,
      steps: this.#steps,
      entries: entries.filter(isTheClients).toSorted((a, b) => a.arrival - b.arrival),
      owners,
      forgives: old !== 'at-once' && successor !== 'refused',
      redirectUri: this.settings.redirectUri,
      output: this.client.output(),
      issued: control.issued(),
      received: this.client.received(),
      ...(gap === undefined ? {} : { gap }),
    };
  }

  get values(): SituationValues {
    const { seed, authUrl, baseUrl } = this.emulator;
    const [first, second = first] = seed.owners;
    const lifetime = this.settings.expiresIn ?? LIFETIME;
    const { emptyProject } = this.settings.places;
    const owners = { first: first.email, second: second.email };
    return { ...this.settings, ...owners, lifetime, authUrl, baseUrl, emptyProject };
  }

  /** Does what this request to the control port asks for. */
  async send(request: ControlRequest): Promise<void> {
    const { faults, holds, tokenForm } = this.emulator.control;
    switch (request.path) {
      case '/clock/advance':
        return this.expire();
      case '/faults':
        return void ('body' in request ? faults.arm(request.body) : faults.clear());
      case '/holds':
        return void ('body' in request ? holds.arm(request.body) : holds.clear());
      case '/token-form':
        return tokenForm.set(request.body.form);
    }
  }

  /** Resolves when no request is pending, after a second at the latest. */
  settled(): Promise<void> {
    return this.#untilPending((count) => count === 0, 1);
  }

  /** Resolves when a request is pending, after some seconds at the latest. */
  waiting(): Promise<void> {
    return this.#untilPending((count) => count > 0, 3);
  }

  async #untilPending(fits: (count: number) => boolean, mostSeconds: number): Promise<void> {
    const { journal } = this.emulator.control;
    await pollUntil(() => fits(journal.page().pending.length), mostSeconds * 1_000, 10);
  }

  entries(): readonly JournalEntry[] {
    return this.emulator.control.journal.entries().filter(isTheClients);
  }

  underAnotherHost(host: string): void {
    const { first, second } = this.#sessions;
    this.#sessions = { ...this.#sessions, first: { ...first, host }, second: { ...second, host } };
  }

  /** Returns an attacker's callback address: a code of the attacker's account, and no state. */
  async attackersAddress(): Promise<string> {
    const { authorizeUrl, control } = this.emulator;
    control.journal.mark(ATTACKERS);
    const led = await this.#decided({ method: 'GET', url: authorizeUrl }, this.#sessions.second, 'grant');
    control.journal.mark(undefined);
    if (!('address' in led)) throw new NotProduced(`an attacker got no code: ${led.trouble}`);
    return led.address;
  }

  async authorize(
    as: ActName = '',
    session: Browser = 'first',
    decision: Decision = 'grant',
  ): Promise<string> {
    let back = '';
    const isSignedIn = this.#steps.some(
      ({ act, session: name, browser = name }) => act === 'callback' && browser === session,
    );
    const step = await this.#step('connect', as, session, async (who) => {
      const { address, form, ...seen } = await this.client.connect(who);
      if (address === undefined) return seen;
      const led = await this.#decided(form ?? { method: 'GET', url: address }, who, decision);
      if ('trouble' in led) return { outcome: 'error', detail: `led to a refusal: ${led.trouble}` };
      back = led.address;
      return seen;
    });
    requireOk('the begin of the sign-in', step);
    if (back !== '') return back;
    throw isSignedIn
      ? new Unable(`the client begins no sign-in while its user is signed in: it ${step.detail}`)
      : new NotProduced(failure('the begin of the sign-in', step));
  }

  /** Sends the user's browser to the service, which decides as the user does, without pages. */
  async #decided(
    request: BrowserRequest,
    { owner }: UserSession,
    decision: Decision,
  ): Promise<RedirectResult> {
    if (decision === 'made-up') return { address: madeUp(request.url) };
    const { autoConsent } = this.emulator.control;
    autoConsent.set(owner, decision);
    return visitService(request).finally(() => autoConsent.set(undefined));
  }

  deliver(address: string, as: ActName = '', session: Browser = 'first'): Promise<Act> {
    return this.#step('callback', as, session, (who) => this.client.callback(who, reached(address, who)));
  }

  /** @throws NotProduced if the client refuses the sign-in */
  async signIn(as: ActName = '', session: Browser = 'first'): Promise<string> {
    const address = await this.authorize('', session);
    const step = await this.deliver(address, as, session);
    if (as === '') requireOk('the callback', step);
    return address;
  }

  /** Signs in and checks that a list works; without it the later steps prove nothing. */
  async signedIn(): Promise<void> {
    await this.signIn();
    await this.neededList();
  }

  async neededList(): Promise<void> {
    requireOk('list', await this.call('', 'first', { operation: 'list' }));
  }

  /** @throws NotProduced if an assign or an unassign failed */
  neededChanges(): void {
    for (const step of this.#steps)
      if (step.asked !== undefined && step.asked.operation !== 'list') requireOk(step.asked.operation, step);
  }

  /** Like `authorize`; undefined if the client, which may be signed in, begins no sign-in. */
  async begin(as: ActName): Promise<string | undefined> {
    return this.authorize(as, 'first').catch(undefinedIfNotProduced);
  }

  /** Signs in and calls. Does neither if the client begins no sign-in. */
  async signInAgain(as: ActName): Promise<void> {
    const address = await this.begin(as);
    if (address === undefined) return;
    const step = await this.deliver(address, as);
    if (as === '') requireOk('the callback', step);
    await this.call(as);
  }

  call(
    as: ActName = '',
    session: Browser = 'first',
    call: Partial<Call> = {},
    leaves?: AbortSignal,
  ): Promise<Act> {
    const whole = {
      operation: 'list',
      project: this.settings.projectId,
      user: this.settings.places.user,
      ...call,
    } as const;
    const asked = { ...whole, named: this.client.named(whole.operation) };
    return this.#step(
      'call',
      as,
      session,
      async (who) => {
        const before = this.#arrived();
        const seen = await this.client.call({ ...who, leaves }, whole);
        if (whole.operation !== 'list' && seen.outcome === 'ok') await this.#sent(whole.operation, before);
        return seen;
      },
      asked,
    );
  }

  /** Waits for a change that the application sends after its own answer: it belongs to this call. */
  async #sent(operation: 'assign' | 'unassign', before: number): Promise<void> {
    const { journal } = this.emulator.control;
    const isSent = () => {
      const { entries, pending } = journal.page();
      return [...entries, ...pending].some((one) => one.arrival > before && one.endpoint === operation);
    };
    await pollUntil(isSent, LATE_CHANGE_MS, 10);
    await this.settled();
  }

  /** Opens the first page, in a browser without cookies if so asked. */
  look(isUnknown = false): Promise<void> {
    const { first } = this.#sessions;
    return this.client.look(isUnknown ? { ...first, jar: new CookieJar() } : first);
  }

  async atOnce(acts: readonly (() => Promise<Act>)[]): Promise<readonly Act[]> {
    const before = this.#steps.length;
    const after = this.#arrived();
    const done = await Promise.all(acts.map((act) => act()));
    const until = this.#arrived();
    const shared = done.map((step) => ({ ...step, after, until }));
    this.#steps.splice(before, this.#steps.length - before, ...shared);
    return shared;
  }

  /** Expires the access token: moves both clocks, or waits in real time if the client's cannot be moved. */
  async expire(): Promise<void> {
    const { expiresIn = LIFETIME, realTime } = this.settings;
    // Clients that compare whole seconds are up to a second late.
    await this.#pass(expiresIn + (realTime ? 1.1 : 1));
  }

  /** Lets 20 minutes pass, a sixth of a lifetime, or some seconds in real time: the access token is not due. */
  async wait(inRealTime: number): Promise<void> {
    await this.#pass(this.settings.realTime ? inRealTime : LIFETIME / 6);
  }

  /** Lets a whole second pass, and hardly more. */
  passSecond(): Promise<void> {
    return this.#pass(1.1);
  }

  async #pass(count: number): Promise<void> {
    await this.#step('time', '', 'first', async () => {
      const { realTime, signal, onWaiting } = this.settings;
      if (!realTime) {
        this.emulator.control.clock.advance(count);
        // A client whose clock does not move learns of the expiry from a 401.
        this.client.moveClock(count);
        return { outcome: 'ok', detail: `the clocks moved by ${count} s` };
      }
      for (let left = count; left > 0; left -= 1) {
        onWaiting?.(Math.ceil(left));
        await setTimeout(Math.min(1, left) * 1_000, undefined, signal && { signal });
      }
      return { outcome: 'ok', detail: `${count} s went by` };
    });
  }

  /** @param mostBlocks see `CommandEnvironment` */
  async startAgain(by: 'restart' | 'kill', mostBlocks?: number): Promise<void> {
    await this.#step(by, '', 'first', async () => {
      await (by === 'kill' ? this.client.kill() : this.client.restart(mostBlocks));
      return { outcome: 'ok', detail: by === 'kill' ? 'killed and started again' : 'restarted' };
    });
  }

  /** Restarts before the access token expires, and lets it expire: its lifetime does not begin again. */
  async restartWithin(): Promise<void> {
    const { expiresIn = LIFETIME } = this.settings;
    await this.#pass(0.6 * expiresIn);
    await this.startAgain('restart');
    await this.#pass(0.4 * expiresIn + 1.1);
  }

  newest(member: 'accessToken' | 'refreshToken'): string {
    const issued = this.entries().flatMap((entry) => entry.issued[member] ?? []);
    const last = issued.at(-1);
    if (last === undefined) throw new NotProduced('no token was issued');
    return last;
  }

  async #step(
    act: Act['act'],
    as: ActName,
    browser: Browser,
    work: (session: UserSession) => Promise<ActResult>,
    asked?: Asked,
  ): Promise<Act> {
    const after = this.#arrived();
    const patient = as === 'stalled' ? ({ isPatient: true } as const) : {};
    const who = this.#sessions[browser];
    const begun = performance.now();
    const seen = await work({ ...who, ...patient });
    const step: Act = {
      act,
      as,
      session: who.name,
      ...(browser === 'other' && { browser }),
      ...seen,
      after,
      until: this.#arrived(),
      asked,
      tookMs: performance.now() - begun,
    };
    this.#steps.push(step);
    return step;
  }

  #arrived(): number {
    const { entries, pending } = this.emulator.control.journal.page();
    return Math.max(0, ...entries.map(({ arrival }) => arrival), ...pending.map(({ arrival }) => arrival));
  }
}

/** Returns undefined for an act that did not come about. @throws every other error */
export function undefinedIfNotProduced(error: unknown): undefined {
  if (!(error instanceof NotProduced)) throw error;
}

/** With `made-up`, the browser does not visit the service, and a code that it never issued comes back. */
type Decision = 'grant' | 'deny' | 'made-up';

function madeUp(authorization: string): string {
  const asked = new URL(authorization).searchParams;
  const back = withParameter(asked.get('redirect_uri') ?? '', 'code', NEVER_ISSUED);
  return withParameter(back, 'state', asked.get('state') ?? undefined);
}

export function withParameter(address: string, name: string, value: string | undefined): string {
  const url = new URL(address);
  if (value === undefined) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return url.href;
}

export const NEVER_ISSUED = 'never-issued-0123456789abcdefghijklmnopqrs';

const ATTACKERS = 'attacker';

function isTheClients({ mark, endpoint }: JournalEntry): boolean {
  return mark !== ATTACKERS || (endpoint !== 'authorize' && endpoint !== 'page');
}

/** @throws NotProduced if an act failed without which the situation shows nothing */
export function requireOk(what: string, act: Act): void {
  if (act.outcome !== 'ok') throw new NotProduced(failure(what, act));
}

function failure(what: string, { detail, why }: Act): string {
  return `${what} failed: it ${detail}${why === undefined ? '' : ` (${why})`}`;
}

function reached(address: string, { host }: UserSession): string {
  if (host === undefined) return address;
  const url = new URL(address);
  url.hostname = host;
  return url.href;
}

export function sleepSeconds(count: number): Promise<void> {
  return setTimeout(count * 1_000);
}

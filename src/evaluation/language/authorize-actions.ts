import type { RequirementId } from '../../../generated/ids.ts';
import type { AuthorizeOutcome, Decision } from '../../service/agent/user-agent.ts';
import { type ParameterChanges, type Parameters, withChanges } from '../../service/flow/requests.ts';
import {
  type AuthorizeVisit,
  codesIn,
  queryCode,
  type ServiceClient,
  showsConsent,
  tokensInAddresses,
} from '../../service/flow/service-client.ts';
import type { Spelling } from '../../service/flow/spelling.ts';
import type { ActionParts } from './action-parts.ts';
import { outcomeText, withoutConsentPage } from './authorize-outcome.ts';
import {
  Blocked,
  ConformanceFailure,
  misconfiguredEnd,
  NotRun,
  notAnswered,
  ProvenFailure,
} from './outcome.ts';

/**
 * Sends a check's authorization requests (clause 4.1). The first request of each decision opens in the browser. Its
 * variants use only the browser's cookies where that works, because rendering pages is slow.
 */
export class AuthorizeActions {
  readonly #acting: ActionParts;
  readonly #withoutRendering: WithoutRendering;

  constructor(acting: ActionParts) {
    this.#acting = acting;
    this.#withoutRendering = new WithoutRendering(acting.serviceClient);
  }

  request(changes: ParameterChanges = {}): AuthorizeAction {
    return new AuthorizeAction(this.#acting, this.#withoutRendering, {
      parameters: withChanges(this.#acting.serviceClient.authorization(), changes),
      decision: 'grant',
      signedIn: true,
    });
  }
}

interface Authorized {
  readonly code: string;
  readonly outcome: AuthorizeOutcome;
}

type AuthorizeCall = Omit<AuthorizeVisit, 'through'> & { readonly parameters: Parameters };

/**
 * Decides when a request may use the browser's cookies without rendering a page: never for the first of a decision, and
 * only after the documented request has succeeded that way. Where pages need script, a refusal seen without rendering
 * would prove nothing.
 */
class WithoutRendering {
  readonly #serviceClient: ServiceClient;
  readonly #renderedDecisions = new Set<Decision>();
  readonly #works = new Map<Decision, Promise<boolean>>();

  constructor(serviceClient: ServiceClient) {
    this.#serviceClient = serviceClient;
  }

  async suits({ decision, signedIn }: AuthorizeCall): Promise<boolean> {
    if (!signedIn) return false;
    const isFirst = !this.#renderedDecisions.has(decision);
    this.#renderedDecisions.add(decision);
    return !isFirst && this.#worksFor(decision);
  }

  #worksFor(decision: Decision): Promise<boolean> {
    const { pageAgent, quickAgent, quickDecisions } = this.#serviceClient.session;
    // Without a browser both are the same agent.
    if (pageAgent.kind === quickAgent.kind || quickDecisions.has(decision)) return Promise.resolve(true);
    const known = this.#works.get(decision) ?? this.#tryOut(decision);
    this.#works.set(decision, known);
    return known;
  }

  async #tryOut(decision: Decision): Promise<boolean> {
    const serviceClient = this.#serviceClient;
    const visit = { decision, signedIn: true, through: 'cookies-only' } as const;
    const outcome = await serviceClient.authorize(serviceClient.authorization(), visit);
    const works = {
      grant: () => queryCode(outcome) !== undefined,
      // A page may lead to the client by script.
      deny: () => outcome.decided && outcome.caught !== undefined,
      view: () => showsConsent(outcome),
    }[decision]();
    if (works) serviceClient.session.quickDecisions.add(decision);
    return works;
  }
}

export class AuthorizeAction {
  readonly #acting: ActionParts;
  readonly #withoutRendering: WithoutRendering;
  readonly #call: AuthorizeCall;

  constructor(acting: ActionParts, withoutRendering: WithoutRendering, call: AuthorizeCall) {
    this.#acting = acting;
    this.#withoutRendering = withoutRendering;
    this.#call = call;
  }

  denied(): AuthorizeAction {
    return this.#with({ decision: 'deny' });
  }

  left(): AuthorizeAction {
    return this.#with({ decision: 'view' });
  }

  byStranger(): AuthorizeAction {
    return this.#with({ signedIn: false, opensTwice: true });
  }

  /** Asks for the documented address by HEAD, as the signed-in owner. */
  byHead(): AuthorizeAction {
    return this.#with({ decision: 'view', method: 'HEAD' });
  }

  withPassword(password: string): AuthorizeAction {
    return this.#with({ signedIn: false, elsewhere: { password } });
  }

  /** In another browser, whose owner types this password first and then the right one. */
  afterWrongPassword(password: string): AuthorizeAction {
    return this.#with({ elsewhere: { password, thenRight: true } });
  }

  /** In another browser, which signs in while a second tab has another request open. */
  elsewhere(changes: ParameterChanges): AuthorizeAction {
    const otherTab = withChanges(this.#acting.serviceClient.authorization(), changes);
    return this.#with({ elsewhere: { otherTab } });
  }

  /** Leaves the consent page open for a while before the decision. */
  after(advance: () => Promise<void>): AuthorizeAction {
    return this.#with({ pause: advance });
  }

  /** Another tab of the browser opens a further request while the consent page is open. */
  overtaken(open: () => Promise<unknown>): AuthorizeAction {
    const pause = async () => void (await open());
    return this.#with({ pause, overtaken: true });
  }

  repeating(name: string): AuthorizeAction {
    const { parameters } = this.#call;
    return this.#with({ parameters: [...parameters, ...parameters.filter(([sent]) => sent === name)] });
  }

  beside(name: string, value: string, place: 'first' | 'last'): AuthorizeAction {
    const { parameters } = this.#call;
    const other = [name, value] as const;
    return this.#with({ parameters: place === 'first' ? [other, ...parameters] : [...parameters, other] });
  }

  withSpaceAs(separator: '+' | '%20'): AuthorizeAction {
    const { serviceClient } = this.#acting;
    const requestStyle = { ...serviceClient.requestStyle, scopeSeparator: separator };
    const acting = { ...this.#acting, serviceClient: serviceClient.withStyle(requestStyle) };
    return new AuthorizeAction(acting, this.#withoutRendering, this.#call);
  }

  spelled(spelling: Spelling): AuthorizeAction {
    return this.#with({ spelling });
  }

  /** Sends the request. Throws {@link NotRun} when no answer could be received. */
  async outcome(): Promise<AuthorizeOutcome> {
    const { parameters, ...visit } = this.#call;
    const isQuick = visit.elsewhere !== undefined || visit.method !== undefined;
    const rendered = !isQuick && !(await this.#withoutRendering.suits(this.#call));
    const authorize = (through: AuthorizeVisit['through']) =>
      this.#acting.serviceClient.authorize(parameters, { ...visit, through });
    const first = await authorize(rendered ? 'page' : 'cookies-only');
    // The agent without script got codes where the consent was remembered; here a script decides.
    const isUndecided = visit.decision !== 'view' && showsConsent(first) && !first.decided;
    const outcome = !rendered && !isQuick && isUndecided ? await authorize('page') : first;
    const undenied = showsConsent(outcome) && (!outcome.decided || outcome.trouble !== undefined);
    if (visit.decision === 'deny' && undenied)
      throw misconfiguredEnd(
        'what `consent.deny` names could not be pressed on the consent page, so denial proves nothing',
        `correct \`consent.deny\`${outcome.trouble === undefined ? '' : ` (${outcome.trouble})`}`,
      );
    if (outcome.trouble !== undefined)
      throw notAnswered(`authorization request: ${outcome.trouble}`, outcome.cause);
    if (outcome.pages.some(({ status }) => status === 429))
      throw new NotRun('authorization request: the target answered 429, too many requests');
    return outcome;
  }

  async expectCode(): Promise<Authorized> {
    const wanted = 'a redirect to the client with a query parameter `code`';
    return this.#code((got) => new ConformanceFailure(wanted, got));
  }

  /** Returns a code for a check about another part of the redirect; without one, blocks the check with the owner to blame. */
  async requireSuccess(owner: RequirementId = 'authorize.redirects-with-code'): Promise<Authorized> {
    return this.#code((got) => new Blocked('obtain a code', owner, got));
  }

  async asDecided(): Promise<AuthorizeOutcome> {
    const outcome = await this.outcome();
    if (outcome.decided) return outcome;
    throw withoutConsentPage(outcome);
  }

  /** Requires no code and no token, beside an accepted twin. @param excuse throws if a code breaks no demand of the check */
  async expectNoCode(excuse?: (code: string) => Promise<void>): Promise<AuthorizeOutcome> {
    const outcome = await this.outcome();
    const [code] = codesIn(outcome);
    if (code !== undefined) {
      await excuse?.(code);
      const expected = `no code${circumstanceOf(this.#call)}`;
      const shown = outcomeText(outcome);
      const got =
        outcome.caught === undefined ? `a code in another address of the browser, and ${shown}` : shown;
      throw new ProvenFailure(expected, got);
    }
    if (tokensInAddresses(outcome).length > 0) throw new ProvenFailure('no token', outcomeText(outcome));
    const status = Math.max(0, ...outcome.pages.map((page) => page.status));
    this.#acting.refusals.refused('authorization request', status);
    this.#acting.noteAnswer({ of: 'authorize-failure', outcome });
    return outcome;
  }

  /** Requires a code for the refused request with its one difference corrected; otherwise the refusal proves nothing. */
  async expectTwinAccepted(): Promise<void> {
    await this.#code((got) => new Blocked('see the twin get a code', 'authorize.redirects-with-code', got));
    this.#acting.refusals.twinAccepted();
  }

  async #code(otherwise: (got: string) => Error): Promise<Authorized> {
    const outcome = await this.outcome();
    const code = queryCode(outcome);
    if (code === undefined) throw otherwise(outcomeText(outcome));
    return { code, outcome };
  }

  #with(change: Partial<AuthorizeCall>): AuthorizeAction {
    return new AuthorizeAction(this.#acting, this.#withoutRendering, { ...this.#call, ...change });
  }
}

/** Returns what a code should not have come for, such as ` after a denial`. */
function circumstanceOf({ parameters, signedIn, decision, method }: AuthorizeCall): string {
  const names = parameters.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return ` for a request with two \`${twice}\``;
  if (method !== undefined) return ` for ${method}`;
  if (!signedIn) return ' for a stranger';
  return { grant: '', deny: ' after a denial', view: ' for a page that the owner leaves' }[decision];
}

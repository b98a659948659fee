import type { AbilityId } from '../../generated/ids.ts';
import { type AuthorizeOutcome, redirectParameters } from '../agent/user-agent.ts';
import { type Exchange, headerOf, isBusy, isSuccess, TransportFailure } from '../exchange/exchange.ts';
import { ALL_SCOPES, type Application, type Target } from '../targets/target.ts';
import { exchangedTokens, freshAccessToken, grantedCode, type WantedGrant } from './actor.ts';
import { cleanUp } from './clean-up.ts';
import { Conversation } from './conversation.ts';
import { leftInWords } from './leftovers.ts';
import { neverIssued } from './never-issued.ts';
import { authorizationParameters, exchangeParameters } from './parameters.ts';
import { showsConsent } from './read-code.ts';
import type { Session } from './session.ts';
import type { BaseWalk } from './smoke-flow.ts';

export interface ConfigurationFinding {
  readonly saw: string;
  readonly remedy: string;
}

export function findingInWords({ saw, remedy }: ConfigurationFinding): string {
  return `configuration: ${saw}; ${remedy}`;
}

export interface Reliable {
  readonly target: Target;
  readonly contradictions: readonly ConfigurationFinding[];
}

/** Adds refusals that prove no key wrong: `doctor` reports them, a run leaves them to its checks. */
export interface HeldConfiguration extends Reliable {
  readonly refusals: readonly ConfigurationFinding[];
}

/** An address that no application has registered (RFC 2606). */
const UNREGISTERED = 'https://attacker.invalid/callback';

/**
 * Holds what a configuration says of a live service against what the service does: `consent.shown`, `secondApplication`, the
 * further redirect addresses, `token.presentation`. A check that takes such a key on trust would blame the service for it.
 *
 * A refusal alone proves no key wrong, because a service may be at fault there. It counts where the service answers the configured value
 * exactly as it answers one that certainly is wrong; every other refusal is left to the checks.
 */
export async function heldAgainst(session: Session, walk: BaseWalk): Promise<HeldConfiguration> {
  const { findings } = session;
  const before = findings?.count() ?? 0;
  const contradictions: ConfigurationFinding[] = [];
  const refusals: ConfigurationFinding[] = [];
  let { target } = session;
  const presentation = presentationContradicted(target, walk);
  if (presentation !== undefined) contradictions.push(presentation);
  const speaking: Session = { ...session, dialect: walk.dialect };
  for (const hold of [holdConsent, holdSecondApplication, holdRedirectAddresses]) {
    const c = new Conversation(speaking, session.newRecorder());
    const held = await hold(c, target, refusals, walk);
    if (held === undefined) continue;
    target = held.target;
    contradictions.push(...held.contradictions);
  }
  // What the service answered to a wrong configuration is no word on the service.
  if (contradictions.length > 0) findings?.doubt(before, findings.count());
  return { target, contradictions, refusals };
}

function presentationContradicted(
  { presentation }: Target,
  { dialect, steps }: BaseWalk,
): ConfigurationFinding | undefined {
  const acted = steps.some(({ step, status }) => step === 'act' && status === 'done');
  if (presentation === undefined || !acted) return undefined;
  const found = dialect.presentation;
  if (JSON.stringify(presentation) === JSON.stringify(found)) return undefined;
  const accepted =
    found.in === 'header' ? `{ "header": "${found.scheme}" }` : `{ "${found.in}": "${found.name}" }`;
  return {
    saw: 'the service refuses an access token as `token.presentation` says',
    remedy: `set it to ${accepted}, which it accepts, or leave it out`,
  };
}

async function holdConsent(
  c: Conversation,
  target: Target,
  _refusals: unknown,
  walk: BaseWalk,
): Promise<Reliable | undefined> {
  const { consentShown, deny } = target.pages;
  const request = authorizationParameters(target.application, c.dialect, { scope: ALL_SCOPES });
  const look = () => c.authorize(request, { decision: 'leave', signedIn: true, through: 'page' });
  const again = await look();
  const asked = showsConsent(again);
  if (!asked && codeOf(again) === undefined) return undefined;
  if (consentShown === 'always') {
    if (asked) return undefined;
    const missing = `\`consent.shown\` is \`always\`, and the service did not ask again`;
    return {
      target: {
        ...without(target, 'fresh-consent', missing),
        pages: { ...target.pages, consentShown: 'once' },
      },
      contradictions: [
        {
          saw: '`consent.shown` is `always`, but after a grant the service issued a code without showing the consent page',
          remedy: 'set it to `once`, or have the service ask every time',
        },
      ],
    };
  }
  const first = consentShown === 'never' && (asked || consentSeen(walk));
  if (!first && !asked) return undefined;
  // Consent may be asked for once more for a reason of the service's own. A page that follows a further grant is the rule.
  const everyTime = asked && (await grantedCode(c)).ok && showsConsent(await look());
  if (!first && !everyTime) return undefined;
  const should = everyTime ? 'always' : 'once';
  const saw = everyTime ? 'at every authorization' : 'before the first grant';
  const pages = { ...target.pages, consentShown: should } as const;
  const known = { ...target, pages };
  return {
    target: everyTime && deny !== undefined ? withAbility(known, 'fresh-consent') : known,
    contradictions: [
      {
        saw: `\`consent.shown\` is \`${consentShown}\`, but the service showed the consent page ${saw}`,
        remedy: `set it to \`${should}\``,
      },
    ],
  };
}

function codeOf({ caught }: AuthorizeOutcome): string | undefined {
  return (caught && redirectParameters(caught).query.get('code')) || undefined;
}

function consentSeen({ steps }: BaseWalk): boolean {
  return steps
    .filter(({ step }) => step === 'authorize')
    .some(({ entries }) =>
      entries.some((e) => e.kind === 'step' && e.step.detail?.includes('shows consent')),
    );
}

async function holdSecondApplication(
  c: Conversation,
  target: Target,
  refusals: ConfigurationFinding[],
): Promise<Reliable | undefined> {
  const application = target.secondApplication;
  if (application === undefined) return undefined;
  const remedy = 'correct it, or leave `secondApplication` out';
  const refused = (message: string) =>
    void refusals.push({ saw: `\`secondApplication\` is refused: ${message}`, remedy });
  const key = await wrongKeyOf(c, application, refused);
  if (key === undefined) return undefined;
  const { secondApplication: _, ...alone } = target;
  return {
    target: without(alone, 'second-application', `${key} is wrong`),
    contradictions: [{ saw: key, remedy }],
  };
}

async function wrongKeyOf(
  c: Conversation,
  application: Application,
  refused: (message: string) => undefined,
): Promise<string | undefined> {
  const [uri] = application.redirectUris;
  const code = await grantedCode(c, { application });
  if (!code.ok) {
    if (code.status !== 'refused') return undefined;
    if (/error=(?:unauthorized_client|invalid_scope)/.test(code.message))
      return `the service does not let \`secondApplication\` ask for what \`application\` may ask for (${code.message})`;
    const clientId = neverIssued(application.clientId);
    const stranger = await refusal(c, { application: { ...application, clientId } });
    const elsewhere = await refusal(c, { redirectUri: UNREGISTERED });
    const keys = [
      ...(stranger === code.message ? ['`secondApplication.clientId`'] : []),
      ...(elsewhere === code.message ? ['`secondApplication.redirectUris[0]`'] : []),
    ];
    if (keys.length === 0) return refused(code.message);
    return `the service does not know ${keys.join(' or ')}: it answers as for one that was made up (${code.message})`;
  }
  const tokens = await exchangedTokens(c, code.value, { application, redirectUri: uri });
  if (tokens.ok || tokens.status !== 'refused') return undefined;
  const another = await grantedCode(c, { application });
  if (!another.ok) return refused(another.message);
  const wrong = { ...application, clientSecret: neverIssued(application.clientSecret) };
  const stranger = await exchangedTokens(c, another.value, { application: wrong, redirectUri: uri });
  if (stranger.ok || stranger.message !== tokens.message) return refused(tokens.message);
  return `the service does not know \`secondApplication.clientSecret\`: it answers as for one that was made up (${tokens.message})`;
}

async function holdRedirectAddresses(
  c: Conversation,
  target: Target,
  refusals: ConfigurationFinding[],
): Promise<Reliable | undefined> {
  const { application } = target;
  const [first, ...others] = application.redirectUris;
  const contradictions: ConfigurationFinding[] = [];
  const wrong: string[] = [];
  for (const [index, redirectUri] of others.entries()) {
    const refused = await refusal(c, { redirectUri });
    if (refused === undefined) continue;
    const key = `\`application.redirectUris[${index + 1}]\``;
    const remedy = 'register it there, or take it out';
    if (refused !== (await refusal(c, { redirectUri: UNREGISTERED }))) {
      refusals.push({ saw: `${key} is refused: ${refused}`, remedy });
      continue;
    }
    wrong.push(redirectUri);
    const saw = `${key} is not authorized for \`application\`: the service answers as for one that was made up (${refused})`;
    contradictions.push({ saw, remedy });
  }
  if (wrong.length === 0) return undefined;
  const redirectUris = [first, ...others.filter((uri) => !wrong.includes(uri))] as const;
  const known = { ...target, application: { ...application, redirectUris: [...redirectUris] as const } };
  if (redirectUris.length > 1) return { target: known, contradictions };
  const missing = 'the other addresses in `application.redirectUris` are not authorized';
  return { target: without(known, 'second-redirect-uri', missing), contradictions };
}

async function refusal(c: Conversation, wanted: WantedGrant): Promise<string | undefined> {
  const code = await grantedCode(c, wanted);
  return code.ok || code.status !== 'refused' ? undefined : code.message;
}

export function without(target: Target, ability: AbilityId, why: string): Target {
  return {
    ...target,
    abilities: new Set([...target.abilities].filter((one) => one !== ability)),
    missing: new Map([...target.missing, [ability, why]]),
  };
}

function withAbility(target: Target, ability: AbilityId): Target {
  return {
    ...target,
    abilities: new Set([...target.abilities, ability]),
    missing: new Map([...target.missing].filter(([one]) => one !== ability)),
  };
}

/** Returns true if a refusal may concern the user rather than the token or a busy service. */
export function isWordOnTheUser(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && status !== 401 && !isBusy(status);
}

/**
 * Holds a configured user against the service: refused alone, and again after the first user was assigned and unassigned with the same
 * token. Then the id is the cause, and no state of the project. A service that is at fault for this one id cannot be told apart.
 *
 * @returns undefined when the user can be assigned, or nothing can be said
 */
export async function holdUser(session: Session, user: string): Promise<Reliable | undefined> {
  const { target, leftovers, assignedByRun } = session;
  const [project] = target.projects;
  const [first] = target.users;
  const c = new Conversation(session, session.newRecorder());
  const token = await freshAccessToken(c);
  if (!token.ok) return undefined;
  const send = async (operation: 'assign' | 'unassign', one: string) =>
    (await c.resource(operation, { operation, project, user: one, token: token.value })).response;
  try {
    const alone = await send('assign', user);
    if (!isWordOnTheUser(alone?.status)) return undefined;
    if (!isSuccess(await send('assign', first)) || !isSuccess(await send('unassign', first)))
      return undefined;
    const again = await send('assign', user);
    if (again?.status !== alone?.status) return undefined;
    const index = target.users.indexOf(user);
    const users = target.users.filter((one) => one !== user) as [string, ...string[]];
    const known = { ...target, users };
    const why = `the service does not assign \`users[${index}]\``;
    return {
      target: users.length < 3 ? without(known, 'three-users', why) : known,
      contradictions: [
        {
          saw: `the service refuses to assign user ${user} to project ${project} (status ${alone?.status}, twice, with no other user of the suite assigned), and assigns ${first}`,
          remedy: REMEDY_USER,
        },
      ],
    };
  } finally {
    if (assignedByRun.any) leftovers.add(await cleanUp(c, token.value));
  }
}

const REMEDY_USER = 'correct this id in `users`, or have the service let `owner` assign this user';

/**
 * Assigns each own user to the first project and the first user to each further one, and unassigns them. For `doctor`: one request
 * tells whether the service knows an id.
 *
 * @param token an access token that may assign
 */
export async function refusedAssignments(
  c: Conversation,
  token: string,
): Promise<readonly ConfigurationFinding[]> {
  const { projects, users } = c.session.target;
  const [first, ...further] = projects;
  const findings: ConfigurationFinding[] = [];
  const tries = [
    ...users.map((user) => ({ project: first, user, remedy: REMEDY_USER })),
    ...further.map((project) => ({
      project,
      user: users[0],
      remedy: 'have the service let `owner` change this project, or take it out of `projects`',
    })),
  ];
  for (const { remedy, ...call } of tries) {
    const { response, exchange } = await c.resource('assign', { operation: 'assign', ...call, token });
    const answer = response === undefined ? exchange.failure?.message : `status ${response.status}`;
    if (!isSuccess(response))
      findings.push({
        saw: `assigning user ${call.user} to project ${call.project} answered ${answer}`,
        remedy,
      });
  }
  const left = await cleanUp(c, token);
  if (left.length > 0) findings.push({ saw: leftInWords(left), remedy: 'unassign them by hand' });
  return findings;
}

/** Seconds by which the clock is moved for the test: longer than a token lives. */
const LEAP = 7200 + 60;

/**
 * Holds the configured clock against the service: it is said to have moved for longer than an access token lives, and a token and a
 * code from before are both honoured, and no answer shows another time. One of them alone would be the service's fault: tokens that
 * never expire do not keep codes alive.
 *
 * @returns what is wrong and what to do; undefined when time has passed, or nothing can be said
 */
export async function clockContradicted(session: Session): Promise<ConfigurationFinding | undefined> {
  const { target } = session;
  const { clock } = target;
  if (clock === undefined) return undefined;
  const c = new Conversation(session, session.newRecorder());
  const token = await freshAccessToken(c);
  const issued = c.recorder.entries.findLast((entry) => entry.kind === 'exchange')?.exchange;
  const code = await grantedCode(c);
  if (!token.ok || !code.ok) return undefined;
  try {
    await clock.advance(LEAP + target.skewSeconds);
  } catch (error) {
    if (error instanceof TransportFailure) return undefined;
    throw error;
  }
  const [project] = target.projects;
  const listed = await c.resource('list', { operation: 'list', project, token: token.value });
  if (!isSuccess(listed.response)) return undefined;
  const late = await c.token('exchange the code', exchangeParameters(target.application, code.value));
  if (late.tokens.accessToken === undefined) return undefined;
  const fresh = await grantedCode(c);
  if (!fresh.ok || !(await exchangedTokens(c, fresh.value)).ok) return undefined;
  if (issued !== undefined && secondsBetween(issued, late.exchange) > LEAP / 2) return undefined;
  return {
    saw: `the clock that \`clock.advanceUrl\` moves is not the service's: ${LEAP} s later a code and an access token from before are honoured, and no answer shows another time`,
    remedy: 'correct `clock`, or leave it out and wait with --wait-expiry',
  };
}

/** Returns the seconds between two token responses by `Date` or `created_at`; 0 if both are missing. */
function secondsBetween(before: Exchange, after: Exchange): number {
  const [one, other] = [timesOf(before), timesOf(after)];
  return Math.max(
    0,
    ...one.map((time, i) => (other[i] ?? Number.NaN) - time).filter((s) => !Number.isNaN(s)),
  );
}

function timesOf({ response }: Exchange): readonly number[] {
  const date = Date.parse((response && headerOf(response, 'date')) ?? '') / 1_000;
  const created = /"created_at"\s*:\s*(\d+)/.exec(response?.body ?? '')?.[1];
  return [date, Number(created)];
}

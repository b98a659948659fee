import { describedAs } from '../../http/answer-body.ts';
import { pageAddress } from '../../service/agent/page-address.ts';
import { type AuthorizeOutcome, redirectParameters } from '../../service/agent/user-agent.ts';
import { likelySetting, remedyFor } from '../../service/flow/diagnosis.ts';
import { endOfRun } from '../../service/flow/end-of-run.ts';
import { FlowSteps, orStopped, Stopped } from '../../service/flow/flow-steps.ts';
import { takeLock } from '../../service/flow/lock.ts';
import { authorizeAddress } from '../../service/flow/requests.ts';
import { ServiceClient } from '../../service/flow/service-client.ts';
import type { Session } from '../../service/flow/session.ts';
import { accountAreaFinding } from '../../service/flow/settings/account-area.ts';
import { checkSettings, consentSeen } from '../../service/flow/settings/check-settings.ts';
import { ownUsersAssigned, preflightTrouble, refusedAssignments } from '../../service/flow/settings/users.ts';
import { flowToToken } from '../../service/flow/smoke-flow.ts';
import { type TokenFlow, workaroundsFor } from '../../service/flow/smoke-steps.ts';
import type { AccountAreaPages, ConfigurationFinding } from '../../service/target.ts';
import { smallBudgets } from './budgets.ts';

import { COMPARE_SETTINGS, type DoctorStep, failed, passed, type StepEnd, withWorkaround } from './steps.ts';

/** Opens the authorize page without a session, and sends no form. */
export function authorizePage(session: Session): DoctorStep {
  return {
    name: 'authorize page',
    check: async () => {
      const opened = async (requestStyle = session.requestStyle) => {
        const serviceClient = new ServiceClient(session).withStyle(requestStyle);
        const parameters = serviceClient.authorization({ application: session.target.application });
        const visit = { decision: 'view', signedIn: false, through: 'page' } as const;
        const outcome = await serviceClient.authorize(parameters, visit);
        return { outcome, end: shownPageEnd(outcome, authorizeAddress(session.target, requestStyle)) };
      };
      const { outcome, end } = await opened();
      if (end.ok || (outcome.caught === undefined && outcome.cause !== 'request refused')) return end;
      for (const { requestStyle, description } of workaroundsFor(
        'authorize',
        session.requestStyle,
        undefined,
      )) {
        const next = await opened(requestStyle);
        if (next.end.ok) return withWorkaround(next.end, `${end.observed}; accepted ${description}`);
      }
      return end;
    },
  };
}

/** Expects the sign-in form as the last page. */
export function shownPageEnd(outcome: AuthorizeOutcome, address: string): StepEnd {
  const { caught, trouble, pages, instead, says, cause = trouble ? undefined : 'no form' } = outcome;
  const last = pages.at(-1);
  const at = last && `${pageAddress(last.url)} (status ${last.status})`;
  if (caught === undefined && last?.shows === 'sign-in')
    return passed(`the sign-in form is at ${at}`, `authorize address: ${address}`);
  const query = caught && redirectParameters(caught).query;
  const described = describedAs(query?.get('error_description') ?? null);
  const redirect = query && `a redirect to the client with ${query.get('error') ?? 'no error'}${described}`;
  const got = redirect ?? trouble ?? at ?? 'no page';
  const observed = instead ?? `expected a sign-in form (\`signIn.form\`), got ${got}`;
  const setting =
    caught !== undefined
      ? 'let the application ask for read, write and destroy (clause 4.1)'
      : (likelySetting({ step: 'authorize', cause, says }, last) ?? COMPARE_SETTINGS);
  return failed(observed, `${setting}; authorize address: ${address}`, cause);
}

/** Returns the steps from the sign-in to the assignment of each user. They share one sign-in. */
export function smokeFlowSteps(session: Session): readonly DoctorStep[] {
  let flow: Promise<TokenFlow> | undefined;
  const onFlow = (
    name: string,
    check: (flow: TokenFlow, session: Session) => StepEnd | Promise<StepEnd>,
  ) => ({
    name,
    check: async () => {
      flow ??= flowToToken(session);
      return check(await flow, session);
    },
  });
  const { abilities, pages } = session.target;
  const area = abilities.has('create-application') ? pages.accountArea : undefined;
  return [
    onFlow('sign-in', signIn),
    onFlow('redirect', (flow) => step(flow, 'authorize', 'caught, with a code')),
    onFlow('token', (flow) => step(flow, 'exchange', 'the code was exchanged')),
    onFlow('list', list),
    onFlow('users', users),
    onFlow('settings', settings),
    ...(area === undefined ? [] : [{ name: 'account area', check: () => accountArea(session, area) }]),
    { ...onFlow('assign', assign), assigns: true },
  ];
}

function signIn({ steps }: TokenFlow): StepEnd {
  const authorize = steps.find(({ step: name }) => name === 'authorize');
  const isSignedIn = authorize?.entries.some(
    (entry) => entry.kind === 'step' && ['consent', 'redirect'].includes(entry.step.shows ?? ''),
  );
  if (isSignedIn) return passed('the owner is signed in');
  const { cause, finding } = authorize ?? {};
  const message = authorize?.message || 'the owner is not signed in';
  const setting = authorize && likelySetting(authorize, undefined);
  if (setting !== undefined) return failed(message, setting, cause);
  const { observed, remedy } = finding ?? { observed: message, remedy: 'check `owner` and `signIn`' };
  const byHand = 'if that is right, do `signIn.steps` by hand in a browser, and correct what differs';
  const fix = cause === 'needs a person' ? remedy : `${remedy}; ${byHand}`;
  return failed(observed, fix, cause);
}

function step({ steps }: TokenFlow, name: 'authorize' | 'exchange' | 'act', good: string): StepEnd {
  const taken = steps.find((one) => one.step === name);
  if (taken === undefined) return failed('not reached', COMPARE_SETTINGS);
  if (taken.status === 'done') return passed(good);
  if (taken.status === 'workaround') return withWorkaround(passed(good), taken.message);
  return failed(taken.message, remedyFor(taken) ?? COMPARE_SETTINGS, taken.cause);
}

async function users({ tokens, requestStyle }: TokenFlow, session: Session): Promise<StepEnd> {
  const serviceClient = new ServiceClient(session).withStyle(requestStyle);
  const found = await ownUsersAssigned(serviceClient, tokens?.accessToken ?? '');
  const trouble = preflightTrouble(found, session.target);
  return trouble === undefined
    ? passed('none of `users` is assigned, and no other run holds the lock')
    : failed(trouble.observed, trouble.remedy);
}

/** Checks the remaining settings: further redirect URIs, the second application, `consent.shown`. */
async function settings(flow: TokenFlow, session: Session): Promise<StepEnd> {
  const { wrongSettings, refusals } = await checkSettings(session, flow);
  const second = session.target.secondApplication === undefined ? '' : '`secondApplication`, ';
  const good = `the service confirms \`application.redirectUris\`, ${second}\`consent.shown\``;
  const found = [...wrongSettings, ...refusals, ...(await smallBudgets(flow, session))];
  const end = endOf(found, good);
  // A service that always asks has shown the page to a further request.
  if (!end.ok || consentSeen(flow) || session.target.pages.consentShown !== 'once') return end;
  const note = 'no consent page was shown: `consent.grant` and `consent.deny` are untried';
  return passed(good, note);
}

/** Creates an application, which stays. */
async function accountArea(session: Session, area: AccountAreaPages): Promise<StepEnd> {
  const { target } = session;
  const wanted = { name: 'conformance doctor', redirectUri: target.application.redirectUris[0] };
  const shown = await new ServiceClient(session).createApplication(area, wanted);
  const { observed = shown.instead, remedy = 'correct `accountArea`' } =
    accountAreaFinding(shown, target) ?? {};
  return observed === ''
    ? passed('an application was created, and its id and secret were read')
    : failed(observed, remedy);
}

async function assign({ tokens, requestStyle }: TokenFlow, session: Session): Promise<StepEnd> {
  const { projects, users } = session.target;
  const serviceClient = new ServiceClient(session).withStyle(requestStyle);
  const token = tokens?.accessToken ?? '';
  const lock = await orStopped(takeLock(new FlowSteps(serviceClient), token));
  const found: ConfigurationFinding[] = [];
  if (lock instanceof Stopped)
    found.push(
      lock.clues.finding ?? {
        observed: `the lock: ${lock.message}`,
        remedy: 'correct `lock.project` and `lock.user`',
      },
    );
  found.push(...(await refusedAssignments(serviceClient, token)));
  const left = await endOfRun(session);
  if (left !== undefined) found.push({ observed: left.message, remedy: 'unassign them by hand' });
  const attempts = `${users.length} users and ${projects.length} projects`;
  return endOf(
    found,
    `${attempts}: each user was assigned and unassigned, one in each project, and the lock`,
  );
}

function endOf(findings: readonly ConfigurationFinding[], good: string): StepEnd {
  if (findings.length === 0) return passed(good);
  const remedies = new Set(findings.map(({ remedy }) => remedy));
  return failed(findings.map(({ observed }) => observed).join('; '), [...remedies].join('; '));
}

function list(flow: TokenFlow, { target }: Session): StepEnd {
  const end = step(flow, 'act', 'the list of a project was read');
  const { presentation } = flow.requestStyle;
  const how = presentation.in === 'header' ? `Authorization: ${presentation.scheme}` : `${presentation.name}`;
  if (!end.ok || target.presentation !== undefined) return end;
  const note = `the service takes the token as ${how}; if \`token.presentation\` names it, a run need not search for it`;
  return passed(end.observed, ...end.notes, note);
}

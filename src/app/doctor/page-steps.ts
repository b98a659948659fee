import { pageAddress } from '../../agent/page-address.ts';
import { type AuthorizeOutcome, redirectParameters } from '../../agent/user-agent.ts';
import { Conversation } from '../../flow/conversation.ts';
import { authorizationParameters, authorizeUrl } from '../../flow/requests.ts';
import type { Session } from '../../flow/session.ts';
import { checkSettings } from '../../flow/settings/check-settings.ts';
import type { ConfigurationFinding } from '../../flow/settings/finding.ts';
import { ownUsersAssigned, preflightTrouble } from '../../flow/settings/own-users.ts';
import { refusedAssignments } from '../../flow/settings/users.ts';
import { flowToToken } from '../../flow/smoke-flow.ts';
import type { TokenFlow } from '../../flow/smoke-steps.ts';
import { ALL_SCOPES } from '../../targets/target.ts';
import type { DoctorStep, StepEnd } from './step.ts';

/** Opens the authorize page without a session, and sends no form. */
export function authorizePage(session: Session): DoctorStep {
  return {
    name: 'authorize page',
    check: async () => {
      const conversation = new Conversation(session, session.newRecorder());
      const { application } = session.target;
      const parameters = authorizationParameters(application, conversation.requestStyle, {
        scope: ALL_SCOPES,
      });
      const walk = { decision: 'view', signedIn: false, through: 'page' } as const;
      const address = authorizeUrl(session.target, conversation.requestStyle, parameters);
      return shown(await conversation.authorize(parameters, walk), address);
    },
  };
}

function shown(outcome: AuthorizeOutcome, address: string): StepEnd {
  const last = outcome.pages.at(-1);
  if (outcome.caught !== undefined) {
    const error = redirectParameters(outcome.caught).query.get('error') ?? 'no error';
    return {
      ok: false,
      observed: `expected a sign-in page, got a redirect to the client with ${error}`,
      remedy: 'let the application ask for read, write and destroy (clause 4.1)',
    };
  }
  if (outcome.trouble !== undefined || last === undefined) {
    const remedy = `open the authorize address in a browser, and see what is wrong: ${address}`;
    return { ok: false, observed: outcome.trouble ?? 'the browser showed no page', remedy };
  }
  const where = `${pageAddress(last.url)} (status ${last.status})`;
  if (last.shows === 'sign-in')
    return {
      ok: true,
      observed: `the sign-in form is at ${where}`,
      notes: [`authorize address: ${address}`],
    };
  if (last.status >= 400) {
    return {
      ok: false,
      observed: `expected a sign-in page, got ${where}`,
      remedy: 'correct `application.clientId`, or have the first of `application.redirectUris` authorized',
    };
  }
  return {
    ok: false,
    observed: `there is no sign-in form (\`signIn.form\`) at ${where}${outcome.offered === undefined ? '' : `; the page offers ${outcome.offered}`}`,
    remedy: `correct \`signIn.form\`; give a slow page more time by \`consent.settleMs\`; authorize address: ${address}`,
  };
}

export function smokeFlowSteps(session: Session): readonly DoctorStep[] {
  let flow: Promise<TokenFlow> | undefined;
  const walk = () => {
    flow ??= flowToToken(session);
    return flow;
  };
  return [
    { name: 'sign-in', check: async () => signIn(await walk()) },
    { name: 'redirect', check: async () => step(await walk(), 'authorize', 'caught, with a code', REDIRECT) },
    { name: 'token', check: async () => step(await walk(), 'exchange', 'the code was exchanged', TOKEN) },
    { name: 'list', check: async () => list(await walk(), session) },
    { name: 'users', check: async () => users(await walk(), session) },
    { name: 'settings', check: async () => settings(await walk(), session) },
    { name: 'assign', assigns: true, check: async () => assign(await walk(), session) },
  ];
}

const REDIRECT =
  'check that the first of `application.redirectUris` is authorized, and that `consent.grant` names the button that grants';
const TOKEN = 'correct `application.clientSecret`, or have the redirect address authorized';
const LIST = 'check that the owner may see `projects`; if so, set `token.presentation`';

function signIn({ steps }: TokenFlow): StepEnd {
  const authorize = steps.find(({ step: name }) => name === 'authorize');
  const passed = authorize?.entries.some(
    (entry) => entry.kind === 'step' && /shows consent|redirect to the client/.test(entry.step.detail ?? ''),
  );
  if (passed) return { ok: true, observed: 'the owner is signed in' };
  // The sign-in led to a page that no key of the configuration describes.
  const unknown =
    authorize?.message.includes('it was shown') && authorize.message.includes('the page offers');
  return {
    ok: false,
    observed: authorize?.message || 'the owner is not signed in',
    remedy: unknown
      ? 'if one of these grants access, name it in `consent.grant`; if the page is a notice, name what leads on in `signIn.interstitials`; else add it to `signIn.steps`'
      : 'do `signIn.steps` by hand in a browser and correct them; for a captcha or a second factor use `sign-in --save`',
  };
}

function step(
  { steps }: TokenFlow,
  name: 'authorize' | 'exchange' | 'act',
  good: string,
  remedy: string,
): StepEnd {
  const taken = steps.find((one) => one.step === name);
  if (taken === undefined) return { ok: false, observed: 'not reached', remedy };
  if (taken.status === 'done') return { ok: true, observed: good };
  if (taken.status === 'departed') {
    return { ok: true, observed: good, notes: [`the service differs from the document: ${taken.message}`] };
  }
  return { ok: false, observed: taken.message, remedy };
}

async function users({ tokens, requestStyle }: TokenFlow, session: Session): Promise<StepEnd> {
  const conversation = new Conversation(session, session.newRecorder(), requestStyle);
  const found = await ownUsersAssigned(conversation, tokens?.accessToken ?? '');
  const trouble = preflightTrouble(found);
  return trouble === undefined
    ? { ok: true, observed: 'none of `users` is assigned' }
    : { ok: false, ...trouble };
}

/** Checks the remaining settings: further redirect URIs, the second application, `consent.shown`. */
async function settings(walk: TokenFlow, session: Session): Promise<StepEnd> {
  const { wrongSettings, refusals } = await checkSettings(session, walk);
  const { application, secondApplication } = session.target;
  const tried = [
    `${application.redirectUris.length} redirect addresses`,
    ...(secondApplication === undefined ? [] : ['the second application']),
    '`consent.shown`',
  ];
  return endOf([...wrongSettings, ...refusals], `${tried.join(', ')} are as configured`);
}

async function assign({ tokens, requestStyle }: TokenFlow, session: Session): Promise<StepEnd> {
  const { projects, users } = session.target;
  const conversation = new Conversation(session, session.newRecorder(), requestStyle);
  const refused = await refusedAssignments(conversation, tokens?.accessToken ?? '');
  const tried = `${users.length} users and ${projects.length} projects`;
  return endOf(refused, `${tried}: each user was assigned and unassigned, and one in each project`);
}

function endOf(findings: readonly ConfigurationFinding[], good: string): StepEnd {
  if (findings.length === 0) return { ok: true, observed: good };
  return {
    ok: false,
    observed: findings.map(({ observed }) => observed).join('; '),
    remedy: [...new Set(findings.map(({ remedy }) => remedy))].join('; '),
  };
}

function list(walk: TokenFlow, { target }: Session): StepEnd {
  const end = step(walk, 'act', 'the list of a project was read', LIST);
  const { presentation } = walk.requestStyle;
  const how = presentation.in === 'header' ? `Authorization: ${presentation.scheme}` : `${presentation.name}`;
  if (!end.ok || target.presentation !== undefined) return end;
  const note = `the service takes the token as ${how}; if \`token.presentation\` names it, a run need not search for it`;
  return { ...end, notes: [...(end.notes ?? []), note] };
}

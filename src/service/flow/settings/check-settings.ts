import { isSettingMisfit } from '../../agent/user-agent.ts';
import {
  type Application,
  type ConfigurationFinding,
  type ReliableTarget,
  SCOPES,
  type Target,
  withAbility,
  withoutAbility,
} from '../../target.ts';
import { FlowSteps, orStopped, Stopped } from '../flow-steps.ts';
import { neverIssued } from '../never-issued.ts';
import { queryCode, ServiceClient, showsConsent, type WantedGrant } from '../service-client.ts';
import { newRecorder, type Session } from '../session.ts';
import type { SmokeFlow } from '../smoke-steps.ts';

/** Adds refusals that prove no key wrong: `doctor` reports them, a run leaves them to its checks. */
interface CheckedConfiguration extends ReliableTarget {
  readonly refusals: readonly ConfigurationFinding[];
}

interface SettingsContext {
  readonly flowSteps: FlowSteps;
  readonly target: Target;
  readonly refusals: ConfigurationFinding[];
  readonly smokeFlow: SmokeFlow;
}

/** Settings that a service contradicts at the start of a run, or in `doctor`. Refusals contradict the others in this folder. */
const SETTING_CHECKS: readonly ((checked: SettingsContext) => Promise<ReliableTarget | undefined>)[] = [
  checkPresentation,
  checkConsent,
  checkSecondApplication,
  checkRedirectAddresses,
];

/** Those that leave the second application without a grant. */
export const CHECKS_BEFORE_CONSENT = SETTING_CHECKS.filter((check) => check !== checkSecondApplication);

/**
 * Compares a configuration with a live service: `consent.shown`, `secondApplication`, further redirect addresses,
 * `token.presentation`. Checks rely on these keys and would blame the service for a wrong one.
 * A refusal alone proves no key wrong, because the service may be at fault. It counts only if the service answers the configured
 * value exactly like a certainly wrong one; the checks evaluate all others.
 */
export async function checkSettings(
  session: Session,
  smokeFlow: SmokeFlow,
  checks = SETTING_CHECKS,
): Promise<CheckedConfiguration> {
  const { findings } = session;
  const before = findings?.count() ?? 0;
  const wrongSettings: ConfigurationFinding[] = [];
  const refusals: ConfigurationFinding[] = [];
  let { target } = session;
  const adapted: Session = { ...session, requestStyle: smokeFlow.requestStyle };
  for (const check of checks) {
    const flowSteps = new FlowSteps(new ServiceClient(adapted, newRecorder(session)));
    const checked = await check({ flowSteps, target, refusals, smokeFlow });
    if (checked === undefined) continue;
    target = checked.target;
    wrongSettings.push(...checked.wrongSettings);
  }
  // Answers to a wrong configuration are no findings about the service.
  if (wrongSettings.length > 0) findings?.markUncertain(before, findings.count());
  return { target, wrongSettings, refusals };
}

/** `consent.shown`: authorizes again, and once more after a further grant. */
async function checkConsent({
  flowSteps,
  target,
  smokeFlow,
  refusals,
}: SettingsContext): Promise<ReliableTarget | undefined> {
  const { serviceClient } = flowSteps;
  const { consentShown, deny } = target.pages;
  const request = serviceClient.authorization({ application: target.application });
  const look = () => serviceClient.authorize(request, { decision: 'view', signedIn: true, through: 'page' });
  const again = await look();
  const asked = showsConsent(again);
  if (!asked && queryCode(again) === undefined) {
    const { instead: observed, cause } = again;
    if (observed !== undefined && isSettingMisfit(cause))
      refusals.push({ observed, remedy: 'if it is a notice, name what leads on in `signIn.interstitials`' });
    return undefined;
  }
  if (consentShown === 'always') {
    if (asked) return undefined;
    const missing = `\`consent.shown\` is \`always\`, and the service did not ask again`;
    return {
      target: {
        ...withoutAbility(target, 'fresh-consent', missing),
        pages: { ...target.pages, consentShown: 'once' },
      },
      wrongSettings: [
        {
          observed:
            '`consent.shown` is `always`, but after a grant the service issued a code without showing the consent page',
          remedy: 'set it to `once`, or have the service ask every time',
        },
      ],
    };
  }
  const first = consentShown === 'never' && (asked || consentSeen(smokeFlow));
  if (!first && !asked) return undefined;
  // The service may ask once more for its own reasons. A page after a further grant shows the rule.
  const everyTime =
    asked && !((await orStopped(flowSteps.code())) instanceof Stopped) && showsConsent(await look());
  if (!first && !everyTime) return undefined;
  const should = everyTime ? 'always' : 'once';
  const observed = everyTime ? 'at every authorization' : 'before the first grant';
  const pages = { ...target.pages, consentShown: should } as const;
  const known = { ...target, pages };
  return {
    target: everyTime && deny !== undefined ? withAbility(known, 'fresh-consent') : known,
    wrongSettings: [
      {
        observed: `\`consent.shown\` is \`${consentShown}\`, but the service showed the consent page ${observed}`,
        remedy: `set it to \`${should}\``,
      },
    ],
  };
}

/** True if the flow led through the consent page. */
export function consentSeen({ steps }: SmokeFlow): boolean {
  return steps
    .filter(({ step }) => step === 'authorize')
    .some(({ entries }) => entries.some((e) => e.kind === 'step' && e.step.shows === 'consent'));
}

/** An address that no application has registered (RFC 2606). */
const UNREGISTERED = 'https://attacker.invalid/callback';

/** `secondApplication`: its code and its exchange. */
export async function checkSecondApplication({
  flowSteps,
  target,
  refusals,
}: Omit<SettingsContext, 'smokeFlow'>): Promise<ReliableTarget | undefined> {
  const application = target.secondApplication;
  if (application === undefined) return undefined;
  const remedy = 'correct it, or leave `secondApplication` out';
  // The first request of an application in the run: the monitor finds a code for a denial.
  if (target.pages.consentShown === 'always' && target.pages.deny !== undefined) {
    const { serviceClient } = flowSteps;
    await serviceClient.authorize(serviceClient.authorization({ application }), {
      decision: 'deny',
      signedIn: true,
      through: 'page',
    });
  }
  const refused = (message: string) =>
    void refusals.push({ observed: `\`secondApplication\` is refused: ${message}`, remedy });
  const key = await wrongKeyOf(flowSteps, application, refused);
  if (key === undefined) return undefined;
  const { secondApplication: _, ...alone } = target;
  return {
    target: withoutAbility(alone, 'second-application', `${key} is wrong`),
    wrongSettings: [{ observed: key, remedy }],
  };
}

async function wrongKeyOf(
  flowSteps: FlowSteps,
  application: Application,
  refused: (message: string) => undefined,
): Promise<string | undefined> {
  const [uri] = application.redirectUris;
  const code = await orStopped(flowSteps.code({ application }));
  if (code instanceof Stopped) {
    if (!isRefusal(code)) return undefined;
    if (/^(?:unauthorized_client|invalid_scope)$/.test(code.clues.says ?? ''))
      return `the service does not let \`secondApplication\` ask for what \`application\` may ask for (${code.message})`;
    const clientId = neverIssued(application.clientId);
    const stranger = await refusal(flowSteps, { application: { ...application, clientId } });
    const elsewhere = await refusal(flowSteps, { redirectUri: UNREGISTERED });
    const keys = [
      ...(stranger === code.message ? ['`secondApplication.clientId`'] : []),
      ...(elsewhere === code.message ? ['`secondApplication.redirectUris[0]`'] : []),
    ];
    if (keys.length === 0) return refused(code.message);
    return `the service does not know ${keys.join(' or ')}: it answers as to an invented one (${code.message})`;
  }
  const tokens = await orStopped(flowSteps.tokens(code, { application, redirectUri: uri }));
  if (!(tokens instanceof Stopped) || tokens.status !== 'refused') return undefined;
  const another = await orStopped(flowSteps.code({ application }));
  if (another instanceof Stopped) return refused(another.message);
  const wrong = { ...application, clientSecret: neverIssued(application.clientSecret) };
  const stranger = await orStopped(flowSteps.tokens(another, { application: wrong, redirectUri: uri }));
  if (!(stranger instanceof Stopped) || stranger.message !== tokens.message) return refused(tokens.message);
  return `the service does not know \`secondApplication.clientSecret\`: it answers as to an invented one (${tokens.message})`;
}

/** `application.redirectUris` beyond the first. */
async function checkRedirectAddresses({
  flowSteps,
  target,
  refusals,
}: SettingsContext): Promise<ReliableTarget | undefined> {
  const { application } = target;
  const [first, ...others] = application.redirectUris;
  const wrongSettings: ConfigurationFinding[] = [];
  const wrong: string[] = [];
  for (const [index, redirectUri] of others.entries()) {
    const refused = await refusal(flowSteps, { redirectUri });
    if (refused === undefined) continue;
    const key = `\`application.redirectUris[${index + 1}]\``;
    const remedy = 'register it there, or remove it here';
    if (refused !== (await refusal(flowSteps, { redirectUri: UNREGISTERED }))) {
      refusals.push({ observed: `${key} is refused: ${refused}`, remedy });
      continue;
    }
    wrong.push(redirectUri);
    const observed = `${key} is not authorized for \`application\`: the service answers as for one that was made up (${refused})`;
    wrongSettings.push({ observed, remedy });
  }
  if (wrong.length === 0) return undefined;
  const redirectUris = [first, ...others.filter((uri) => !wrong.includes(uri))] as const;
  const known = { ...target, application: { ...application, redirectUris: [...redirectUris] as const } };
  if (redirectUris.length > 1) return { target: known, wrongSettings };
  const missing = 'the other addresses in `application.redirectUris` are not authorized';
  return { target: withoutAbility(known, 'second-redirect-uri', missing), wrongSettings };
}

async function refusal(flowSteps: FlowSteps, wanted: WantedGrant): Promise<string | undefined> {
  const code = await orStopped(flowSteps.code(wanted));
  return isRefusal(code) ? code.message : undefined;
}

function isRefusal(code: string | Stopped): code is Stopped {
  return code instanceof Stopped && code.status === 'refused' && !isSettingMisfit(code.clues.cause);
}

/**
 * Finds a scope that the service refuses to `application`, alone and with others, while it grants the two others together. A
 * service that cannot combine scopes refuses those too.
 */
export async function barredScope(flowSteps: FlowSteps): Promise<ConfigurationFinding | undefined> {
  for (const scope of SCOPES) {
    const granted = SCOPES.filter((one) => one !== scope).join(' ');
    if ((await orStopped(flowSteps.code({ scope: granted }))) instanceof Stopped) continue;
    if ((await refusal(flowSteps, { scope })) === undefined) return undefined;
    const observed = `the service grants ${granted}, and nothing that holds \`${scope}\``;
    return { observed, remedy: `have it let \`application\` ask for \`${scope}\`` };
  }
  return undefined;
}

/** `token.presentation`: contradicted if the smoke flow has found another that the service accepts. */
async function checkPresentation({
  target,
  smokeFlow,
}: SettingsContext): Promise<ReliableTarget | undefined> {
  const { requestStyle, steps } = smokeFlow;
  const { presentation } = target;
  const acted = steps.some(({ step, status }) => step === 'act' && status === 'done');
  if (presentation === undefined || !acted) return undefined;
  const found = requestStyle.presentation;
  if (JSON.stringify(presentation) === JSON.stringify(found)) return undefined;
  const accepted =
    found.in === 'header' ? `{ "header": "${found.scheme}" }` : `{ "${found.in}": "${found.name}" }`;
  const observed = 'the service refuses an access token as `token.presentation` says';
  const remedy = `set it to ${accepted}, which it accepts, or leave it out`;
  return { target, wrongSettings: [{ observed, remedy }] };
}

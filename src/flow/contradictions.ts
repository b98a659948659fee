import type { AbilityId } from '../../generated/ids.ts';
import { type AuthorizeOutcome, redirectParameters } from '../agent/user-agent.ts';
import { ALL_SCOPES, type Application, type Target } from '../targets/target.ts';
import { exchangedTokens, grantedCode, type WantedGrant } from './actor.ts';
import { Conversation } from './conversation.ts';
import { neverIssued } from './never-issued.ts';
import { authorizationParameters } from './parameters.ts';
import { showsConsent } from './read-code.ts';
import type { Session } from './session.ts';
import type { BaseWalk } from './smoke-flow.ts';

/** What a run may rely on once its configuration was held against the service. */
export interface Reliable {
  /** The target without what the service contradicts. */
  readonly target: Target;
  /** For each key that the service contradicts: the key, what was seen, and what to do. */
  readonly contradictions: readonly string[];
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
export async function heldAgainst(session: Session, walk: BaseWalk): Promise<Reliable> {
  const { findings } = session;
  const before = findings?.count() ?? 0;
  const contradictions: string[] = [];
  let { target } = session;
  const presentation = presentationContradicted(target, walk);
  if (presentation !== undefined) contradictions.push(presentation);
  const speaking: Session = { ...session, dialect: walk.dialect };
  for (const hold of [holdConsent, holdSecondApplication, holdRedirectAddresses]) {
    const held = await hold(new Conversation(speaking, session.newRecorder()), target, walk);
    if (held === undefined) continue;
    target = held.target;
    contradictions.push(...held.contradictions);
  }
  // What the service answered to a wrong configuration is no word on the service.
  if (contradictions.length > 0) findings?.doubt(before, findings.count());
  return { target, contradictions };
}

function presentationContradicted(
  { presentation }: Target,
  { dialect, steps }: BaseWalk,
): string | undefined {
  const acted = steps.some(({ step, status }) => step === 'act' && status === 'done');
  if (presentation === undefined || !acted) return undefined;
  const found = dialect.presentation;
  if (JSON.stringify(presentation) === JSON.stringify(found)) return undefined;
  const accepted =
    found.in === 'header' ? `{ "header": "${found.scheme}" }` : `{ "${found.in}": "${found.name}" }`;
  return `configuration: the service refuses an access token as \`token.presentation\` says; set it to ${accepted}, which it accepts, or leave it out`;
}

/** The smoke flow has just granted all three scopes: whether the owner is asked again shows what kind of service it is. */
async function holdConsent(c: Conversation, target: Target, walk: BaseWalk): Promise<Reliable | undefined> {
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
        'configuration: `consent.shown` is `always`, but after a grant the service issued a code without showing the consent page; set it to `once`, or have the service ask every time',
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
      `configuration: \`consent.shown\` is \`${consentShown}\`, but the service showed the consent page ${saw}; set it to \`${should}\``,
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

async function holdSecondApplication(c: Conversation, target: Target): Promise<Reliable | undefined> {
  const application = target.secondApplication;
  if (application === undefined) return undefined;
  const key = await wrongKeyOf(c, application);
  if (key === undefined) return undefined;
  const { secondApplication: _, ...alone } = target;
  return {
    target: without(alone, 'second-application', `${key} is wrong`),
    contradictions: [`configuration: ${key}; correct it, or leave \`secondApplication\` out`],
  };
}

/** What about the second application the service treats as it treats what it certainly does not know; undefined: nothing. */
async function wrongKeyOf(c: Conversation, application: Application): Promise<string | undefined> {
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
    if (keys.length === 0) return undefined;
    return `the service does not know ${keys.join(' or ')}: it answers as for one that was made up (${code.message})`;
  }
  const tokens = await exchangedTokens(c, code.value, { application, redirectUri: uri });
  if (tokens.ok || tokens.status !== 'refused') return undefined;
  const another = await grantedCode(c, { application });
  if (!another.ok) return undefined;
  const wrong = { ...application, clientSecret: neverIssued(application.clientSecret) };
  const stranger = await exchangedTokens(c, another.value, { application: wrong, redirectUri: uri });
  if (stranger.ok || stranger.message !== tokens.message) return undefined;
  return `the service does not know \`secondApplication.clientSecret\`: it answers as for one that was made up (${tokens.message})`;
}

async function holdRedirectAddresses(c: Conversation, target: Target): Promise<Reliable | undefined> {
  const { application } = target;
  const [first, ...others] = application.redirectUris;
  const contradictions: string[] = [];
  const wrong: string[] = [];
  for (const [index, redirectUri] of others.entries()) {
    const refused = await refusal(c, { redirectUri });
    if (refused === undefined || refused !== (await refusal(c, { redirectUri: UNREGISTERED }))) continue;
    wrong.push(redirectUri);
    contradictions.push(
      `configuration: \`application.redirectUris[${index + 1}]\` is not authorized for \`application\`: the service answers as for one that was made up (${refused}); register it there, or take it out`,
    );
  }
  if (wrong.length === 0) return undefined;
  const redirectUris = [first, ...others.filter((uri) => !wrong.includes(uri))] as const;
  const known = { ...target, application: { ...application, redirectUris: [...redirectUris] as const } };
  if (redirectUris.length > 1) return { target: known, contradictions };
  const missing = 'the other addresses in `application.redirectUris` are not authorized';
  return { target: without(known, 'second-redirect-uri', missing), contradictions };
}

/** In which words no code came; undefined where one came, or the service could not be heard. */
async function refusal(c: Conversation, wanted: WantedGrant): Promise<string | undefined> {
  const code = await grantedCode(c, wanted);
  return code.ok || code.status !== 'refused' ? undefined : code.message;
}

/** The target without an ability, and why it lacks it. */
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

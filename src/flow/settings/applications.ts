import type { Target } from '../../targets/target.ts';
import { type Application, SCOPES } from '../../targets/target.ts';
import { exchangedTokens, grantedCode, type WantedGrant } from '../actor.ts';
import type { Conversation } from '../conversation.ts';
import { neverIssued } from '../never-issued.ts';
import { type ConfigurationFinding, type Reliable, without } from './finding.ts';

/** An address that no application has registered (RFC 2606). */
const UNREGISTERED = 'https://attacker.invalid/callback';

/** `secondApplication`: its code and its exchange. */
export async function holdSecondApplication(
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

/** `application.redirectUris` beyond the first. */
export async function holdRedirectAddresses(
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

/**
 * Finds a scope that the service refuses to `application`, alone and with others, while it grants the two others together. A
 * service that cannot combine scopes refuses those too.
 */
export async function barredScope(c: Conversation): Promise<ConfigurationFinding | undefined> {
  for (const scope of SCOPES) {
    const granted = SCOPES.filter((one) => one !== scope).join(' ');
    if (!(await grantedCode(c, { scope: granted })).ok) continue;
    const alone = await grantedCode(c, { scope });
    if (alone.ok || alone.status !== 'refused') return undefined;
    const saw = `the service grants ${granted}, and nothing that holds \`${scope}\``;
    return { saw, remedy: `have it let \`application\` ask for \`${scope}\`` };
  }
  return undefined;
}

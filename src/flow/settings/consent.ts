import { type AuthorizeOutcome, redirectParameters } from '../../agent/user-agent.ts';
import { ALL_SCOPES, type Target } from '../../targets/target.ts';
import { grantedCode } from '../actor.ts';
import type { Conversation } from '../conversation.ts';
import { authorizationParameters } from '../parameters.ts';
import { showsConsent } from '../read-code.ts';
import type { SmokeFlow } from '../smoke-steps.ts';
import { type Reliable, withAbility, without } from './finding.ts';

/** `consent.shown`: authorizes again, and once more after a further grant. */
export async function holdConsent(
  c: Conversation,
  target: Target,
  _refusals: unknown,
  walk: SmokeFlow,
): Promise<Reliable | undefined> {
  const { consentShown, deny } = target.pages;
  const request = authorizationParameters(target.application, c.requestStyle, { scope: ALL_SCOPES });
  const look = () => c.authorize(request, { decision: 'view', signedIn: true, through: 'page' });
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
  // The service may ask once more for its own reasons. A page after a further grant shows the rule.
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

function consentSeen({ steps }: SmokeFlow): boolean {
  return steps
    .filter(({ step }) => step === 'authorize')
    .some(({ entries }) =>
      entries.some((e) => e.kind === 'step' && e.step.detail?.includes('shows consent')),
    );
}

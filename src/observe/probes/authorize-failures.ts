import type { AspectOf } from '../../../generated/ids.ts';
import { type AuthorizeOutcome, redirectParameters } from '../../agent/user-agent.ts';
import { codesIn } from '../../flow/conversation.ts';
import { OMITTED, type ParameterChanges } from '../../flow/requests.ts';
import { SCOPE_SETS } from '../../profiles/scope-sets.ts';
import { ALL_SCOPES } from '../../targets/target.ts';
import { notePage } from '../note-refusal.ts';
import type { Probe } from '../probe-context.ts';
import { neverIssued, type ProbeContext } from '../probe-context.ts';
import { pageOf } from '../read.ts';

type Aspect = AspectOf<'authorize-failures'>;

const FAILURES: readonly (readonly [Aspect, () => ParameterChanges])[] = [
  ['no-client-id', () => ({ client_id: OMITTED })],
  ['unknown-client', () => ({ client_id: neverIssued() })],
  ['no-redirect-uri', () => ({ redirect_uri: OMITTED })],
  ['unauthorized-redirect-uri', () => ({ redirect_uri: 'https://unauthorized.invalid/callback' })],
  ['no-response-type', () => ({ response_type: OMITTED })],
  ['unsupported-response-type', () => ({ response_type: 'no_such_type' })],
  ['no-scope', () => ({ scope: OMITTED })],
  ['unknown-scope', () => ({ scope: `${ALL_SCOPES} no_such_scope` })],
];

export const authorizeFailures: Probe = {
  openPoint: 'authorize-failures',
  aspects: [
    ...FAILURES.map(([aspect]) => `authorize-failures.${aspect}` as const),
    'authorize-failures.duplicate-parameter',
    'authorize-failures.redirect-scope',
    'authorize-failures.token-in-fragment',
  ],
  requests: (FAILURES.length + 6) * 3,
  async run(context) {
    for (const [aspect, change] of FAILURES) {
      const outcome = await context.authorize(context.authorization(change()));
      notePage(context, aspect, outcome);
      if (aspect === 'no-scope') await missingScope(context, codesIn(outcome)[0]);
      if (aspect === 'unknown-scope')
        context.see(
          'authorize-failures.redirect-scope',
          refusedBy(outcome, ({ query }) => query.has('scope')),
        );
    }
    const implicit = await context.authorize(context.authorization({ response_type: 'token' }));
    context.see(
      'authorize-failures.token-in-fragment',
      refusedBy(implicit, ({ fragment }) => fragment.has('error')),
    );
    await duplicate(context);
    await alike(context);
  },
};

/** Returns what the redirect of a refusal shows; null if a page or a code came. */
function refusedBy(
  outcome: AuthorizeOutcome,
  shows: (parameters: ReturnType<typeof redirectParameters>) => boolean,
): boolean | null {
  if (outcome.caught === undefined) return null;
  const parameters = redirectParameters(outcome.caught);
  return parameters.query.has('error') || parameters.fragment.has('error') ? shows(parameters) : null;
}

async function missingScope(context: ProbeContext, code: string | undefined): Promise<void> {
  if (code === undefined) return;
  const { json } = await context.exchange('exchange the code', code);
  const scope = (json as { scope?: unknown } | undefined)?.scope;
  if (typeof scope === 'string' && SCOPE_SETS.includes(scope)) context.departs({ missingScope: scope });
}

async function alike(context: ProbeContext): Promise<void> {
  const plain = context.application.redirectUris.find((uri) => !uri.includes('?'));
  if (plain === undefined) return;
  const outcome = await context.authorize(context.authorization({}, { redirectUri: `${plain}?added=yes` }));
  if (codesIn(outcome).length > 0) context.departs({ redirectAddresses: 'alike' });
  const code = await context.code({ redirectUri: plain });
  const answer = await context.exchange('exchange at an address with a query', code, {
    redirect_uri: `${plain}?added=yes`,
  });
  if (answer.tokens.accessToken !== undefined) context.departs({ exchangedAddresses: 'alike' });
}

/** Sends `state` twice; the returned one is the one that the service uses. */
async function duplicate(context: ProbeContext): Promise<void> {
  const aspect = 'authorize-failures.duplicate-parameter';
  const outcome = await context.authorize(
    context.authorization(
      { state: OMITTED },
      {
        extra: [
          ['state', 'one'],
          ['state', 'other'],
        ],
      },
    ),
  );
  if (codesIn(outcome).length === 0) return context.see(aspect, pageOf(outcome));
  const echoed = outcome.caught && redirectParameters(outcome.caught).query.get('state');
  if (echoed === 'one') context.see(aspect, 'first-wins');
  else if (echoed === 'other') context.see(aspect, 'last-wins');
  else context.cannot(aspect, '`state` does not come back');
}

export const redirects: Probe = {
  openPoint: 'authorize-failures',
  aspects: [
    'authorize-failures.redirect-status',
    'authorize-failures.redirect-spaces',
    'authorize-failures.redirect-issuer',
  ],
  requests: 3,
  async run(context) {
    const { caught } = await context.authorize(
      context.authorization({ state: OMITTED }, { extra: [['state', 'a b']] }),
    );
    if (caught === undefined) return;
    context.see('authorize-failures.redirect-status', caught.status ?? null);
    context.see('authorize-failures.redirect-issuer', /[?&#]iss=/.test(caught.location ?? ''));
    const spaces = /[?&]state=a(\+|%20)b(?:[&#]|$)/.exec(caught.location ?? '')?.[1];
    const written = { '+': 'plus', '%20': 'percent-20' } as const;
    context.see(
      'authorize-failures.redirect-spaces',
      spaces === undefined ? null : written[spaces as '+' | '%20'],
    );
  },
};

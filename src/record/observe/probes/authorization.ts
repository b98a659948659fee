import { createHash, randomBytes } from 'node:crypto';
import type { AspectOf } from '../../../../generated/ids.ts';
import { aspectsOfPoint } from '../../../document/profiles/aspects.ts';
import { SCOPE_SETS } from '../../../document/profiles/scope-sets.ts';
import { WRONG_AUTHORIZATIONS } from '../../../evaluation/requests/wrong-requests.ts';
import { memberOf } from '../../../http/answer-body.ts';
import { type AuthorizeOutcome, redirectParameters } from '../../../service/agent/user-agent.ts';
import { pageOf, refusalOf } from '../../../service/flow/answer-shape.ts';
import { codeIn } from '../../../service/flow/flow-steps.ts';
import { OMITTED } from '../../../service/flow/requests.ts';
import { codesIn, queryCode } from '../../../service/flow/service-client.ts';
import { ALL_SCOPES, type Application, applicationsOf } from '../../../service/target.ts';
import { failuresIn, NotObservable, type Probe, type ProbeContext } from '../probe-context.ts';

const FAILURES = failuresIn<`authorize-failures.${AspectOf<'authorize-failures'>}`>(WRONG_AUTHORIZATIONS);

export const authorizeFailures: Probe = {
  aspects: [...FAILURES.map(({ aspect }) => aspect), 'authorize-failures.duplicate-parameter'],
  async run(context) {
    for (const row of FAILURES) {
      const outcome = await context.authorize(context.authorization(context.changesOf(row)));
      context.see(row.aspect, pageOf(outcome));
      if (row.aspect === 'authorize-failures.no-scope') await missingScope(context, codesIn(outcome)[0]);
    }
    await duplicate(context);
    await alike(context);
  },
};

async function missingScope(context: ProbeContext, code: string | undefined): Promise<void> {
  if (code === undefined) return;
  const { response } = await context.exchange('exchange the code', code);
  const scope = memberOf(response, 'scope');
  if (typeof scope === 'string' && SCOPE_SETS.includes(scope)) context.noteDeparture({ missingScope: scope });
}

async function alike(context: ProbeContext): Promise<void> {
  const plain = context.application.redirectUris.find((uri) => !uri.includes('?'));
  if (plain === undefined) return;
  const outcome = await context.authorize(context.authorization({}, { redirectUri: `${plain}?added=yes` }));
  if (codesIn(outcome).length > 0) context.noteDeparture({ redirectAddresses: 'alike' });
  const code = await context.code({ redirectUri: plain });
  const answer = await context.exchange('exchange at an address with a query', code, {
    redirect_uri: `${plain}?added=yes`,
  });
  if (answer.tokens.accessToken !== undefined) context.noteDeparture({ exchangedAddresses: 'alike' });
}

/** Sends `state` twice; the returned one is the one that the service uses. */
async function duplicate(context: ProbeContext): Promise<void> {
  const aspect = 'authorize-failures.duplicate-parameter';
  const extra = ['one', 'other'].map((state) => ['state', state] as const);
  const outcome = await context.authorize(context.authorization({ state: OMITTED }, { extra }));
  if (codesIn(outcome).length === 0) return context.see(aspect, pageOf(outcome));
  const echoed = outcome.caught && redirectParameters(outcome.caught).query.get('state');
  if (echoed === 'one') context.see(aspect, 'first-wins');
  else if (echoed === 'other') context.see(aspect, 'last-wins');
  else context.cannot(aspect, '`state` does not come back');
}

/** Open point 15: an S256 challenge (RFC 7636), with a wrong verifier and with the right one. */
export const pkce: Probe = {
  aspects: ['pkce.support', 'token-failures.exchange.wrong-verifier'],
  async run(context) {
    const verifier = randomBytes(32).toString('base64url');
    const code = await codeFor(context, verifier);
    if (code === undefined) {
      context.see('pkce.support', 'refused');
      return context.see('token-failures.exchange.wrong-verifier', null);
    }
    const wrong = { code_verifier: randomBytes(32).toString('base64url') };
    const answer = await context.exchange('exchange with a wrong code_verifier', code, wrong);
    context.see('token-failures.exchange.wrong-verifier', refusalOf(answer));
    if (context.pairOf(answer) !== undefined) return context.see('pkce.support', 'ignored');
    const another = (await codeFor(context, verifier)) ?? '';
    const sent = { code_verifier: verifier };
    const right = await context.exchange('exchange with the code_verifier', another, sent);
    context.see('pkce.support', context.pairOf(right) === undefined ? 'refused' : 'verified');
  },
};

async function codeFor(context: ProbeContext, verifier: string): Promise<string | undefined> {
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const extra = [
    ['code_challenge', challenge],
    ['code_challenge_method', 'S256'],
  ] as const;
  return queryCode(await context.authorize(context.authorization({}, { extra })));
}

export const idForms: Probe = {
  aspects: ['id-forms.project', 'id-forms.user'],
  async run(context) {
    const form = (ids: readonly string[]) =>
      ids.every((id) => /^[1-9]\d*$/.test(id)) ? 'numeric' : 'opaque';
    context.see('id-forms.project', form(context.target.projects));
    context.see('id-forms.user', form(context.target.users));
  },
};

/** Open point 19: a loopback redirect address on another port (RFC 8252 section 7.3). */
export const loopbackPorts: Probe = {
  aspects: ['loopback-ports.other-port'],
  async run(context) {
    const { application, redirectUri } = loopback(context);
    const port = new URL(redirectUri).port;
    const other = redirectUri.replace(
      /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(:\d+)?/,
      `$1:${port === '49153' ? 49154 : 49153}`,
    );
    const parameters = context.authorization({}, { application, redirectUri: other });
    context.see('loopback-ports.other-port', codesIn(await context.authorize(parameters)).length > 0);
  },
};

function loopback({ target }: ProbeContext) {
  for (const application of applicationsOf(target)) {
    const redirectUri = application.redirectUris.find((uri) =>
      /^http:\/\/(127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/.test(uri),
    );
    if (redirectUri !== undefined) return { application, redirectUri };
  }
  throw new NotObservable('no application has a redirect address on 127.0.0.1 or [::1]');
}

const GRANTED =
  'this run or an earlier one granted consent, or the service never asks; use an application without a grant';

/**
 * Open points 13 and 7 (denial). Needs an application without a grant: one whose consent the target forgets, or the
 * second one, which the smoke flow does not use.
 */
export const consent: Probe = {
  aspects: [...aspectsOfPoint('consent-memory'), 'authorize-failures.denial'],
  async run(context) {
    const { target } = context;
    await target.forgetConsent?.();
    const application = target.secondApplication ?? target.application;
    await deny(context, application);
    const ask = (scope: string, decision: 'grant' | 'view') =>
      context.authorize(context.authorization({}, { scope, application }), decision);
    const first = await ask('write read', 'grant');
    if (!first.decided) throw new NotObservable(GRANTED);
    // Some services remember a consent only once there are tokens.
    await context.exchange('exchange the code', codeIn(first), {}, application);
    context.see('consent-memory.remembered', !wasAsked(await ask('read write', 'view')));
    context.see('consent-memory.remembered-for-fewer', !wasAsked(await ask('read', 'view')));
    context.see('consent-memory.asked-for-wider', wasAsked(await ask(ALL_SCOPES, 'view')));
  },
};

async function deny(context: ProbeContext, application: Application): Promise<void> {
  if (context.target.pages.deny === undefined) {
    return context.cannot(
      'authorize-failures.denial',
      'the configuration does not say how to deny (configure `consent.deny`)',
    );
  }
  const outcome = await context.authorize(
    context.authorization({}, { scope: 'read write', application }),
    'deny',
  );
  if (outcome.decided) context.see('authorize-failures.denial', pageOf(outcome));
  else context.cannot('authorize-failures.denial', GRANTED);
}

function wasAsked(outcome: AuthorizeOutcome): boolean {
  return outcome.pages.some(({ shows }) => shows === 'consent');
}

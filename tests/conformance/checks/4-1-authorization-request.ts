import { DOCUMENTED } from '../../../src/target/dialect.ts';
import { authorizationParameters } from '../../../src/target/parameters.ts';
import { ALL_SCOPES, SCOPES } from '../../../src/target/target.ts';
import { redirectParameters } from '../../../src/target/user-agent.ts';
import { cameOf } from '../../support/check/authorize-acts.ts';
import { check, provokingCheck } from '../../support/check/check.ts';
import { expectFramingForbidden } from '../../support/check/framing.ts';
import { ConformanceFailure } from '../../support/check/outcome.ts';
import {
  expectNoDelivery,
  unauthorizedAddresses,
  variantsOfAddress,
} from '../../support/check/redirect-addresses.ts';
import { OMITTED } from '../../support/check/token-acts.ts';

/** Every combination of two or more of the three scopes (clauses 4.1 and 5.3). */
const COMBINATIONS = ['read write', 'read destroy', 'write destroy', 'write read', ALL_SCOPES] as const;

/** A `state` with everything that encodings get wrong. */
const AWKWARD_STATE = 'a b+c/d=e&f%g%20h ü€';

/** Clause 4.1: the authorization request, a redirect of the user's browser. */
export const checks = [
  check('authorize.redirects-with-code', async ({ authorize, target }) => {
    const { outcome } = await authorize.request().expectCode();
    const wanted = target.application.redirectUris[0];
    const [reached] = (outcome.caught?.url ?? '').split(/[?#]/);
    if (reached === wanted.split('?')[0]) return;
    throw new ConformanceFailure(`a redirect to ${wanted}`, cameOf(outcome));
  }),

  provokingCheck('authorize.grant-needed', async ({ authorize, given }) => {
    await given.freshConsent();
    await authorize.request().left().expectNoCode();
    await authorize.request().denied().expectNoCode();
    await authorize.request().expectTwinAccepted();
  }),

  check('authorize.client-id-known', async ({ authorize, target }) => {
    const { clientId } = target.application;
    for (const client_id of [`${clientId}x`, clientId.slice(0, -1), '', OMITTED] as const) {
      await authorize.request({ client_id }).expectNoCode();
    }
    await authorize.request().expectTwinAccepted();
  }),

  provokingCheck('authorize.redirect-uri-authorized', async ({ authorize, target }) => {
    for (const redirect_uri of unauthorizedAddresses(target.application.redirectUris)) {
      await authorize.request({ redirect_uri }).expectNoCode();
    }
    await authorize.request().expectTwinAccepted();
  }),

  check('authorize.response-type-code-only', async ({ authorize }) => {
    for (const response_type of ['token', 'code token', 'unknown']) {
      await authorize.request({ response_type }).expectNoCode();
    }
    await authorize.request().expectTwinAccepted();
  }),

  check('authorize.scope-each', async ({ authorize }) => {
    for (const scope of SCOPES) await authorize.request({ scope }).expectCode();
  }),

  check('authorize.scope-combined', async ({ authorize }) => {
    for (const scope of COMBINATIONS) await authorize.request({ scope }).expectCode();
  }),

  check('authorize.scope-plus', async ({ authorize, given }) => {
    await given.code();
    await authorize.request({ scope: 'read write' }).withSpaceAs('+').expectCode();
  }),

  check('authorize.redirect-uri-required', async ({ authorize }) => {
    await authorize.request({ redirect_uri: OMITTED }).expectNoCode();
    await authorize.request({ redirect_uri: '' }).expectNoCode();
    await authorize.request().expectTwinAccepted();
  }),

  check('authorize.response-type-required', async ({ authorize }) => {
    await authorize.request({ response_type: OMITTED }).expectNoCode();
    await authorize.request({ response_type: '' }).expectNoCode();
    await authorize.request().expectTwinAccepted();
  }),

  check('authorize.scope-required', async ({ authorize }) => {
    await authorize.request({ scope: OMITTED }).expectNoCode();
    await authorize.request({ scope: '' }).expectNoCode();
    await authorize.request().expectTwinAccepted();
  }),

  check('authorize.scope-unknown-refused', async ({ authorize }) => {
    for (const scope of ['unknown', 'read unknown', 'unknown read', 'READ']) {
      await authorize.request({ scope }).expectNoCode();
    }
    await authorize.request({ scope: 'read' }).expectTwinAccepted();
  }),

  check('authorize.scope-percent20', async ({ authorize, given }) => {
    await given.code();
    await authorize.request({ scope: 'read write' }).withSpaceAs('%20').expectCode();
  }),

  check('authorize.state-echoed', async ({ authorize }) => {
    for (const state of ['plain', AWKWARD_STATE]) {
      const { outcome } = await authorize.request({ state }).asGiven();
      expectState(outcome.caught, state);
    }
  }),

  provokingCheck('authorize.state-echoed-on-denial', async ({ authorize, given }) => {
    await given.freshConsent();
    const outcome = await authorize.request({ state: AWKWARD_STATE }).denied().outcome();
    expectState(outcome.caught, AWKWARD_STATE);
  }),

  provokingCheck('authorize.denial-redirects', async ({ authorize, given }) => {
    await given.freshConsent();
    const outcome = await authorize.request().denied().outcome();
    const error = outcome.caught && redirectParameters(outcome.caught).query.get('error');
    if (error === 'access_denied') return;
    throw new ConformanceFailure('a redirect to the client with error=access_denied', cameOf(outcome));
  }),

  provokingCheck('authorize.bad-redirect-uri-not-followed', async ({ authorize, target }) => {
    for (const redirect_uri of unauthorizedAddresses(target.application.redirectUris)) {
      const broken = await authorize.request({ redirect_uri, scope: 'unknown' }).outcome();
      expectNoDelivery(broken, redirect_uri, target.application.redirectUris);
      const denied = await authorize.request({ redirect_uri }).denied().outcome();
      expectNoDelivery(denied, redirect_uri, target.application.redirectUris);
    }
    await authorize.request().expectTwinAccepted();
  }),

  provokingCheck('authorize.redirect-uri-exact', async ({ authorize, target }) => {
    for (const redirect_uri of variantsOfAddress(target.application.redirectUris[0])) {
      await authorize.request({ redirect_uri }).expectNoCode();
    }
    await authorize.request().expectTwinAccepted();
  }),

  check('authorize.redirect-query-kept', async ({ authorize, target }) => {
    const withQuery = target.application.redirectUris.find((uri) => uri.includes('?')) ?? '';
    const { outcome } = await authorize.request({ redirect_uri: withQuery }).asGiven();
    const kept = new URL(outcome.caught?.url ?? '').searchParams;
    for (const [name, value] of new URL(withQuery).searchParams) {
      if (kept.getAll(name).includes(value)) continue;
      throw new ConformanceFailure(
        `the query parameter \`${name}\` of the redirect address to be kept`,
        cameOf(outcome),
      );
    }
  }),

  check('authorize.duplicate-parameter', async ({ authorize, target }) => {
    const documented = authorizationParameters(target.application, DOCUMENTED, { scope: ALL_SCOPES });
    for (const twice of documented) await authorize.parameters([...documented, twice]).expectNoCode();
    await authorize.request().expectTwinAccepted();
  }),

  check('authorize.unknown-parameter-ignored', async ({ authorize, given }) => {
    await given.code();
    await authorize.request({ unknown_parameter: 'x' }).expectCode();
  }),

  check('authorize.not-framable', async ({ authorize, given }) => {
    await given.freshConsent();
    const stranger = await authorize.request().byStranger().outcome();
    const owner = await authorize.request().left().outcome();
    expectFramingForbidden([...stranger.pages, ...owner.pages]);
  }),

  check('authorize.no-307', async ({ authorize, given }) => {
    await given.freshConsent();
    const { outcome } = await authorize.request().asGiven();
    const status = outcome.caught?.status;
    if (status !== 307 && status !== 308) return;
    throw new ConformanceFailure(
      'a redirect that does not repeat the form (not 307, not 308)',
      `status ${status}`,
    );
  }),
];

function expectState(caught: Parameters<typeof redirectParameters>[0] | undefined, sent: string): void {
  const came = caught === undefined ? [] : redirectParameters(caught).query.getAll('state');
  if (came.length === 1 && came[0] === sent) return;
  const got = came.length === 0 ? 'none' : came.length > 1 ? 'it more than once' : 'another value';
  throw new ConformanceFailure('`state` to come back unchanged', got);
}

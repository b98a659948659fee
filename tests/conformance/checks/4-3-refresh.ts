import type { Changes } from '../../../src/target/parameters.ts';
import { alterations, neverIssued } from '../../support/check/altered.ts';
import { check, provokingCheck } from '../../support/check/check.ts';
import { ConformanceFailure } from '../../support/check/outcome.ts';
import { grantedScopes } from '../../support/check/scopes.ts';
import { secondApplication } from '../../support/check/second-application.ts';
import { OMITTED } from '../../support/check/token-acts.ts';
import { expectField, expectJsonObject } from '../../support/check/token-response.ts';

/** Refreshes in a row that a chain must stand. */
const CHAIN = 5;

/** Checks that a refresh without a parameter, and with it empty, is refused. */
function requires(parameter: 'client_id' | 'client_secret' | 'grant_type') {
  const id = { client_id: 'client-id', client_secret: 'client-secret', grant_type: 'grant-type' } as const;
  return provokingCheck(`refresh.requires-${id[parameter]}`, async ({ given, token }) => {
    for (const value of [OMITTED, ''] as const) {
      const { refreshToken } = await given.pair();
      await given.refreshable();
      await token.refresh({ refresh_token: refreshToken, ...change(parameter, value) }).expectRefused();
    }
    const { refreshToken } = await given.pair();
    await given.refreshable();
    await token.refresh({ refresh_token: refreshToken }).expectTwinAccepted();
  });
}

function change(parameter: string, value: Changes[string]): Changes {
  return { [parameter]: value };
}

/** Clause 4.3: the token request that refreshes. */
export const checks = [
  check('refresh.token-response', async ({ given, token }) => {
    const { refreshToken } = await given.pair();
    await given.refreshable();
    const answer = await token.refresh({ refresh_token: refreshToken }).expectHonoured();
    const response = expectJsonObject(answer);
    expectField(response, 'access_token');
    expectField(response, 'refresh_token');
  }),

  check('refresh.chain', async ({ given, token }) => {
    let { refreshToken } = await given.refreshed(await given.pair());
    for (let round = 2; round <= CHAIN; round += 1) {
      await given.refreshable();
      const answer = await token.refresh({ refresh_token: refreshToken }).expectHonoured();
      refreshToken = answer.tokens.refreshToken ?? '';
    }
  }),

  requires('client_id'),
  requires('client_secret'),
  requires('grant_type'),

  provokingCheck('refresh.requires-refresh-token', async ({ given, token }) => {
    const { refreshToken } = await given.pair();
    await given.refreshable();
    for (const refresh_token of [OMITTED, ''] as const)
      await token.refresh({ refresh_token }).expectRefused();
    await token.refresh({ refresh_token: refreshToken }).expectTwinAccepted();
  }),

  provokingCheck('refresh.client-id-checked', async ({ given, token, target }) => {
    const { clientId } = target.application;
    for (const client_id of [neverIssued(clientId), ...alterations(clientId)]) {
      const { refreshToken } = await given.pair();
      await given.refreshable();
      await token.refresh({ refresh_token: refreshToken, client_id }).expectRefused();
    }
    const { refreshToken } = await given.pair();
    await given.refreshable();
    await token.refresh({ refresh_token: refreshToken }).expectTwinAccepted();
  }),

  provokingCheck('refresh.client-secret-checked', async ({ given, token, target }) => {
    for (const client_secret of alterations(target.application.clientSecret)) {
      const { refreshToken } = await given.pair();
      await given.refreshable();
      await token.refresh({ refresh_token: refreshToken, client_secret }).expectRefused();
    }
    const { refreshToken } = await given.pair();
    await given.refreshable();
    await token.refresh({ refresh_token: refreshToken }).expectTwinAccepted();
  }),

  provokingCheck('refresh.token-unknown-refused', async ({ given, token }) => {
    const { accessToken, refreshToken } = await given.pair();
    const unusedCode = await given.code();
    await given.refreshable();
    for (const unknown of [
      neverIssued(refreshToken),
      ...alterations(refreshToken),
      accessToken,
      unusedCode,
    ]) {
      await token.refresh({ refresh_token: unknown }).expectRefused();
    }
    await token.refresh({ refresh_token: refreshToken }).expectTwinAccepted();
  }),

  provokingCheck('refresh.bound-to-client', async ({ given, token, target }) => {
    const other = secondApplication(target);
    const { refreshToken } = await given.pair();
    const twin = await given.pair();
    await given.refreshable();
    await token.refresh({ refresh_token: refreshToken }, other).expectRefused();
    await token.refresh({ refresh_token: twin.refreshToken }).expectTwinAccepted();
  }),

  provokingCheck('refresh.scope-not-widened', async ({ given, token }) => {
    const { refreshToken } = await given.pair({ scope: 'read' });
    const twin = await given.pair({ scope: 'read' });
    await given.refreshable();
    const wider = await token.refresh({ refresh_token: refreshToken, scope: 'read write destroy' }).answer();
    if (wider.tokens.accessToken === undefined) {
      await token.refresh({ refresh_token: twin.refreshToken }).asGiven();
      return;
    }
    const granted = grantedScopes(wider);
    if (granted.every((scope) => scope === 'read')) return;
    throw new ConformanceFailure(
      'no wider scope than was granted (read)',
      `a token with the scope "${granted.join(' ')}"`,
    );
  }),

  check('refresh.scope-kept', async ({ given, token }) => {
    const { refreshToken } = await given.pair({ scope: 'read write' });
    await given.refreshable();
    const granted = grantedScopes(await token.refresh({ refresh_token: refreshToken }).asGiven());
    if ([...granted].sort().join(' ') === 'read write') return;
    throw new ConformanceFailure(
      'the scope that was granted (read write)',
      `the scope "${granted.join(' ')}"`,
    );
  }),
];

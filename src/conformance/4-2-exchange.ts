import { neverIssued, wrongIds, wrongSecrets, wrongTokens } from '../checks/altered.ts';
import { check, provokingCheck } from '../checks/check.ts';
import { ConformanceFailure } from '../checks/outcome.ts';
import { variantsOfAddress } from '../checks/redirect-addresses.ts';
import { secondApplication } from '../checks/second-application.ts';
import { OMITTED } from '../checks/token-acts.ts';
import type { Changes } from '../flow/parameters.ts';
import { exchangeParameters } from '../flow/parameters.ts';
import { encodeForm } from '../flow/requests.ts';

/** Checks that an exchange without a parameter, and with it empty, is refused. */
function requires(parameter: 'client_id' | 'client_secret' | 'redirect_uri' | 'grant_type') {
  return provokingCheck(
    `exchange.requires-${parameter.replace('_', '-') as Dashed<typeof parameter>}`,
    async (context) => {
      const { given, token } = context;
      for (const value of [OMITTED, ''] as const) {
        await token.exchange({ code: await given.code(), ...change(parameter, value) }).expectRefused();
      }
      await token.exchange({ code: await given.code() }).expectTwinAccepted();
    },
  );
}

type Dashed<S extends string> = S extends `${infer A}_${infer B}` ? `${A}-${B}` : S;

function change(parameter: string, value: Changes[string]): Changes {
  return { [parameter]: value };
}

/** Clause 4.2: the token request that exchanges a code. */
export const checks = [
  check('exchange.form-encoded', async ({ given, token }) => {
    await token.exchange({ code: await given.code() }).expectHonoured();
  }),

  requires('client_id'),
  requires('client_secret'),
  requires('redirect_uri'),
  requires('grant_type'),

  provokingCheck('exchange.requires-code', async ({ given, token }) => {
    await given.code();
    for (const code of [OMITTED, ''] as const) await token.exchange({ code }).expectRefused();
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
  }),

  provokingCheck('exchange.grant-type-checked', async ({ given, token }) => {
    for (const grant_type of [
      'unknown',
      'AUTHORIZATION_CODE',
      'refresh_token',
      'password',
      'client_credentials',
    ]) {
      await token.exchange({ code: await given.code(), grant_type }).expectRefused();
    }
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
  }),

  provokingCheck('exchange.client-id-checked', async ({ given, token, target }) => {
    const { clientId } = target.application;
    for (const client_id of [neverIssued(clientId), ...wrongIds(clientId)]) {
      await token.exchange({ code: await given.code(), client_id }).expectRefused();
    }
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
  }),

  provokingCheck('exchange.client-secret-checked', async ({ given, token, target }) => {
    for (const client_secret of wrongSecrets(target.application.clientSecret)) {
      await token.exchange({ code: await given.code(), client_secret }).expectRefused();
    }
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
  }),

  provokingCheck('exchange.client-secret-of-other-application', async ({ given, token, target }) => {
    const { clientSecret } = secondApplication(target);
    await token.exchange({ code: await given.code(), client_secret: clientSecret }).expectRefused();
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
  }),

  provokingCheck('exchange.redirect-uri-same', async ({ given, token, target }) => {
    const uri = target.application.redirectUris[0];
    for (const redirect_uri of [
      'https://attacker.invalid/callback',
      `${uri}/deeper`,
      uri.slice(0, -1),
      `${uri}x`,
    ]) {
      await token.exchange({ code: await given.code(), redirect_uri }).expectRefused();
    }
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
  }),

  provokingCheck('exchange.redirect-uri-exact', async ({ given, token, target }) => {
    for (const redirect_uri of variantsOfAddress(target.application.redirectUris[0])) {
      await token.exchange({ code: await given.code(), redirect_uri }).expectRefused();
    }
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
  }),

  provokingCheck('exchange.redirect-uri-same-among-authorized', async ({ given, token, target }) => {
    const [first, second = ''] = target.application.redirectUris;
    await token.exchange({ code: await given.code(), redirect_uri: second }).expectRefused();
    await token
      .exchange({ code: await given.code({ redirectUri: second }), redirect_uri: first })
      .expectRefused();
    await token
      .exchange({ code: await given.code({ redirectUri: second }), redirect_uri: second })
      // The address got a code, so it is authorized: no setting explains a refusal.
      .expectTwinAccepted(
        new ConformanceFailure(
          'a code to be exchanged with the authorized redirect address that it was requested with',
          'a refusal with the second address',
        ),
      );
  }),

  provokingCheck('exchange.code-unknown-refused', async ({ given, token }) => {
    const code = await given.code();
    for (const unknown of [neverIssued(code), ...wrongTokens(code)]) {
      await token.exchange({ code: unknown }).expectRefused();
    }
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
  }),

  provokingCheck('exchange.code-bound-to-client', async ({ given, token, target }) => {
    const other = secondApplication(target);
    const code = await given.code();
    await token.exchange({ code, redirect_uri: target.application.redirectUris[0] }, other).expectRefused();
    await token
      .exchange({ code: await given.code(), redirect_uri: other.redirectUris[0] }, other)
      .expectRefused();
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
  }),

  provokingCheck('token.post-only', async ({ given, token, target }) => {
    const query = encodeForm(exchangeParameters(target.application, await given.code()));
    const url = `${target.authUrl}/oauth/token?${query}`;
    await token
      .request('exchange by GET', { method: 'GET', url, headers: [['Accept', 'application/json']] })
      .expectRefused();
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
  }),

  provokingCheck('token.duplicate-parameter', async ({ given, token, target }) => {
    for (let position = 0; position < 5; position += 1) {
      const documented = exchangeParameters(target.application, await given.code());
      const twice = documented[position];
      if (twice === undefined) continue;
      await token.parameters(`exchange with ${twice[0]} twice`, [...documented, twice]).expectRefused();
    }
    await token.exchange({ code: await given.code() }).expectTwinAccepted();
  }),

  check('token.unknown-parameter-ignored', async ({ given, token }) => {
    await given.pair();
    await token.exchange({ code: await given.code(), unknown_parameter: 'x' }).expectHonoured();
  }),
];

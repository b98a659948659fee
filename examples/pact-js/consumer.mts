import { MatchersV3, Pact, PactV3, SpecificationVersion } from '@pact-foundation/pact';

/**
 * A consumer's pacts with pact-js, to copy: the token request with its form body, and a list. `consumer.test.mts` hands in the calls of
 * the client.
 */

const CONSUMER = 'my-app';
/** The service has two addresses, and so two names, which are those that `contracts verify` asks a broker for. */
const AUTHORIZATION_SERVER = 'legacy-authorization-server';
const RESOURCE_API = 'legacy-resource-api';
const { equal, fromProviderState, regex, string } = MatchersV3;

/** A value that a provider state injects when the pact is verified; the example is what your client sends in this test. */
const injected = (name: string) => fromProviderState(`\${${name}}`, `example-${name}`);

/**
 * The token request. `PactV3` is the builder that writes form bodies with matchers, in either specification: an object as the body
 * beside a form content type. The V4 builder cannot: `.body()` is compared as bytes, `.jsonBody()` writes JSON.
 *
 * @param specification 3 where all pacts of this consumer have it. One file has one: what pact-js adds in 4 to a file in 3 makes it compare
 *   the JSON answers of the older interactions as bytes
 */
export async function tokenRequest(
  dir: string,
  exchange: (authUrl: string) => Promise<void>,
  specification: 3 | 4 = 4,
): Promise<void> {
  const pact = new PactV3({
    consumer: CONSUMER,
    provider: AUTHORIZATION_SERVER,
    dir,
    spec:
      specification === 3
        ? SpecificationVersion.SPECIFICATION_VERSION_V3
        : SpecificationVersion.SPECIFICATION_VERSION_V4,
  });
  pact
    .given('a code was granted')
    .uponReceiving('a code is exchanged')
    .withRequest({
      method: 'POST',
      path: '/oauth/token',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: {
        client_id: injected('client_id'),
        client_secret: injected('client_secret'),
        code: injected('code'),
        grant_type: 'authorization_code',
        redirect_uri: injected('redirect_uri'),
      },
    })
    .willRespondWith({
      status: 200,
      // A JSON body makes the builder expect exactly `application/json`: say yourself that any JSON will do.
      headers: { 'Content-Type': regex('application/([\\w.-]+\\+)?json.*', 'application/json') },
      body: {
        access_token: string('example-access_token'),
        expires_in: equal(7200),
        refresh_token: string('example-refresh_token'),
        token_type: equal('bearer'),
      },
    });
  await pact.executeTest(async ({ url }) => exchange(url));
}

/** The list, by the V4 builder, which is fine where no form is sent. */
export async function members(dir: string, list: (baseUrl: string) => Promise<void>): Promise<void> {
  const pact = new Pact({ consumer: CONSUMER, provider: RESOURCE_API, dir });
  await pact
    .addInteraction()
    .given('a token pair was issued')
    .given('a user is assigned to a project')
    .uponReceiving('the members of a project')
    .withRequest(
      'GET',
      fromProviderState(
        `/v2/projects/\${project_id}/assigned_users`,
        '/v2/projects/example-project_id/assigned_users',
      ),
      (request) => {
        request.headers({
          Authorization: fromProviderState(`Bearer \${access_token}`, 'Bearer example-access_token'),
        });
      },
    )
    .willRespondWith(200)
    .executeTest(async ({ url }) => list(url));
}

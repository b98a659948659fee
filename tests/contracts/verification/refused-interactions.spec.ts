import { expect, test } from '@playwright/test';
import { formEncodingWarnings } from '../../../src/contracts/pact/matching-rules.ts';
import { type Pact, readPact } from '../../../src/contracts/pact/read-pact.ts';
import { foundOutcome, outcomeOf, pactOutcomes } from '../../../src/contracts/verify/outcome.ts';
import { refusedInteractions } from '../../../src/contracts/verify/refuse-pacts.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { pactOf } from '../../support/contracts/verifying.ts';

/** Interactions that the suite takes out of a broker's pacts before it sends anything, so that one mistake stops no other pact. */

const TARGET = { isLive: true, projects: ['p1'], users: ['u1', 'u2', 'u3'] } as const;
const SECRET = 's3cret/of+staging==';

/** Reports of pacts without a request: an interaction that is not refused did not run. */
function refused(...pacts: readonly Pact[]) {
  const secrets = new SecretRegistry();
  secrets.register('client_secret', SECRET);
  secrets.register('login', 'owner-of-staging');
  const wanted = pacts.map((pact) => ({ pact, standing: 'counts', why: [] }) as const);
  const others = pacts
    .flatMap(({ interactions }) => interactions)
    .map((one) => [one, outcomeOf(one, foundOutcome('not-run', 'not tried'), secrets)] as const);
  const outcomes = new Map([...others, ...refusedInteractions(pacts, TARGET, secrets)]);
  return pactOutcomes(wanted, outcomes, secrets);
}

/** The pact with further interactions. */
function withInteractions(...interactions: readonly Record<string, unknown>[]): Pact {
  const [first] = interactions.map((one) => pactOf(one));
  if (first === undefined) throw new Error('at least one');
  const all = interactions.flatMap((one) => pactOf(one).document.interactions);
  return readPact(JSON.stringify({ ...first.document, interactions: all }), 'made.json');
}

for (const [how, text] of [
  ['as it is', SECRET],
  ['as a form has it', encodeURIComponent(SECRET)],
  ['in HTTP Basic', `Basic ${Buffer.from(`client:${SECRET}`).toString('base64')}`],
] as const) {
  test(`a secret of the target in a pact, ${how}: that pact fails as a whole, without the secret; the other is verified`, () => {
    const leaky = pactOf({
      description: `with ${SECRET}`,
      request: { method: 'GET', path: '/v2/x', headers: { a: text } },
    });
    const [first, second] = refused(leaky, pactOf({}));
    expect(first?.interactions).toMatchObject([{ result: 'failed' }]);
    expect(JSON.stringify(first)).toContain('a secret of the target (client_secret)');
    expect(JSON.stringify(first)).not.toContain(SECRET);
    expect(second?.interactions).toMatchObject([{ result: 'not-run', reasons: ['not tried'] }]);
  });
}

test('of one pact, what can be verified is; in the order of the pact; what is wrong or may not be sent fails with its reason', () => {
  const pact = withInteractions(
    { description: 'one' },
    { description: 'two', providerStates: [{ name: 'there is cake' }] },
    { description: 'three', request: { method: 'PUT', path: '/v2/projects/9/assigned_users/9' } },
    { description: 'four' },
  );
  const [outcome] = refused(pact);
  expect(outcome?.interactions.map(({ description, result }) => [description, result])).toEqual([
    ['one', 'not-run'],
    ['two', 'failed'],
    ['three', 'failed'],
    ['four', 'not-run'],
  ]);
  expect(outcome?.interactions[2]?.reasons[0]).toContain('would change the assignment of a user');
  expect(outcome?.interactions[1]?.reasons).toEqual([
    expect.stringMatching(
      /^the provider state "there is cake" is not known; `(npx )?legacy-conformance contracts states` lists them\.$/,
    ),
  ]);
});

for (const [what, request, warns] of [
  [
    'a form, as version 2 writes it',
    { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    false,
  ],
  [
    'a form with a character set, as version 4 writes it',
    { headers: { 'Content-Type': ['application/x-www-form-urlencoded; charset=UTF-8'] } },
    false,
  ],
  ['a form by the type of its body', { body: { contentType: 'application/x-www-form-urlencoded' } }, false],
  ['JSON by its header', { headers: { 'Content-Type': 'application/json' } }, true],
  ['JSON by its body', { body: { grant_type: 'refresh_token' } }, true],
  ['nothing', {}, true],
] as const) {
  test(`a token request that is sent as ${what}: ${warns ? 'a warning' : 'no warning'}`, () => {
    const token = { method: 'POST', path: '/oauth/token', ...request };
    const accepted = formEncodingWarnings(pactOf({ request: token, response: { status: 200 } }));
    expect(accepted).toHaveLength(warns ? 1 : 0);
    if (warns) expect(accepted[0]).toContain('clauses 4.2 and 4.3');
    expect(formEncodingWarnings(pactOf({ request: token, response: { status: 400 } }))).toEqual([]);
  });
}

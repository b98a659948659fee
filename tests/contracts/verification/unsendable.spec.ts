import { expect, test } from '@playwright/test';
import { type Pact, readPact } from '../../../src/contracts/pact/read-pact.ts';
import { type NativeVerifier, startNativeVerifier } from '../../../src/contracts/verify/native-verifier.ts';
import { concludeVerification } from '../../../src/contracts/verify/outcome.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import type { Target } from '../../../src/service/target.ts';
import { BEARER, pactOf, verifyOn } from '../../support/contracts/verifying.ts';
import { firstInTest } from '../../support/prove.ts';

/** No pact ends the verification: a request that cannot be sent fails its interaction, and its neighbour is verified. */

let target: Target;
test.beforeAll(async () => {
  target = await emulatorTarget({ profile: 'doorkeeper-5', defects: [], sockets: true });
});
test.afterAll(() => target.close());

type Json = Readonly<Record<string, unknown>>;

/** The list of users with a token, changed. */
function list(request: Json = {}, response: Json = { status: 200 }, description = 'the list') {
  const { headers, generators, ...others } = request as { headers?: Json; generators?: Json };
  return pactOf({
    description,
    providerStates: [{ name: 'a token pair was issued' }, { name: 'a user is assigned to a project' }],
    request: {
      method: 'GET',
      path: '/',
      headers: { Authorization: 'Bearer x', ...headers },
      generators: { ...BEARER, ...generators },
      ...others,
    },
    response,
  });
}

const withHeaders = (headers: Json) => list({ headers });
const generated = (generator: unknown) =>
  list({ headers: { 'X-A': 'a' }, generators: { header: { ...BEARER.header, 'X-A': generator } } });
const at = (path: string) => list({ path, generators: { path: undefined } });
const long = (length: number) => 'a'.repeat(length);

const TOO_LONG = 'address and headers are longer than 16384 bytes together';
const NO_METHOD = 'is no method of HTTP';
const CONTROL = 'the header X-A holds a line break or another control character';
const GIVES_UP = 'gives up on the interaction: look for a status or a generator out of range';

for (const [what, pact, says] of [
  ['a method that servers do not read', list({ method: 'LIST' }), 'none that HTTP servers read'],
  ['an empty method', list({ method: '' }), `"" ${NO_METHOD}`],
  ['a method with a blank', list({ method: 'GET IT' }), `"GET IT" ${NO_METHOD}`],
  ['a method beyond ASCII', list({ method: 'GÉT' }), `"GÉT" ${NO_METHOD}`],
  ['CONNECT', list({ method: 'CONNECT' }), 'CONNECT asks a proxy for a tunnel'],
  ['a line break in a header', withHeaders({ 'X-A': 'a\r\nX-B: b' }), CONTROL],
  ['NUL in a header', withHeaders({ 'X-A': 'a\u0000' }), CONTROL],
  ['a blank in a name', withHeaders({ 'X A': 'a' }), '"X A" cannot be a header\'s name'],
  ['a colon in a name', withHeaders({ 'X:A': 'a' }), '"X:A" cannot be a header\'s name'],
  ['an empty name', withHeaders({ '': 'a' }), '"" cannot be a header\'s name'],
  ['a header of 20 kB', withHeaders({ 'X-A': long(20_000) }), TOO_LONG],
  [
    'three thousand headers',
    withHeaders(Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`X-${index}`, 'a']))),
    TOO_LONG,
  ],
  ['a generated line break', generated({ type: 'Regex', regex: '\\n' }), 'Failed to parse header value'],
  ['a generated text without end', generated({ type: 'RandomString', size: 100_000 }), TOO_LONG],
  ['a generator with its limits swapped', generated({ type: 'RandomInt', min: 10, max: 1 }), GIVES_UP],
  ['a generator beyond its type', generated({ type: 'RandomInt', min: 1, max: 1e18 }), GIVES_UP],
  ['a negative status', list({}, { status: -1 }), GIVES_UP],
  ['half a status', list({}, { status: 200.5 }), GIVES_UP],
  ['a path of 100 kB', at(`/v2/${long(100_000)}`), 'builder error for url (/v2/aaa'],
  ['a query of 100 kB', list({ query: { a: [long(100_000)] } }), 'builder error for url (/v2/'],
  ['a path to the states', at('/../states'), 'its path has dots that lead out of the service'],
  ['a path that the target refuses', at('/v2/\u0000 %zz\r\n#'), 'the status: expected 200, got 404'],
  [
    'a generator for a place that cannot be',
    list({
      headers: { 'Content-Type': 'application/json' },
      body: { a: 1 },
      generators: { body: { '$.a[': { type: 'Uuid' } } },
    }),
    'cannot load the interaction',
  ],
] as const) {
  test(`${what}: fails by name, and stops nothing else`, async () => {
    const neighbour = { ...list({}, { status: 200 }, 'the neighbour'), source: 'neighbour.json' };
    const { verification, verified, others } = await verifyOn(target, [pact, neighbour]);
    expect(others).toEqual({ 'the list': expect.stringContaining(says) });
    expect(others['the list']).toMatch(/^failed; /);
    expect(others['the list']?.length).toBeLessThan(500);
    expect(verified).toEqual(['the neighbour']);
    expect(verification.troubles).toEqual([]);
    expect(concludeVerification(verification).exitCode).toBe(1);
  });
}

/** A pact whose interactions are exactly these. */
function holding(interactions: unknown): Pact {
  const { document } = list();
  return readPact(JSON.stringify({ ...document, interactions }), 'odd.json');
}

const usual = { request: { method: 'GET', path: '/v2/x' }, response: { status: 404 } };
const odd = (changes: Json) => holding([{ description: 'the odd one', ...usual, ...changes }]);

for (const [[what, pact, says], details] of firstInTest(
  [
    ['no interaction', holding(null), 'it holds no interaction'],
    ['an empty list of interactions', holding([]), 'it holds no interaction'],
    ['an interaction that is null', holding([null]), 'an object with a description'],
    ['an interaction that is a text', holding(['GET']), 'an object with a description'],
    ['no description', odd({ description: undefined }), 'an object with a description'],
    ['a description that is a number', odd({ description: 5 }), 'an object with a description'],
    ['a message', odd({ type: 'Asynchronous/Messages' }), 'the service has HTTP alone'],
    ['a status that is a text', odd({ response: { status: '200' } }), 'a status, a number'],
    ['no status', odd({ response: {} }), 'a status, a number'],
    ['no response', odd({ response: null }), 'a status, a number'],
    ['no method', odd({ request: { path: '/v2/x' } }), 'method and path'],
    ['a method that is a number', odd({ request: { method: 5, path: '/v2/x' } }), 'method and path'],
    ['an empty path', odd({ request: { method: 'GET', path: '' } }), 'begins with "/", got ""'],
    ['a path without its slash', odd({ request: { method: 'GET', path: 'v2/x' } }), 'got "v2/x"'],
    ['a path that is an address', odd({ request: { method: 'GET', path: 'http://h/v2/x' } }), 'got "http'],
    ['no path', odd({ request: { method: 'GET' } }), 'method and path'],
    ['a path that is a list', odd({ request: { method: 'GET', path: ['v2'] } }), 'method and path'],
    ['no request', odd({ request: undefined }), 'method and path'],
    ['a state that is a number', odd({ providerStates: [5] }), 'provider states with a name each'],
    ['states that are an object', odd({ providerStates: { name: 'x' } }), 'provider states with a name each'],
  ] as const,
  4,
)) {
  test(`${what}: that interaction fails by name, and its neighbours are verified`, details, async () => {
    const { verification, verified, others } = await verifyOn(target, [pact, list()]);
    expect(Object.values(others)).toEqual([expect.stringContaining(says)]);
    expect(Object.values(others)[0]).toMatch(/^failed; the pact is wrong, not the target: /);
    expect(verified).toEqual(['the list']);
    expect(concludeVerification(verification).exitCode).toBe(1);
    const [first, ...rest] = verification.pacts;
    const pending = { ...verification, pacts: [{ ...first, standing: 'pending' } as typeof first, ...rest] };
    expect(concludeVerification(pending as typeof verification).exitCode).toBe(0);
  });
}

for (const [[what, request, response], details] of firstInTest(
  [
    ['a status of 0', {}, { status: 0 }],
    ['a status of 999', {}, { status: 999 }],
    ['a status of 1e30', {}, { status: 1e30 }],
    ['headers that are a list of numbers', { headers: { 'X-A': [1, 2] } }, {}],
    ['headers that are a list', { headers: [1, 2] }, {}],
    ['headers that are a text', { headers: 'X-A: 1' }, {}],
    ['headers of the answer that are numbers', {}, { headers: { 'Content-Type': [1] } }],
    ['a body that is a number', { method: 'POST', body: 5 }, {}],
    ['a body of another type than its content', { method: 'POST', body: { content: 5, encoded: 'zip' } }, {}],
    ['a body of the answer that is a list', {}, { body: [[[]]] }],
    ['rules that are a list', { matchingRules: [1] }, { matchingRules: 'all' }],
    ['generators that are a text', { generators: 'all' }, { generators: [null] }],
  ] as const,
  4,
)) {
  test(`${what}: whatever comes of it, its neighbours are verified`, details, async () => {
    const changed = {
      request: { ...usual.request, ...request },
      response: { ...usual.response, ...response },
    };
    const { verification, verified } = await verifyOn(target, [odd(changed), list()]);
    expect(verified).toContain('the list');
    expect(verification.troubles).toEqual([]);
    expect(verification.pacts[0]?.interactions[0]?.result).not.toBe('not-run');
    expect([0, 1]).toContain(concludeVerification(verification).exitCode);
  });
}

for (const [what, pact] of [
  ['blanks around a header', withHeaders({ 'X-A': '  a  ' })],
  ['a header that is no text', withHeaders({ 'X-A': 5, 'X-B': null, 'X-C': { a: 1 }, 'X-D': ['a', 'b'] })],
  ['a header of 15 kB', withHeaders({ 'X-A': long(15_000) })],
  ['an unknown generator', generated({ type: 'Cake' })],
  ['a generator that is none', generated(null)],
  ['a query that is none', list({ query: 5 })],
  ['a query with odd texts', list({ query: 'a=%zz&&=&b=\r\n' })],
  ['a body with GET', list({ body: { a: 1 } })],
  ['a body of 5 MB', list({ body: long(5_000_000) })],
] as const) {
  test(`${what}: can be sent`, async () => {
    expect((await verifyOn(target, [pact])).verified).toEqual(['the list']);
  });
}

for (const key of ["$['Authorization'][0]", "['Authorization']", '$.Authorization[0]', 'Authorization']) {
  test(`a generator for the header ${key}, as pact-js 11 or another library writes it`, async () => {
    const header = { [key]: BEARER.header.Authorization };
    expect((await verifyOn(target, [list({ generators: { header } })])).others).toEqual({});
  });
}

for (const [name, value] of [
  ['Content-Length', '5'],
  ['content-length', 'five'],
  ['Host', 'localhost:1234'],
  ['Connection', 'Upgrade'],
  ['Transfer-Encoding', 'snappy'],
  ['Expect', 'cake'],
] as const) {
  test(`${name}: ${value} of a pact is left out of request and answer, with a line`, async () => {
    const header = { ...BEARER.header, [name]: { type: 'RandomInt', min: 10, max: 1 } };
    const headers = { [name]: value };
    const pact = list({ headers, generators: { header } }, { status: 200, headers });
    const { verification, others } = await verifyOn(target, [pact]);
    expect(others).toEqual({});
    expect(verification.pacts[0]?.warnings).toEqual([
      `"the list": each connection sets its own ${name}, so the suite left the pact's out`,
    ]);
  });
}

test('a length that the example had cuts no form', async () => {
  const request = {
    method: 'POST',
    path: '/oauth/token',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '20' },
    body: 'client_id=a&client_secret=b&code=c&grant_type=authorization_code&redirect_uri=d',
    generators: {
      body: Object.fromEntries(
        ['client_id', 'client_secret', 'code', 'redirect_uri'].map((name) => [
          `$.${name}`,
          { type: 'ProviderState', expression: `\${${name}}` },
        ]),
      ),
    },
  };
  const pact = pactOf(
    { providerStates: [{ name: 'a code was granted' }], request },
    'legacy-authorization-server',
  );
  expect((await verifyOn(target, [pact])).others).toEqual({});
});

test('the verifier is too long busy with an interaction: it fails, and the next one gets a verifier of its own', async () => {
  const verifier = await startNativeVerifier(1);
  try {
    const { others, verification } = await verifyOn(target, [list(), list({}, { status: 200 }, 'another')], {
      verifier,
    });
    const busy = expect.stringContaining('Pact’s verifier was still busy with the interaction after');
    expect(others).toEqual({ 'the list': busy, another: busy });
    expect(verification.troubles).toEqual([]);
  } finally {
    await verifier.close();
  }
});

test('only a fault of the suite ends in exit 4', async () => {
  const verifier: NativeVerifier = {
    verify: () => Promise.reject(new Error('no library')),
    close: async () => undefined,
  };
  const { verification } = await verifyOn(target, [list()], { verifier });
  expect(verification.troubles).toEqual([{ kind: 'broken', message: '"the list": no library' }]);
  expect(concludeVerification(verification).exitCode).toBe(4);
});

test('what this target cannot do is no outage: states that need its clock stop no other pact', async () => {
  const { clock: _, ...withoutClock } = target;
  const expired = (description: string) =>
    pactOf({ description, providerStates: [{ name: 'an access token has expired' }] });
  const pacts = [expired('one'), expired('two'), expired('three'), list()];
  const { verified, others } = await verifyOn(withoutClock, pacts);
  expect(verified).toEqual(['the list']);
  expect(Object.values(others)).toEqual(Array(3).fill(expect.stringContaining('configure `clock`')));
});

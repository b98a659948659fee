/** Observed, recorded, and emulated from the record, a service differs from itself at no open point under `--like`. */
import { expect, test } from '@playwright/test';
import { validateProfile } from '../../../generated/validators.js';
import { loadCatalogue } from '../../../src/document/load-catalogue.ts';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';
import type { Profile } from '../../../src/emulator/policy/profile.ts';
import type { Header, Transport, WireRequest, WireResponse } from '../../../src/http/exchange.ts';
import type { Observed } from '../../../src/record/observe/observe.ts';
import { frozenResults } from '../../../src/report/compare/profiles.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import { profileControls } from '../../support/controls/profile-controls.ts';
import { frozenFrom, observeProfile, observeTarget } from '../../support/observing/observe-profile.ts';
import { firstInTest } from '../../support/prove.ts';

const catalogue = loadCatalogue();

/** Rows that fail when the emulator runs on what was recorded, and what could not be told to it. */
async function heldToItself(observed: Observed) {
  const frozen = await frozenFrom(observed);
  expect([validateProfile(frozen), validateProfile.errors]).toEqual([true, null]);
  const rows = frozenResults(frozen, await observeProfile(frozen), [], catalogue, true);
  const failing = rows.flatMap(({ id, result, reason }) => (result === 'fail' ? [`${id}: ${reason}`] : []));
  return { failing, notExpressed: Object.keys(frozen.observed?.notExpressed ?? {}) };
}

for (const [{ profile }, details] of firstInTest(profileControls().slice(0, 24), 2)) {
  test(`${profile.name}, observed and recorded, is like itself`, details, async () => {
    const { failing, notExpressed } = await heldToItself(await observeProfile(profile));
    expect(failing).toEqual([]);
    expect(notExpressed).toEqual([]);
  });
}

/** Returns method and path of a request without its query: a code in it may hold any letters, `v2` as well. */
const asked = ({ method, url }: WireRequest) => `${method} ${url.replace(/\?.*/, '')}`;

/** A change of one answer; `nth` counts the answers of a run from 1. */
type Change = (answer: WireResponse, request: WireRequest, nth: number) => WireResponse;

const header = (name: string, value: (nth: number) => string, at = /./): Change => {
  return (answer, request, nth) =>
    at.test(asked(request)) ? { ...answer, headers: [...without(answer, name), [name, value(nth)]] } : answer;
};
const without = ({ headers }: WireResponse, name: string): readonly Header[] =>
  headers.filter(([each]) => each.toLowerCase() !== name.toLowerCase());
/** A success without a body that has a content type all the same. */
const emptied =
  (at: RegExp, contentType: string | undefined, status?: (status: number) => boolean): Change =>
  (answer, request) => {
    if (!at.test(asked(request)) || (status ?? ((s) => s < 300))(answer.status) === false) return answer;
    const type: Header[] = contentType === undefined ? [] : [['Content-Type', contentType]];
    return {
      ...answer,
      body: '',
      headers: [...without(answer, 'content-type'), ...type],
      status: answer.status === 204 ? 200 : answer.status,
    };
  };
const refusesPkce: Change = (answer, { method, url }) =>
  method === 'GET' && url.includes('code_challenge')
    ? { ...answer, status: 400, headers: [['Content-Type', 'text/html']], body: '<p>no' }
    : answer;
const id = (nth: number) => `${nth}-${Math.sin(nth)}`;

const ODD: Readonly<Record<string, Change>> = {
  'a header of a thousand characters': header('Cache-Control', () => `no-store, x="${'y'.repeat(1_000)}"`),
  'an ETag of its own each time': header('ETag', (nth) => `"${id(nth)}"`, /v2/),
  'a weak ETag each time, on pages too': header('ETag', (nth) => `W/"${id(nth)}"`),
  'caching that is said otherwise each time': header('Cache-Control', (nth) => `max-age=${nth}`, /v2/),
  'refusals that are cached otherwise each time': header(
    'Cache-Control',
    (nth) => (nth % 2 ? 'no-store' : 'private'),
    /token/,
  ),
  'a request id each time': header('X-Request-Id', id),
  'a server and a time that it took': (answer, request, nth) =>
    header('X-Runtime', () => `0.${nth}`)(
      header('Server', () => `node-${nth % 3}`)(answer, request, nth),
      request,
      nth,
    ),
  'a limit that counts down': header('X-RateLimit-Remaining', (nth) => String(5_000 - nth)),
  'dates that move': header('Last-Modified', (nth) => new Date(nth * 1e6).toUTCString(), /v2/),
  'PKCE refused at the authorization request': refusesPkce,
  'PKCE refused at the exchange': (answer, { body = '' }) =>
    body.includes('code_verifier')
      ? {
          ...answer,
          status: 400,
          headers: [['Content-Type', 'application/json']],
          body: '{"error":"invalid_request"}',
        }
      : answer,
  'nothing, said to be JSON, on assign and unassign': emptied(/^(?:PUT|DELETE)/, 'application/json'),
  'nothing, without a type': emptied(/^(?:PUT|DELETE)/, undefined),
  'refusals of the resource API without a body, said to be JSON': emptied(
    /v2|projects/,
    'application/json',
    (s) => s >= 400,
  ),
  'refusals of the token endpoint without a body': emptied(/^POST .*token/, undefined, (s) => s >= 400),
  'refusals of the token endpoint without a body, said to be text': emptied(
    /^POST .*token/,
    'text/plain',
    (s) => s >= 400,
  ),
  'other methods with nothing, said to be HTML': emptied(/^(?:PATCH|OPTIONS|HEAD)/, 'text/html', () => true),
  'a 418 for each refusal of the resource API': (answer, request) =>
    /v2|projects/.test(asked(request)) && (answer.status === 404 || answer.status === 403)
      ? { ...answer, status: 418 }
      : answer,
  'a status of 500 for each refusal of the resource API': (answer, { url }) =>
    url.includes('/v2/') && answer.status >= 400 ? { ...answer, status: 500 } : answer,
  'refusals that are lists': (answer) =>
    answer.status >= 400 && answer.body.startsWith('{') ? { ...answer, body: `[${answer.body}]` } : answer,
  'a list without a content type': (answer, { method, url }) =>
    method === 'GET' && url.includes('/v2/') && answer.status === 200
      ? { ...answer, headers: without(answer, 'content-type') }
      : answer,
  'records within records': (answer, { method, url }) =>
    method === 'GET' && url.includes('/v2/') && answer.status === 200
      ? { ...answer, body: `{"a-b":{"c.d":${answer.body}}}` }
      : answer,
  'everything at once': (answer, request, nth) =>
    [
      refusesPkce,
      header('ETag', id),
      header('X-Request-Id', id),
      emptied(/^(?:PUT|DELETE)/, 'application/json'),
    ].reduce((changed, change) => change(changed, request, nth), answer),
};

/** Behaviour of these services that no profile can express. */
const CANNOT_BE_TOLD = new Set([
  'a status of 500 for each refusal of the resource API',
  'refusals that are lists',
  'a list without a content type',
  'records within records',
]);

async function observeOdd(base: Profile, change: Change): Promise<Observed> {
  const target = await emulatorTarget({ profile: base, defects: [], sockets: false });
  let nth = 0;
  const transport: Transport = async (request) => {
    nth += 1;
    return change(await target.transport(request), request, nth);
  };
  try {
    return await observeTarget({ ...target, transport });
  } finally {
    await target.close();
  }
}

for (const [[name, change], details] of firstInTest(Object.entries(ODD), 8)) {
  for (const base of ['doorkeeper-5', 'by-the-rfc']) {
    test(`a service on ${base} with ${name}, observed and recorded, is like itself`, details, async () => {
      const { failing, notExpressed } = await heldToItself(await observeOdd(await loadProfile(base), change));
      expect(failing).toEqual([]);
      if (!CANNOT_BE_TOLD.has(name)) expect(notExpressed).toEqual([]);
    });
  }
}

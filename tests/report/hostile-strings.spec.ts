/** Each field that a target sends holds hostile strings: every check has a result, and no report holds a received token. */
import { expect, test } from '@playwright/test';
import { runOfChecks } from '../../src/commands/shared/run-of.ts';
import { selectRequirements } from '../../src/commands/shared/selection.ts';
import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import { CHECKS } from '../../src/evaluation/checks/index.ts';
import { runChecks } from '../../src/evaluation/run/run-checks.ts';
import type { Header, Transport, WireResponse } from '../../src/http/exchange.ts';
import { crashText } from '../../src/http/secrets/crash-text.ts';
import { renderReport } from '../../src/report/files.ts';
import { styleFor } from '../../src/report/listing.ts';
import { assembleResults } from '../../src/report/verdict.ts';
import { connectWithoutBrowser } from '../../src/service/flow/connect.ts';
import { PROVE } from '../support/prove.ts';
import { renderConsole, renderMarkdownSummary } from '../support/render-results.ts';

test.describe.configure({ mode: 'parallel' });

/** Strings that have broken software before, by what they are. */
const STRINGS: Readonly<Record<string, string>> = {
  'line separators': 'a\u2028b\u2029c\u0085d',
  'a lone surrogate': 'token-\ud800-of-half-a-pair',
  'a lone low surrogate': '\udfff-token-of-half-a-pair',
  'control characters': 'a\u0000b\u001b[31mc\u009bd\r\ne',
  'directions and nothing visible': '\u202etxet\u061c\u200b\ufeff',
  'patterns of replacements': "$& $1 $` $' $$ %s %d %o %zz %",
  markup: '</script><script>]]>&lt;!--"\'`{{x}}',
  'names of members': '__proto__',
  'commands of build servers': '##vso[task.setvariable]x\n::error::y\n##teamcity[z]',
  nothing: '',
  'a great deal': 'x\u2028'.repeat(4_000),
};

const TOKEN_FIELDS = ['access_token', 'refresh_token', 'token_type', 'scope', 'expires_in', 'error'] as const;

/** Fields that a target sends, and how an answer looks with another value in it. */
const FIELDS: Readonly<Record<string, (response: WireResponse, value: string) => WireResponse>> = {
  ...Object.fromEntries(
    TOKEN_FIELDS.map((name) => [
      `${name} of a token response`,
      (response: WireResponse, value: string) => withMember(response, 'access_token', name, value),
    ]),
  ),
  'error_description of a refusal': (response, value) =>
    withMember(response, 'error', 'error_description', value),
  'error of a refusal': (response, value) => withMember(response, 'error', 'error', value),
  'an added member of every object': (response, value) => withMember(response, undefined, value, value),
  'every id of a list': (response, value) => withIds(response, value),
  'a header': (response, value) => withHeader(response, 'X-Hostile', value),
  'Content-Type': (response, value) => withHeader(response, 'Content-Type', value),
  'Retry-After and Sunset': (response, value) =>
    withHeader(withHeader(response, 'Retry-After', value), 'Sunset', value),
  Location: (response, value) =>
    response.status < 300 || response.status > 399
      ? response
      : withHeader(response, 'Location', `https://client.example.test/callback?code=${value}&state=${value}`),
  'the whole body': (response, value) => ({ ...response, body: value }),
};

const IN_TEST = 1;

for (const [what, change] of Object.entries(FIELDS))
  for (const [which, details] of [
    ['some', {}],
    ['all others', PROVE],
  ] as const)
    test(`${what}, ${which}: every check has its result, and no report its tokens`, details, async () => {
      const strings = Object.entries(STRINGS);
      for (const [name, value] of which === 'some' ? strings.slice(0, IN_TEST) : strings.slice(IN_TEST)) {
        const { broken, texts } = await checkedThrough((response) => change(response, value));
        expect(broken, name).toEqual([]);
        const leaks = texts.some((text) => text.includes('token-of-half-a-pair'));
        expect(leaks && /^(access|refresh)_token /.test(what), name).toBe(false);
      }
    });

test('JSON that is 200,000 levels deep: every check has its result', async () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  const { broken } = await checkedThrough((response) => ({ ...response, body: deep }));
  expect(broken).toEqual([]);
});

test('a crash is told by where it happened, and quotes nothing', () => {
  const secret = 'canary-7d1e\n    at file:///etc/passwd:1:1';
  const hostile = [
    () => JSON.parse(`{"token":"${secret}`),
    () => encodeURIComponent(`\ud800${secret}`),
    () => new URL(secret),
    () => {
      throw { message: secret, stack: secret, name: secret, code: secret };
    },
    () => {
      throw secret;
    },
    () => {
      throw Object.defineProperty({}, 'stack', {
        get: () => {
          throw new Error(secret);
        },
      });
    },
    () => {
      throw new Proxy({}, { get: () => secret });
    },
  ];
  for (const work of hostile) {
    let thrown: unknown;
    try {
      work();
    } catch (error) {
      thrown = error;
    }
    expect(crashText(thrown)).not.toContain('canary');
  }
});

/** Some checks of each kind: what all of them read is read by these. */
const ONLY = [
  ...['exchange.token-type-bearer', 'exchange.code-single-use', 'refresh.scope-kept', 'token.error-json'],
  ...['list.returns-assigned', 'authorize.state-echoed'],
];

/** Checks an emulator whose answers are changed on their way. */
async function checkedThrough(change: (response: WireResponse) => WireResponse): Promise<{
  readonly broken: readonly string[];
  readonly texts: readonly string[];
}> {
  const catalogue = loadCatalogue();
  const selection = selectRequirements(ONLY);
  const hostile =
    (inner: Transport): Transport =>
    async (request, signal) =>
      change(await inner(request, signal));
  const run = await runChecks(
    { target: 'emulator', profile: 'doorkeeper-5', defects: [] },
    CHECKS.filter(({ id }) => selection.ids.includes(id)),
    {
      workers: 1,
      listener: {},
      connectTo: async (target, secrets, signal) => ({
        session: connectWithoutBrowser({ ...target, transport: hostile(target.transport) }, secrets, signal),
        close: async () => undefined,
      }),
    },
  );
  const results = assembleResults(
    runOfChecks(selection, run, [], {
      strict: false,
      startedAt: new Date(),
      durationMs: 0,
      intended: {
        kind: 'emulator',
        name: 'emulator',
        authUrl: 'nowhere',
        baseUrl: 'nowhere',
        ...{ defects: [], abilities: [], grants: { page: 0, cookies: 0 } },
      },
    }),
  );
  const report = renderReport(results, catalogue).map(({ text }) => text);
  const console = renderConsole(results, catalogue, { style: styleFor({}, false) });
  return {
    broken: run.troubles.filter(({ kind }) => kind === 'broken').map(({ message }) => message),
    texts: [...report, run.secrets.redact(console), renderMarkdownSummary(results, catalogue)],
  };
}

function withHeader(response: WireResponse, name: string, value: string): WireResponse {
  const others = response.headers.filter(([n]) => n.toLowerCase() !== name.toLowerCase());
  const header: Header = [name, value];
  return { ...response, headers: [...others, header] };
}

/** The answer with a member of its object set, where the object has another one. */
function withMember(response: WireResponse, having: string | undefined, name: string, value: string) {
  return withJson(response, (json) => {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return json;
    if (having !== undefined && !(having in json)) return json;
    return Object.defineProperty({ ...json }, name, { value, enumerable: true });
  });
}

function withIds(response: WireResponse, value: string): WireResponse {
  return withJson(response, (json) =>
    Array.isArray(json) ? json.map((entry: object) => ({ ...entry, id: value, [value]: value })) : json,
  );
}

function withJson(response: WireResponse, change: (json: unknown) => unknown): WireResponse {
  try {
    return { ...response, body: JSON.stringify(change(JSON.parse(response.body))) };
  } catch {
    return response;
  }
}

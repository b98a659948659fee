/** After the retirement: a verdict of its own where the configuration expects it, and only where both addresses prove it. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { expect, test } from '@playwright/test';
import { check } from '../../src/commands/check/api.ts';
import { unlessPlain } from '../../src/document/input/shell-quotes.ts';
import { retirementSign } from '../../src/http/retirement.ts';
import { renderReport } from '../../src/report/files.ts';
import { renderHtml } from '../../src/report/html/render.ts';
import { withExpectedRetirement } from '../../src/report/policy.ts';
import type { RequirementResult, Results, Retirement, RunTrouble } from '../../src/report/results.ts';
import { runHere } from '../support/command-here.ts';
import { startLiveEmulator } from '../support/emulator-live.ts';
import { type OnLoopback, onLoopback } from '../support/on-loopback.ts';
import { firstInTest } from '../support/prove.ts';
import { renderConsole, renderMarkdownSummary } from '../support/render-results.ts';
import { aCatalogueOf, aResult, aRun } from '../support/results-builder.ts';

test.describe('a sign of retirement is', () => {
  const RETIRED = '<h1>The legacy API has been <b>retired</b>.</h1>';
  for (const [sign, status, body] of [
    [true, 410, ''],
    [true, 404, RETIRED],
    [true, 200, RETIRED],
    [false, 503, RETIRED],
    [false, 500, RETIRED],
    [false, 502, 'was discontinued'],
    [false, 403, RETIRED],
    [false, 401, RETIRED],
    [false, 410, 'Gone for maintenance, try again later'],
    [false, 404, `${RETIRED} for maintenance; back soon`],
    [false, 404, 'The page you want is no longer available'],
    [false, 200, 'Your session is no longer available: sign in to the wireless network'],
    [false, 200, 'The server was shut down'],
    [false, 404, ''],
    [false, 200, '<h1>Sign in</h1>'],
  ] as const)
    test(`${sign ? '' : 'not '}${status} ${body}`, () => {
      expect(retirementSign({ status, body }) !== undefined).toBe(sign);
    });
});

const EXPECTED = { from: '2026-03-02', takesOver: ['the shim (check --target shim.json)'] };
const PROVEN: Retirement = {
  retired: true,
  notices: [],
  signs: { proven: true, said: ['authorization server: it answers 410', 'resource API: it answers 410'] },
};
const GONE: RunTrouble = { kind: 'inconclusive', message: 'retired: the service is no more, it answers 410' };

/** A run on a retired service, started 2026-03-02. */
function ended(
  retirement: Retirement | undefined,
  expected: typeof EXPECTED | 'nothing' = EXPECTED,
  requirements: readonly RequirementResult[] = [aResult('a.a', 'not-run'), aResult('b.b', 'not-applicable')],
  troubles: readonly RunTrouble[] = [GONE],
): Results {
  const {
    verdict: _,
    exitCode: __,
    totals: ___,
    schemaVersion: ____,
    ...run
  } = aRun(requirements, { retirement, troubles });
  return aRun([], withExpectedRetirement(run, expected === 'nothing' ? undefined : expected));
}

test.describe('the verdict', () => {
  const broken: RunTrouble = { kind: 'broken', message: 'a user is still assigned' };
  const rows: readonly (readonly [string, string, number, Results])[] = [
    ['on the first day', 'retired', 0, ended(PROVEN)],
    ['a day before', 'inconclusive', 3, ended(PROVEN, { ...EXPECTED, from: '2026-03-03' })],
    ['where the configuration expects nothing', 'inconclusive', 3, ended(PROVEN, 'nothing')],
    [
      'where one address gives no sign',
      'inconclusive',
      3,
      ended({ ...PROVEN, signs: { proven: false, said: ['resource API: status 200'] } }),
    ],
    ['where neither was asked', 'inconclusive', 3, ended({ retired: true, notices: [] })],
    ['where only a header announces it', 'inconclusive', 3, ended({ retired: false, notices: [] })],
    ['where the service says nothing', 'inconclusive', 3, ended(undefined)],
    [
      'after something passed',
      'inconclusive',
      3,
      ended(PROVEN, EXPECTED, [aResult('a.a'), aResult('b.b', 'not-run')]),
    ],
    ['after something failed', 'violates', 1, ended(PROVEN, EXPECTED, [aResult('a.a', 'fail')])],
    ['where the suite broke', 'broken', 4, ended(PROVEN, EXPECTED, undefined, [GONE, broken])],
  ];
  for (const [when, verdict, exit, results] of rows)
    test(`${when}: ${verdict}, exit ${exit}`, () => {
      expect([results.verdict, results.exitCode]).toEqual([verdict, exit]);
    });

  test('every report says it, names what takes over, and shows nothing red or green', () => {
    const results = ended(PROVEN);
    const view = aCatalogueOf(results);
    const said =
      /retired, as expected from 2026-03-02 on; what takes over: the shim \(check --target shim\.json\)/;
    expect(renderConsole(results, view, { style: 'plain' })).toMatch(said);
    expect(renderMarkdownSummary(results, view).replaceAll('\\', '')).toMatch(said);
    expect(renderHtml(results, view)).toMatch(said);
    const junit = renderReport(results, view).find(({ name }) => name === 'junit.xml')?.text ?? '';
    expect(junit).not.toMatch(/<(?:failure|error)\b/);
    expect(junit.match(/<skipped\b/g)).toHaveLength(2);
  });

  test('where it is not as expected, the report says why', () => {
    const early = ended(PROVEN, { ...EXPECTED, from: '2027-01-01' });
    expect(renderConsole(early, aCatalogueOf(early), { style: 'plain' })).toContain(
      'retired, not as expected: it is expected from 2027-01-01 on, and today is 2026-03-02',
    );
  });
});

test.describe('a service that', () => {
  const own = (name: string) => test.info().outputPath(name);
  const servers: OnLoopback[] = [];
  test.afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function serve(answer: RequestListener): Promise<string> {
    const server = await onLoopback(createServer(answer));
    servers.push(server);
    return server.origin;
  }
  const always =
    (status: number, body = ''): RequestListener =>
    (_, response) => {
      response.writeHead(status, { 'Content-Type': 'text/html' }).end(body);
    };
  /** The configuration of a service at these addresses; everything else of it is the emulator's. */
  async function configured(authUrl: string | undefined, baseUrl: string | undefined, expectedFrom: string) {
    writeFileSync(own('shim.json'), '{}');
    const retired = { expectedFrom, shim: './shim.json' };
    const { emulator, file, env } = await startLiveEmulator(own('.'), [], { retired });
    await emulator.close();
    const written = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(
      file,
      JSON.stringify({ ...written, ...(authUrl && { authUrl }), ...(baseUrl && { baseUrl }) }),
    );
    return { file, env: { ...process.env, ...env } };
  }

  test('answers 410 at both addresses is retired: exit 0, by the command too', async () => {
    const gone = await serve(always(410));
    const { file, env } = await configured(gone, gone, '2026-01-01');
    const report = own('report');
    const { code, stdout } = await runHere(['check', '--target', file, '--report', report], env);
    expect(stdout).toContain('retired (exit 0)');
    expect(stdout).toContain(`--target ${unlessPlain(own('shim.json'))}`);
    expect(code).toBe(0);
  });

  for (const [[what, auth, base], details] of firstInTest(
    [
      ['is retired at one address and down at the other', always(410), undefined],
      ['is retired at one address and works at the other', always(410), always(200, '[]')],
      [
        'answers 503 with a page about a retirement',
        always(503, 'It has been retired'),
        always(503, 'It has been retired'),
      ],
      [
        'stands behind a proxy that knows no such page',
        always(404, 'no longer available'),
        always(404, 'no longer available'),
      ],
    ] as const,
    1,
  ))
    test(`${what} is 3`, details, async () => {
      const { file, env } = await configured(await serve(auth), base && (await serve(base)), '2026-01-01');
      const results = await check(file, { only: ['9'], env });
      expect([results.verdict, results.exitCode]).toEqual(['inconclusive', 3]);
    });

  test('is retired before the day is 3, and a day or a file that is none is 2', async () => {
    const gone = await serve(always(410));
    const early = await configured(gone, gone, '2999-01-01');
    const results = await check(early.file, { only: ['9'], env: early.env });
    expect(results.exitCode).toBe(3);
    expect(results.retirement?.unexpected).toContain('2999-01-01');
    const wrong = await configured(gone, gone, '2027-02-30');
    await expect(check(wrong.file, { env: wrong.env })).rejects.toThrow(/retired\.expectedFrom: expected/);
    const none = await configured(gone, gone, '2027-02-01');
    rmSync(own('shim.json'));
    await expect(check(none.file, { env: none.env })).rejects.toThrow(
      /retired\.shim: expected an existing file/,
    );
  });
});

/** `replay`: exchanges as commands for a shell, and one check once more. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { curlLines, shellWord } from '../../../src/report/exchange-text.ts';
import { resultsJson } from '../../../src/report/files.ts';
import { printableWithColours } from '../../../src/report/printable.ts';
import type { ExchangeEvidence } from '../../../src/report/results.ts';
import { runHere } from '../../support/command-here.ts';
import { anExchange, aResult, aRun, aStep, aTarget } from '../../support/results-builder.ts';

let directory: string;
test.beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'replay-'));
});
test.afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Returns the arguments of each call of curl that a shell runs from these lines. Any other effect shows as a file. */
function ranBy(
  lines: readonly string[],
  env: Readonly<Record<string, string>> = {},
): readonly (readonly string[])[] {
  const script = `curl() { printf 'CALL\\0' >> calls; printf '%s\\0' "$@" >> calls; }\n${printableWithColours(lines.join('\n'))}\n`;
  const { status, stderr } = spawnSync('bash', ['--norc', '-u', '-c', script], {
    cwd: directory,
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  expect([status, stderr.toString()]).toEqual([0, '']);
  const calls = readFileSync(join(directory, 'calls'), 'utf8');
  rmSync(join(directory, 'calls'));
  return calls
    .split('CALL\0')
    .slice(1)
    .map((call) => call.split('\0').slice(0, -1));
}

function sending(
  request: Partial<ExchangeEvidence['request']>,
  purpose = 'do it',
): ReturnType<typeof aResult> {
  const exchange = anExchange({
    purpose,
    request: { method: 'POST', url: 'http://127.0.0.1/x', headers: [], ...request },
  });
  return aResult('a.a', 'fail', { evidence: [exchange] });
}
const after = (call: readonly string[] | undefined, option: string) => call?.[call.indexOf(option) + 1];

test.describe('what a target has sent is never a command', () => {
  for (const hostile of [
    `'; touch pwned; '`,
    '$(touch pwned)',
    '`touch pwned`',
    'a\ntouch pwned\n',
    'a\r\n##vso[task.setvariable]x',
    '"; touch pwned #',
    "\\'; touch pwned; \\",
    '!!; touch pwned',
    '@/etc/passwd',
    '--output pwned',
    '{a,b}[1-3]',
    '$HOME $PATH ~ *',
    '\u202etouch\u0007\u001b[2J pwned é',
    `<script>'"\``,
    '',
  ])
    test(JSON.stringify(hostile), () => {
      const { evidence } = sending(
        { method: 'PUT', url: `http://127.0.0.1/${hostile}`, body: hostile, headers: [['X-Sent', hostile]] },
        hostile,
      );
      const steps = [...evidence, aStep({ order: 2, purpose: hostile, url: hostile })];
      const [call, ...others] = ranBy(curlLines({ id: hostile || 'a.a', evidence: steps }));
      expect(others).toEqual([]);
      expect(after(call, '--url')).toBe(`http://127.0.0.1/${hostile}`);
      if (hostile !== '') expect(after(call, '--data-raw')).toBe(hostile);
      expect(after(call, '--header')).toBe(hostile === '' ? 'X-Sent;' : `X-Sent: ${hostile}`);
      expect(after(call, '--request')).toBe('PUT');
      expect(existsSync(join(directory, 'pwned'))).toBe(false);
    });

  test('a header that is none, and a body with a NUL, are left out', () => {
    const [call] = ranBy(
      curlLines(
        sending({
          headers: [
            ['@file', 'x'],
            ['A B', 'x'],
          ],
        }),
      ),
    );
    expect(call).not.toContain('--header');
    expect(curlLines(sending({ body: 'a\0b' })).join()).toContain('holds a NUL');
  });
});

test.describe('secrets', () => {
  test('are variables, wherever they stand, and their values are no commands either', () => {
    const value = `a'b"c$(touch pwned)`;
    const body = 'client_secret=<client_secret#1>&code=%3Ccode%2312%3E&x=<hidden>';
    const [call] = ranBy(
      curlLines(sending({ body, headers: [['Authorization', 'Bearer <access_token#3>']] })),
      {
        CLIENT_SECRET_1: value,
        CODE_12: 'c',
        ACCESS_TOKEN_3: 't',
        HIDDEN: 'h',
      },
    );
    expect(after(call, '--data-raw')).toBe(`client_secret=${value}&code=c&x=h`);
    expect(after(call, '--header')).toBe('Authorization: Bearer t');
    expect(existsSync(join(directory, 'pwned'))).toBe(false);
  });

  test('are told where to be had', () => {
    const lines = curlLines({ id: 'a.a', evidence: [anExchange(), aStep({ order: 2 })] });
    expect(lines).toContain('#   CLIENT_SECRET_1: as configured, or as you have it');
    expect(lines).toContain('#   ACCESS_TOKEN_1: from the answer of 1');
    expect(lines.join('\n')).toContain('# 2. in the browser: grant');
  });

  test('that are none stay as they are', () => {
    expect(shellWord('<b#x> <#1> %3Cb%3E')).toBe(`'<b#x> <#1> %3Cb%3E'`);
  });
});

test.describe('the command', () => {
  const written = (results: ReturnType<typeof aRun>, name = 'results.json') => {
    const file = join(directory, name);
    writeFileSync(file, resultsJson(results));
    return file;
  };

  test('prints the exchanges, and runs that one check again on the same emulator', async () => {
    const id = 'exchange.expires-in-7200';
    const evidence = [anExchange()];
    const target = aTarget({ defects: ['exchange-expires-in-3600'] });
    written(aRun([aResult('list.safe'), aResult(id, 'fail', { evidence })], { target }));
    const report = join(directory, 'again');
    const { code, stdout } = await runHere(['replay', directory, '--only', id, '--report', report]);
    expect(stdout).toContain(
      '--data-raw \'client_id=app&client_secret=\'"$CLIENT_SECRET_1"\'&code=\'"$CODE_1"',
    );
    expect(stdout).toContain('violates (partial) (exit 1): 0 of 1 passed');
    expect(code).toBe(1);
    expect(JSON.parse(readFileSync(join(report, 'results.json'), 'utf8')).target.defects).toEqual(
      target.defects,
    );
  });

  test('refuses what it could only guess: exit 2', async () => {
    const live = aTarget({ kind: 'live', name: 'staging' });
    const emulated = written(aRun([aResult('list.safe')]), 'emulated.json');
    const staging = written(aRun([aResult('list.safe')], { target: live }), 'staging.json');
    const cut = join(directory, 'cut.json');
    writeFileSync(cut, readFileSync(emulated, 'utf8').slice(0, 300));
    for (const [args, says] of [
      [[emulated, '--only', 'list.unsafe'], /expected the id of a requirement in these results/],
      [[emulated, '--only', 'refresh.chain'], /They are of a run that left it out/],
      [[staging, '--only', 'list.safe'], /expected the configuration of "staging"/],
      [[cut, '--only', 'list.safe'], /cut\.json/],
      [[join(directory, 'nowhere.json'), '--only', 'list.safe'], /nowhere\.json/],
      [[emulated], /--only/],
    ] as const) {
      const { code, stderr } = await runHere(['replay', ...args]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
    }
    const { code, stdout } = await runHere(['replay', staging, '--only', 'list.safe', '--print']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('# list.safe: 0 steps')]);
  });
});

import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { loadProfile } from '../../src/emulator/load-profile.ts';
import { policyFromProfile } from '../../src/emulator/policy/from-profile.ts';
import type { RegisteredApplication } from '../../src/emulator/records.ts';
import { emulatorTarget } from '../../src/targets/emulator.ts';
import { runWithoutBrowser } from './kill-matrix/run-checks.ts';

/** A rehearsal of the first run against a service that is Doorkeeper underneath. */

const EXPECTED = new URL('../support/controls/doorkeeper-as-shipped.results.yaml', import.meta.url);

interface ExpectedResults {
  readonly profile: string;
  readonly verdict: string;
  readonly results: readonly {
    readonly requirement: string;
    readonly result: string;
    readonly reason: string;
  }[];
}

test('a run against Doorkeeper as shipped reports what is written down, and nothing else', async () => {
  const expected = parse(readFileSync(EXPECTED, 'utf8')) as ExpectedResults;
  const target = await emulatorTarget({ profile: expected.profile, defects: [], sockets: false });
  const outcomes = await runWithoutBrowser(target);
  const seen = outcomes.filter(({ result }) => result !== 'pass');
  expect(seen.some(({ result }) => result === 'fail')).toBe(expected.verdict === 'violates');
  const comparable = (results: readonly { requirement: string; result: string; reason: string }[]) =>
    results.map(({ requirement, result, reason }) => `${requirement} ${result} ${reason}`).sort();
  expect(comparable(seen.map(({ id, ...rest }) => ({ requirement: id, ...rest })))).toEqual(
    comparable(expected.results),
  );
});

test('it answers what the document leaves open as doorkeeper-5 does, but for what departs from the document', async () => {
  const [shipped, bent] = [await loadProfile('doorkeeper-as-shipped'), await loadProfile('doorkeeper-5')];
  expect(shipped.answers).toEqual({ ...bent.answers, 'authorize-failures.no-scope': 'accepted' });
  expect(bent.departures).toBeUndefined();
});

test('it takes redirect addresses that differ by the case of the host or by a query alone', async () => {
  const { authorize } = policyFromProfile(await loadProfile('doorkeeper-as-shipped'));
  const application = {
    redirectUris: ['https://client.example.test/callback', 'https://client.example.test/return?a=1&b=2'],
  } as unknown as RegisteredApplication;
  const taken = (redirectUri: string) => authorize.redirectUri({ redirectUri }, application) === redirectUri;
  for (const alike of [
    'https://client.example.test/callback',
    'HTTPS://Client.Example.TEST/callback',
    'https://client.example.test/callback?added=1',
    'https://client.example.test/return?b=2&a=1',
  ]) {
    expect([alike, taken(alike)]).toEqual([alike, true]);
  }
  for (const other of [
    'https://client.example.test/CALLBACK',
    'https://client.example.test/callback/',
    'https://client.example.test/callback#fragment',
    'https://client.example.test/return',
    'https://client.example.test/return?a=1&b=2&c=3',
    'https://client.example.test.attacker.test/callback',
    'https://client.example.test@attacker.test/callback',
    'http://client.example.test/callback',
  ]) {
    expect([other, taken(other)]).toEqual([other, false]);
  }
});

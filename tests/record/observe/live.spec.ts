import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { loadCatalogue } from '../../../src/document/load-catalogue.ts';
import { answersOf } from '../../../src/document/profiles/answers-of.ts';
import { aspectIds, sameAnswer } from '../../../src/document/profiles/aspects.ts';
import type { Risk } from '../../../src/document/types.ts';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';
import type { Transport } from '../../../src/http/exchange.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { rememberingConsent } from '../../../src/record/beside/sides.ts';
import { observe } from '../../../src/record/observe/observe.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import { playedBeside, sideOf, sideOfTarget } from '../../support/beside.ts';
import { runHere } from '../../support/command-here.ts';
import { type Change, withIndependentService, withLiveTarget } from '../../support/live-config.ts';
import { ALL_RISKS, frozenFrom, observeTarget, walked } from '../../support/observing/observe-profile.ts';

/** Observe a service that is not ours, and the emulator does the same from then on. */

const ANSWERS = new URL('../../support/independent-service/answers.yaml', import.meta.url);
const AT_RISK: ReadonlySet<Risk> = new Set(['none', 'refusals', 'revokes']);

test('the independent service is seen to answer as was read in its source, so is the emulator on its profile, and it has the same outcome of two hundred requests', async () => {
  await withLiveTarget({}, {}, async ({ target }) => {
    const { session, walk } = await walked(target);
    const observed = await observe(session, walk, loadCatalogue(), { risks: AT_RISK });
    expect(Object.fromEntries(observed.answers)).toEqual(parse(readFileSync(ANSWERS, 'utf8')));
    const frozen = await frozenFrom(observed, 'independent-service');
    expect(frozen.observed?.notExpressed).toBeUndefined();
    // Needs a clock, and a loopback address: all else is observed.
    expect([...observed.unseen.keys()].sort()).toEqual([
      'lifetimes.code',
      'lifetimes.refresh-token',
      'loopback-ports.other-port',
      'resource-failures.expired-token',
      'token-failures.exchange.expired-code',
      'token-failures.refresh.expired-token',
    ]);

    const emulated = await emulatorTarget({ profile: frozen, defects: [], sockets: false });
    const seen = new Map((await observeTarget(emulated)).answers);
    const other = [...observed.answers].filter(([aspect, answer]) => {
      const emulators = seen.get(aspect);
      return emulators === undefined || !sameAnswer(answer, emulators);
    });
    expect(other).toEqual([]);

    const live = sideOfTarget(async () => ({ ...target, close: async () => undefined }));
    const { parity } = await playedBeside(live, rememberingConsent(sideOf(frozen)), 1, 300);
    expect(parity.answers).toBeGreaterThan(200);
    expect(parity.inOutcome).toBe(parity.answers);
  });
});

test('without risks no request is sent that should be refused, and whatever stays unseen says why', async () => {
  await withLiveTarget({}, {}, async ({ target }) => {
    const { session, walk } = await walked(target);
    const statuses: number[] = [];
    const transport: Transport = async (request, signal) => {
      const response = await session.target.transport(request, signal);
      statuses.push(response.status);
      return response;
    };
    const spied = { ...session, target: { ...session.target, transport } };
    const { answers, unseen } = await observe(spied, walk, loadCatalogue(), { risks: new Set(['none']) });
    expect(statuses.length).toBeGreaterThan(30);
    // Paging is asked for with parameters that a service ignores, and assign with a body that it may refuse.
    expect(statuses.filter((status) => status >= 400)).toEqual([]);
    expect(answers.get('operation-answers.assign.status')).toBe(201);
    expect(unseen.get('refresh-fate.reuse')).toEqual({
      why: 'not-asked',
      reason: 'not asked for: risk revokes (add --risk revokes)',
    });
  });
});

test('on the command line: a file that names nobody and no secret, and what was not asked for', async () => {
  const out = test.info().outputPath('independent-service.profile.yaml');
  await withIndependentService({}, {}, async ({ running, file, env }) => {
    const { code, stderr } = await runHere(
      ['observe', '--target', file, '--probe', 'list-shape', '--out', out],
      env,
    );
    expect(stderr).toContain(`observe independent-service: 9 of ${aspectIds.length} aspects (list-shape)`);
    expect(code).toBe(0);
    const text = readFileSync(out, 'utf8');
    const { ready } = running;
    const values = [ready.owner.login, ...ready.users, ...ready.projects, ready.authUrl, ready.baseUrl];
    const people = ['example.test', 'Suite', 'Alpha', 'Ilse', 'Brandt', 'u-5mtz'];
    for (const value of [...values, ...Object.values(env), ...people, ready.application.clientId]) {
      expect(text).not.toContain(value);
    }
    const profile = await loadProfile(out);
    expect(answersOf(profile).get('list-shape.fields')).toEqual([
      'type',
      'attributes/first_name',
      'attributes/last_name',
      'attributes/email',
    ]);
    expect(answersOf(profile).has('pkce.support')).toBe(false);
    expect(profile.observed?.notObserved['pkce.support']).toContain('--probe');
  });
});

test('a secret in what would be written: exit 4, and nothing is written', async () => {
  const out = test.info().outputPath('profile.yaml');
  const named: Change = (_, { application }) => ({ name: application.clientSecret });
  await withIndependentService({}, named, async ({ file, env }) => {
    const { code, stderr, stdout } = await runHere(
      ['observe', '--target', file, '--probe', 'id-forms', '--out', out],
      env,
    );
    expect(code).toBe(4);
    expect(stderr).toContain('would have held client_secret#1');
    expect(existsSync(out)).toBe(false);
    expect(stdout).toBe('');
  });
});

test('a service that does not answer: exit 3, and nothing is written', async () => {
  const out = test.info().outputPath('profile.yaml');
  const { file, env } = await withIndependentService(
    {},
    {},
    async (independentService) => independentService,
  );
  const { code } = await runHere(['observe', '--target', file, '--out', out], env);
  expect(code).toBe(3);
  expect(existsSync(out)).toBe(false);
});

test('who cannot be heard is no answer: a service that says 429 leaves gaps that may be filled later', async () => {
  const target = await emulatorTarget({ profile: 'doorkeeper-5', defects: [], sockets: false });
  const { session, walk } = await walked(target, new SecretRegistry());
  let requests = 0;
  const transport: Transport = async (request, signal) => {
    requests += 1;
    const response = await session.target.transport(request, signal);
    return requests < 60 ? response : { ...response, status: 429 };
  };
  const throttled = { ...session, target: { ...session.target, transport } };
  const { answers, unseen } = await observe(throttled, walk, loadCatalogue(), { risks: ALL_RISKS });
  expect(answers.get('operation-answers.assign.status')).toBe(200);
  expect(unseen.get('pkce.support')).toEqual({
    why: 'no-answer',
    reason: expect.stringContaining('status 429'),
  });
});

test.describe('on a service whose clock cannot be moved', () => {
  const SLOW = ['resource-failures.expired-token', 'token-failures.exchange.expired-code'] as const;
  const request = { risks: AT_RISK };

  test('the answers that only time shows say what would help, and it is no risk', async () => {
    const { clock: _, ...target } = await emulatorTarget({
      profile: 'doorkeeper-5',
      defects: [],
      sockets: false,
    });
    const { session, walk } = await walked(target);
    const { unseen } = await observe(session, walk, loadCatalogue(), request);
    for (const aspect of SLOW) {
      expect(unseen.get(aspect)?.reason).toBe('not asked for: it takes two hours (`observe --wait-expiry`)');
    }
    expect(unseen.get('lifetimes.code')?.reason).toBe(
      'it takes a clock that can be moved (configure `clock`)',
    );
    expect([...unseen.values()].filter(({ reason }) => reason.includes('--risk'))).toEqual([]);
  });

  test('waiting once shows how an expired token and an old code are refused', async () => {
    const { clock, ...target } = await emulatorTarget({
      profile: 'doorkeeper-5',
      defects: [],
      sockets: false,
    });
    const { session, walk } = await walked(target);
    const waited: number[] = [];
    const wait = async (seconds: number) => {
      waited.push(seconds);
      await clock?.advance(seconds);
    };
    const risks = new Set([...AT_RISK, 'slow' as const]);
    const { answers, unseen } = await observe(session, walk, loadCatalogue(), { risks, wait });
    expect(waited).toEqual([7_200 + target.skewSeconds]);
    const said = (await loadProfile('doorkeeper-5')).answers;
    for (const aspect of SLOW) expect(answers.get(aspect)).toEqual(said[aspect]);
    expect(unseen.get('lifetimes.code')?.reason).toContain('a clock that can be moved');
  });
});

import { expect, test } from '@playwright/test';
import type { SituationId } from '../../generated/ids.ts';
import { type ClientRequirementId, clientRequirementIds } from '../../generated/ids.ts';
import type { ActResult } from '../../src/client-checks/evaluate/episode.ts';
import { LIFETIME } from '../../src/document/lifetime.ts';
import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import { loadClientCatalogue } from '../../src/document/load-client-requirements.ts';
import { Application } from '../support/faulty-client/application.ts';
import { evaluateVariation } from '../support/faulty-client/evaluate-variation.ts';
import { FAULTS, type FaultId, HARMLESS, type VariationId } from '../support/faulty-client/faults.ts';
import { firstInTest, PROVE } from '../support/prove.ts';

/** Clients with one mistake each are led through every situation: exactly what the mistake breaks is found. */

test('a sound client: every requirement is exercised, and none is broken', async () => {
  const { evaluated, missing, gaps } = await evaluateVariation('sound');
  const others = evaluated.filter(({ evaluation: { kind } }) => kind !== 'kept' && kind !== 'observed');
  expect({ others, missing, gaps }).toEqual({ others: [], missing: [], gaps: [] });
});

for (const [fault, details] of firstInTest(Object.keys(FAULTS) as FaultId[], 1)) {
  test(`mistake ${fault}: exactly ${FAULTS[fault].join(', ')}`, details, async () => {
    const { broken, evaluated } = await evaluateVariation(fault);
    const evidence = evaluated.filter(({ evaluation }) => evaluation.kind === 'broken');
    expect(broken, JSON.stringify(evidence, null, 1)).toEqual([...FAULTS[fault]].toSorted());
  });
}

const harmless = HARMLESS.filter((variation) => variation !== 'sound');
for (const [variation, details] of firstInTest(harmless, 1)) {
  test(`harmless ${variation}: nothing`, details, async () => {
    const { broken, evaluated, missing } = await evaluateVariation(variation);
    const evidence = evaluated.filter(({ evaluation }) => evaluation.kind === 'broken');
    expect({ broken, missing }, JSON.stringify(evidence, null, 1)).toEqual({ broken: [], missing: [] });
  });
}

const HIDING: Readonly<Partial<Record<VariationId, string>>> = {
  'refresh-at-another-address': 'token requests at another address',
  'basic-alone': 'HTTP Basic',
  'json-body': 'JSON bodies at the token endpoint',
  'multipart-body': 'multipart bodies at the token endpoint',
  'all-in-query': 'parameters in the address at the token endpoint',
  'exchange-with-another-address': 'another redirect_uri at the exchange, or none',
  'exchange-without-redirect-address': 'another redirect_uri at the exchange, or none',
  'refresh-without-secret': 'a refresh without client_secret, or without both',
  'destroy-not-asked-for':
    'calls without the scope that its default profile wants: ask for destroy, or drop calls.unassign',
  'scopes-by-comma': 'unknown and missing scopes',
  'no-scope': 'unknown and missing scopes',
  'no-response-type': 'a missing response_type',
  'redirect-address-of-its-own': 'another redirect address of the same host',
  'cookie-strict': 'cookies that a browser does not send on the way from the service',
  'empty-answer-repeated': 'no empty answer: it answered an unassign with JSON',
  'documented-fields-alone':
    'a client that refuses additional fields: its token responses had the documented ones alone',
  'empty-answer-read': 'no empty answer: it answered an unassign with JSON',
};

for (const [[fault, accepted], details] of firstInTest(Object.entries(HIDING), 1))
  test(`${fault} hides no other mistake: the emulator then accepts it, and says so`, details, async () => {
    const situations = ['flow', 'forbidden', 'list-empty'] as const;
    const found = await evaluateVariation(fault as VariationId, { situations });
    expect(found.accepted).toEqual([accepted]);
    // The first flow stopped, or its refresh failed; the others came about.
    expect(found.gaps.every((gap) => gap.startsWith('flow: '))).toBe(true);
    expect(found.of('forbidden.not-retried')).toMatchObject({ kind: 'kept' });
  });

const LOSING = ['eager-refresh', 'refresh-token-of-the-exchange'] as const;

const TOGETHER: readonly (readonly [readonly VariationId[], SituationId, ClientRequirementId])[] = [
  [LOSING, 'list-empty', 'renewal.when-needed'],
  [[...LOSING, 'ids-encoded-but-slashes'], 'awkward-ids', 'calls.ids-encoded'],
  [[...LOSING, '403-refreshed'], 'forbidden', 'forbidden.not-retried'],
  [['no-clock', '401-passed-on', 'pair-in-memory'], 'expiry-after-restart', 'pair.survives-restart'],
  [['lists-kept-for-a-minute', 'throttled-again-at-once'], 'call-429-seconds', 'waiting.retry-after'],
  [['refreshed-by-each-worker-at-start'], 'expiry-after-restart', 'renewal.one-at-a-time'],
];

for (const [[faults, situation, id], details] of firstInTest(TOGETHER, 1))
  test(`${faults.join(' and ')}: ${situation} shows ${id}`, details, async () => {
    const { of } = await evaluateVariation(faults, { situations: ['flow', situation] });
    expect(of(id)).toMatchObject({ kind: 'broken' });
  });

test('a first call that cannot refresh is no client that refuses additional fields', PROVE, async () => {
  class AlwaysDue extends Application {
    override async callback(...delivered: Parameters<Application['callback']>): Promise<ActResult> {
      const seen = await super.callback(...delivered);
      this.moveClock(LIFETIME);
      return seen;
    }
  }
  const { accepted } = await evaluateVariation('refresh-at-another-address', {
    situations: ['flow'],
    freshClient: async () => new AlwaysDue('refresh-at-another-address', 0),
  });
  expect(accepted).toEqual(['token requests at another address']);
});

for (const fault of ['assign-by-post', 'assign-by-post-to-the-list', 'another-path-to-assign'] as const)
  test(`${fault} hides no other mistake: the other situations list`, PROVE, async () => {
    const { gaps, of } = await evaluateVariation(fault, { situations: ['flow', 'forbidden'] });
    expect(gaps).toEqual([expect.stringMatching(/^flow: assign failed: it answered 40[45]/)]);
    expect(of('calls.documented-paths')).toMatchObject({ kind: 'broken' });
    expect(of('forbidden.not-retried')).toMatchObject({ kind: 'kept' });
  });

test('nor does it where lists fail after the expiry too', PROVE, async () => {
  class WithoutRenewal extends Application {
    #isDue = false;
    override moveClock(seconds: number): void {
      this.#isDue = true;
      super.moveClock(seconds);
    }
    override async call(...asked: Parameters<Application['call']>): Promise<ActResult> {
      const seen = await super.call(...asked);
      return this.#isDue ? { outcome: 'error', detail: 'answered 502' } : seen;
    }
  }
  const { gaps, of } = await evaluateVariation('assign-by-post', {
    situations: ['flow', 'forbidden'],
    freshClient: async () => new WithoutRenewal('assign-by-post', 0),
  });
  expect(gaps).toEqual([expect.stringMatching(/^flow: assign failed/)]);
  expect(of('forbidden.not-retried')).toMatchObject({ kind: 'kept' });
});

test(
  'a resource that the document does not show is a habit; --answers lets the emulator answer it',
  PROVE,
  async () => {
    const situations = ['flow'] as const;
    const habit = { kind: 'observed', answer: expect.stringContaining('GET /v2/users/current (') };
    const needed = await evaluateVariation('other-resource-needed', { situations });
    expect([needed.gaps, needed.broken]).toEqual([[expect.stringContaining('who is it?')], []]);
    const answers = [{ path: '/v2/users/current', body: { id: 7 } }];
    const answered = await evaluateVariation('other-resource-needed', { situations, answers });
    expect([answered.gaps, answered.broken]).toEqual([[], []]);
    expect(answered.of('habits.other-resources')).toEqual(habit);
  },
);

test(
  'an application that is told no project is not accused of another; what it never asked for is not exercised',
  PROVE,
  async () => {
    const kindsOf = async (variation: 'project-configured' | 'ids-written-down') => {
      const { broken, of } = await evaluateVariation(variation);
      expect(broken).toEqual([]);
      return of;
    };
    const configured = await kindsOf('project-configured');
    expect(configured('calls.ids-as-given')).toEqual({
      kind: 'not-exercised',
      why: expect.stringContaining('no call names {project} or {user}'),
    });
    expect(configured('calls.ids-encoded')).toMatchObject({ kind: 'not-exercised' });
    expect(configured('answers.lists-of-any-length')).toEqual({ kind: 'kept', examples: 2 });
    const writtenDown = await kindsOf('ids-written-down');
    expect(writtenDown('answers.lists-of-any-length')).toEqual({
      kind: 'not-exercised',
      why: expect.stringContaining('put {project} into calls.list'),
    });
  },
);

for (const fault of ['eager-refresh', 'expires-in-as-milliseconds', 'expiry-never-renewed'] as const)
  test(`${fault} is seen in real time too, where tokens live as long as documented`, PROVE, async () => {
    const situations = ['flow', 'list-empty'] as const;
    const found = await evaluateVariation(fault, { situations, expiresIn: 3, realTime: true });
    expect(found.broken).toEqual(['renewal.when-needed']);
  });

test('in real time a client that compares whole seconds has its second', PROVE, async () => {
  const situations = [
    'flow',
    'expiry',
    'expiry-time-zone',
    'second-expiry',
    'call-failed-after-refresh',
  ] as const;
  const { broken } = await evaluateVariation('a-second-late', { situations, expiresIn: 2, realTime: true });
  expect(broken).toEqual([]);
});

test('an empty answer counts, although the application lists after it', async () => {
  const { of } = await evaluateVariation('lists-around-changes', { situations: ['flow'] });
  expect(of('answers.empty-body')).toMatchObject({ kind: 'kept' });
});

test('every requirement on clients has a mistake that breaks it, and an id that no requirement on services has', () => {
  const observed = new Set(
    loadClientCatalogue()
      .requirements.filter(({ level }) => level === 'observed')
      .map(({ id }) => id),
  );
  const broken = new Set<string>(Object.values(FAULTS).flat());
  expect(clientRequirementIds.filter((id) => !observed.has(id) && !broken.has(id))).toEqual([]);
  const services = new Set<string>(loadCatalogue().requirements.map(({ id }) => id));
  expect(clientRequirementIds.filter((id) => services.has(id))).toEqual([]);
});

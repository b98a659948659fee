import { expect, test } from '@playwright/test';
import { type ClientRequirementId, clientRequirementIds } from '../../generated/ids.ts';
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts';
import { loadClientCatalogue } from '../../src/catalogue/load-client-requirements.ts';
import { evaluateVariation } from '../support/faulty-client/evaluate-variation.ts';
import { FAULTS, type FaultId, HARMLESS } from '../support/faulty-client/faults.ts';
import { firstInTest, PROVE } from '../support/prove.ts';

/**
 * Clients with one mistake each are led through every situation: exactly what the mistake breaks is found.
 */

test('a sound client: every requirement is exercised, and none is broken', async () => {
  const { evaluated, missing, gaps } = await evaluateVariation('sound');
  const others = evaluated.filter(({ evaluation: { kind } }) => kind !== 'kept' && kind !== 'observed');
  expect({ others, missing, gaps }).toEqual({ others: [], missing: [], gaps: [] });
});

for (const [fault, details] of firstInTest(Object.keys(FAULTS) as FaultId[], 3)) {
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

test(
  'an application that is told no project is not accused of another; what it never asked for is not exercised',
  PROVE,
  async () => {
    const kindsOf = async (variation: 'project-configured' | 'ids-written-down') => {
      const { broken, evaluated } = await evaluateVariation(variation);
      expect(broken).toEqual([]);
      return (id: ClientRequirementId) => evaluated.find((one) => one.id === id)?.evaluation;
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

test(
  'where a lifetime is shorter than the leeway of the client, no call is answered 401, and nothing shows what the client does then',
  PROVE,
  async () => {
    const situations = ['flow', 'unauthorized-once', 'unauthorized-at-once'] as const;
    const { evaluated, gaps } = await evaluateVariation('401-passed-on', {
      situations,
      expiresIn: 2,
      realTime: true,
    });
    expect(gaps).toEqual([]);
    expect(evaluated.find(({ id }) => id === 'unauthorized.recovers')?.evaluation).toEqual({
      kind: 'not-exercised',
      why: expect.stringContaining('--expires-in'),
    });
  },
);

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

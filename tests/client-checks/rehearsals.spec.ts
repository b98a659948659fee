import { expect, test } from '@playwright/test';
import type { ClientRequirementId, SituationId } from '../../generated/ids.ts';
import type { Episode } from '../../src/client-checks/evaluate/episode.ts';
import type { JournalEntry } from '../../src/emulator/control/control-types.ts';
import { evaluateEpisodes } from '../support/evaluate-episodes.ts';
import { evaluateVariation } from '../support/faulty-client/evaluate-variation.ts';
import type { VariationId } from '../support/faulty-client/faults.ts';

/** The end of the service, and races under each kind of grace: what a client does there is recorded, and fails nothing. */

async function habit(variation: VariationId, id: ClientRequirementId, ...situations: readonly SituationId[]) {
  const { broken, gaps, of } = await evaluateVariation(variation, { situations });
  expect(gaps).toEqual([]);
  const evaluation = of(id);
  return { broken, answer: evaluation?.kind === 'observed' ? evaluation.answer : evaluation?.kind };
}

test('a brownout: the pair that a sound client keeps still works afterwards', async () => {
  const { broken, answer } = await habit('sound', 'habits.brownout', 'brownout');
  expect(broken).toEqual([]);
  expect(answer).toBe(
    '410: 2 of 2 refused requests are refreshes, tells its user, keeps its pair. 503: 2 of 2 refused requests are refreshes, tells its user, keeps its pair',
  );
});

test('a brownout: a client that drops its pair is recorded, and nothing fails', async () => {
  const { broken, answer } = await habit('pair-dropped-after-5xx', 'habits.brownout', 'brownout');
  expect(broken).toEqual([]);
  expect(answer).toMatch(/^410: .* keeps its pair\. 503: .* loses its pair$/);
});

test('a brownout: a client that refreshes in a loop, and shows a success', () => {
  const refresh = (arrival: number): JournalEntry =>
    ({
      arrival,
      endpoint: 'token',
      grantType: 'refresh_token',
      fault: 'status',
      status: 410,
      parameters: [],
      target: '/oauth/token',
      body: '',
      headers: [],
      presented: {},
      issued: {},
    }) as unknown as JournalEntry;
  const act = { act: 'call', as: 'resting', session: 'first', detail: '', outcome: 'ok' } as const;
  const episode: Episode = {
    situation: 'brownout',
    steps: [{ ...act, after: 0, until: 6 }],
    entries: [1, 2, 3, 4, 5, 6].map(refresh),
    owners: { first: '', second: '' },
  };
  expect(evaluateEpisodes([episode]).of('habits.brownout')).toEqual({
    kind: 'observed',
    answer:
      '410: 6 of 6 refused requests are refreshes, refreshes in a loop: 6 in one call, shows its user a success, does not go on',
  });
});

test('an announced end, and the end', async () => {
  const announced = await habit('sound', 'habits.sunset-header', 'sunset-header');
  expect(announced.answer).toBe(
    '4 of 4 calls are answered as before, its console output does not mention the end',
  );
  const gone = await habit('sound', 'habits.gone', 'gone');
  expect(gone.answer).toBe('2 of 3 refused requests are refreshes, tells its user');
});

const RACES = ['race-same-pair', 'race-another-pair', 'race-refused'] as const;

test('races hurt a client where a repeated refresh is refused, and not in a grace window', async () => {
  const { broken, answer } = await habit('refresh-for-each-call', 'habits.races', ...RACES);
  expect(broken).toEqual(['renewal.one-at-a-time']);
  expect(answer).toMatch(
    /^same pair: 10 of 10 .*, 2 of 2 after them\. another pair: 10 of 10 .*, 2 of 2 after them\. refused: \d of 10 .*, \d of 2 after them$/,
  );
});

test('races harm no client that refreshes once', async () => {
  const { broken, answer } = await habit('sound', 'habits.races', ...RACES);
  expect(broken).toEqual([]);
  expect(answer?.match(/10 of 10 calls at once end well, 2 of 2 after them/g)).toHaveLength(3);
});

/** Two emulators that are played the same stories: what differs is found, told briefly, and nothing else. */
import { expect, test } from '@playwright/test';
import { withHeader } from '../../../src/emulator/answer.ts';
import { type Defect, defect } from '../../../src/emulator/defects/define-defect.ts';
import { profileIds } from '../../../src/emulator/policy/load-profile.ts';
import { describeStep } from '../../../src/evaluation/explore/steps.ts';
import { confirmDifferences, noiseIn } from '../../../src/record/beside/confirm.ts';
import { PairedPlay, recordPlayer } from '../../../src/record/beside/paired-play.ts';
import { anyDefectsById, SECOND_ORDER } from '../../proof/second-order/index.ts';
import { playedBeside, sideOf } from '../../support/beside.ts';
import { firstInTest, PROVE } from '../../support/prove.ts';

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);

/** Defects of second order that are found in each of three seeds, at least. The monitor's rules are not asked. */
const FOUND_AT_LEAST = 118;

for (const [index, profile] of profileIds().entries())
  for (const [seed, details] of firstInTest(SEEDS, index === 0 ? 1 : 0))
    test(`${profile} beside itself, seed ${seed}: no difference`, details, async () => {
      const { foundDifferences, parity } = await playedBeside(sideOf(profile), sideOf(profile), seed, 1_000);
      expect(foundDifferences.map(({ key }) => key)).toEqual([]);
      expect(parity.answers).toBeGreaterThan(800);
      expect(parity.inAll).toBe(parity.answers);
    });

/** Every second emulator has a header more, as a service of several machines behind one address may. */
function servedInTurn(): Defect {
  let machines = 0;
  return defect('served-in-turn', ({ answer }) => {
    machines += 1;
    const name = machines % 2 === 0 ? 'two' : undefined;
    return {
      answer: {
        finish: (endpoint, one) => withHeader(answer.finish(endpoint, one), 'ETag', name),
      },
    };
  });
}

test('what a side answers otherwise to itself is noise; a sound side has none', PROVE, async () => {
  for (const [defects, facets] of [
    [[], []],
    [[servedInTurn()], ['header etag']],
  ] as const) {
    const side = sideOf('doorkeeper-5', defects);
    const { stories } = await playedBeside(sideOf('doorkeeper-5'), side, 1, 400);
    const reported = stories.map(({ steps, right }) => ({ steps, answers: right }));
    const noise = await noiseIn(reported, side);
    expect([...new Set(noise.map(({ facet }) => facet))]).toEqual(facets);
  }
});

test('a list beside a change may hold the user or not; a list beside no change may not', async () => {
  const list = { do: 'list', project: '1', with: 'no token' } as const;
  const change = (operation: 'assign' | 'unassign', project = '1') =>
    ({ do: operation, project, user: '2', with: 'no token' }) as const;
  const answer = (part: number, listed?: readonly string[]) =>
    ({ part, outcome: 'done', facets: {}, ...(listed && { listed }) }) as const;
  const differ = async (changes: readonly ReturnType<typeof change>[], later: readonly string[]) => {
    const atOnce = { do: 'at once', steps: [...changes, list] } as const;
    const done = changes.map((_, part) => answer(part));
    const recorded = (ids: readonly string[], then: readonly string[]) =>
      recordPlayer({
        steps: [atOnce, list],
        answers: [[...done, answer(changes.length, ids)], [answer(0, then)]],
      });
    const pairing = new PairedPlay(recorded([], ['2']), recorded(['2'], later));
    await pairing.begin();
    const played = [await pairing.play(atOnce, 0), await pairing.play(list, 1)];
    return played.map(({ differences }) => differences.map(({ facet }) => facet));
  };
  expect(await differ([change('assign')], ['2'])).toEqual([[], []]);
  expect(await differ([change('assign')], [])).toEqual([[], ['users listed']]);
  expect(await differ([change('assign'), change('unassign')], [])).toEqual([[], []]);
  expect(await differ([change('assign', '2')], ['2'])).toEqual([['users listed'], []]);
});

test('a difference is told by the shortest story that shows it, three times of three', PROVE, async () => {
  const [left, right] = [
    sideOf('doorkeeper-5'),
    sideOf('doorkeeper-5', anyDefectsById(['assign-by-refreshed-token-not-stored'])),
  ];
  const { foundDifferences } = await playedBeside(left, right, 1, 800);
  const confirmed = await confirmDifferences(foundDifferences, { left, right, may: () => true });
  const first = confirmed.find(({ group }) => group === 'users listed');
  expect(first?.again).toEqual({ shown: 3, of: 3 });
  expect(first?.steps.map(describeStep)).toEqual([
    'authorize for read write destroy → code 1',
    'exchange code 1 → pair 1',
    'refresh pair 1 → pair 2',
    expect.stringMatching(/^assign user \d+ to project \d+ with pair 2/),
    expect.stringMatching(/^list project \d+ with pair [12]/),
  ]);
  expect(first?.difference).toMatchObject({ facet: 'users listed', right: 'nobody' });
});

test(
  'answers to concurrent requests are compared whatever their order, and a fault that only they show is found',
  PROVE,
  async () => {
    const [left, right] = [
      sideOf('by-the-rfc'),
      sideOf('by-the-rfc', anyDefectsById(['exchange-at-once-answers-share-refresh-token'])),
    ];
    const { foundDifferences } = await playedBeside(left, right, 1, 1_000);
    expect(
      foundDifferences.some(({ difference }) => difference.facet === 'refresh token' && difference.atOnce),
    ).toBe(true);
    const confirmed = await confirmDifferences(foundDifferences, { left, right, may: () => true });
    expect(confirmed.map(({ group }) => group)).toContain('refresh token');
  },
);

for (const seed of [1, 2, 3])
  test(
    `at least ${FOUND_AT_LEAST} of ${SECOND_ORDER.length} defects of second order show within 1000 requests, seed ${seed}`,
    PROVE,
    async () => {
      test.setTimeout(900_000);
      const found: string[] = [];
      for (const defect of SECOND_ORDER) {
        const { foundDifferences } = await playedBeside(
          sideOf('doorkeeper-5'),
          sideOf('doorkeeper-5', [defect]),
          seed,
          1_000,
        );
        if (foundDifferences.length > 0) found.push(defect.id);
      }
      test
        .info()
        .annotations.push({ type: 'found', description: `${found.length} of ${SECOND_ORDER.length}` });
      expect(found.length).toBeGreaterThanOrEqual(FOUND_AT_LEAST);
    },
  );

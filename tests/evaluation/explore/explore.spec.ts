import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';
import type { Profile } from '../../../src/emulator/policy/profile.ts';
import { explore } from '../../../src/evaluation/explore/explore.ts';
import { Decks, Random } from '../../../src/evaluation/explore/random.ts';
import { openToExplore } from '../../../src/evaluation/explore/replay.ts';
import { readReplay, replayFile, replayText } from '../../../src/evaluation/explore/replay-file.ts';
import { shrink, sliceFor } from '../../../src/evaluation/explore/shrink.ts';
import { StepChooser } from '../../../src/evaluation/explore/step-chooser.ts';
import { StepPerformer } from '../../../src/evaluation/explore/step-performer.ts';
import { StepSupply } from '../../../src/evaluation/explore/step-supply.ts';
import { describeStep, givesOf, needsOf, type Step } from '../../../src/evaluation/explore/steps.ts';
import { jsonOf, type Transport } from '../../../src/http/exchange.ts';
import { emulatorToExplore } from '../../../src/service/emulator.ts';
import type { Target } from '../../../src/service/target.ts';

/** Random sequences that make sense, evaluated by the monitor alone. */

/** Explores an emulator whose answers a function may change, with fresh ones to do a sequence again. */
async function explored(
  requests: number,
  change?: () => (inner: Transport) => Transport,
  seed = 7,
  profile: Profile | string = 'by-the-rfc',
) {
  const open = async () => {
    const target = await emulatorToExplore(profile, []);
    const faulty: Target =
      change === undefined ? target : { ...target, transport: change()(target.transport) };
    return openToExplore(faulty);
  };
  const { watched, session, close } = await open();
  try {
    return { open, ...(await explore(watched, session, { seed, requests, refusals: true, fresh: open })) };
  } finally {
    await close();
  }
}

/** Drops every assignment of one user that is asked for with a token of a refresh. */
const refreshedTokensAssignNobody = () => {
  const refreshed = new Set<string>();
  return (inner: Transport): Transport =>
    async (request) => {
      const token = request.headers.find(([name]) => name === 'Authorization')?.[1]?.slice('Bearer '.length);
      if (request.method === 'PUT' && token !== undefined && refreshed.has(token))
        return { status: 200, headers: [], body: '', bytes: 0 };
      const response = await inner(request);
      const tokens = jsonOf(response) as { access_token?: string } | undefined;
      if (request.body?.includes('grant_type=refresh_token') && tokens?.access_token !== undefined)
        refreshed.add(tokens.access_token);
      return response;
    };
};

test('nothing is found on healthy services', async () => {
  expect((await explored(1_500)).findings).toEqual([]);
});

test('nothing is found on a service where a replay revokes all that an owner granted an application', async () => {
  const { answers, ...profile } = await loadProfile('doorkeeper-5');
  const revoking = {
    'failed-exchange.replay-revokes': true,
    'refresh-fate.reuse': 'revokes-the-grant',
    'refresh-fate.old-refresh-token': 'at-once',
    'failed-exchange.revoked': 'application',
  } as const;
  for (const seed of [1, 3, 4]) {
    const own = { ...profile, answers: { ...answers, ...revoking } };
    expect((await explored(1_000, undefined, seed, own)).findings).toEqual([]);
  }
});

test('the same seed chooses the same steps', async () => {
  const walks = [await explored(1_800), await explored(1_800), await explored(1_800, undefined, 9)];
  const [first, second, other] = walks.map(({ steps, requests }) => [steps, requests]);
  expect(second).toEqual(first);
  expect(other).not.toEqual(first);
});

test('a signal has its turn between any two steps', async () => {
  let turns = 0;
  let over = false;
  const count = () => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  const { steps } = await explored(200);
  over = true;
  expect(turns).toBeGreaterThan(steps - 10);
});

test('what is found is told in the fewest steps, with the requirement that is broken, and is found again', async () => {
  const { findings, open } = await explored(600, refreshedTokensAssignNobody);
  const [finding] = findings;
  if (finding === undefined) throw new Error('nothing was found');
  expect(finding.id).toBe('assign.adds-user');
  expect(finding.again).toEqual({ shown: 3, of: 3 });
  expect(finding.steps.map((step) => step.do)).toEqual([
    'authorize',
    'exchange',
    'refresh',
    'assign',
    'list',
  ]);
  expect(finding.steps.map(describeStep).slice(1, 3)).toEqual([
    'exchange code 1 → pair 1',
    'refresh pair 1 → pair 2',
  ]);

  const { id: requirement, expected, got, steps } = finding;
  const text = replayText({ replay: 1, found: { requirement, expected, got }, seed: 7, steps });
  const again = await replayFile(readReplay(text, 'found.json'), open);
  expect(again.map(({ id }) => id)).toEqual(['assign.adds-user']);
});

test('what does not show again is found all the same, with its rate', async () => {
  let responses = 0;
  const once =
    () =>
    (inner: Transport): Transport =>
    async (request) => {
      const response = await inner(request);
      const body = jsonOf(response) as { expires_in?: number } | undefined;
      if (body?.expires_in === undefined) return response;
      responses += 1;
      return responses === 50 ? { ...response, body: JSON.stringify({ ...body, expires_in: 1 }) } : response;
    };
  const { findings } = await explored(600, once);
  expect(findings.map(({ id, again }) => [id.split('.')[1], again?.shown])).toEqual([['expires-in-7200', 0]]);
  expect(findings[0]?.rate.broken).toBe(1);
});

test('a list that is kept for each reader is an old list, not a lost assignment', async () => {
  const keptForEachReader = () => {
    const kept = new Map<string, Awaited<ReturnType<Transport>>>();
    return (inner: Transport): Transport =>
      async (request) => {
        if (request.method !== 'GET' || !request.url.endsWith('/assigned_users')) return inner(request);
        const key = JSON.stringify([request.url, request.headers]);
        const response = kept.get(key) ?? (await inner(request));
        kept.set(key, response);
        return response;
      };
  };
  const { findings } = await explored(300, keptForEachReader);
  expect(findings.map(({ id }) => id)).toContain('list.fresh');
});

test('whatever is drawn from a deck comes once before it comes twice', () => {
  const [decks, all] = [new Decks(new Random(3)), [1, 2, 3, 4, 5] as const];
  const rounds = [1, 2, 3].map(() => all.map(() => decks.next(all)).sort());
  expect(rounds).toEqual([all, all, all]);
});

test('without leave, no step is one that may revoke or lock', async () => {
  const target = await emulatorToExplore('by-the-rfc', []);
  const { watched, session, close } = await openToExplore(target);
  let performer = new StepPerformer(watched, session);
  const supply = new StepSupply(new Random(1), watched, () => performer, false);
  const chooser = new StepChooser(supply, 1_000, () => 0);
  const steps: Step[] = [];
  for (let episode = 1; episode < 12; episode += 1) {
    performer = new StepPerformer(watched, session);
    for (let turn = 0; turn < 10; turn += 1) {
      const next = chooser.next();
      steps.push(...next);
      for (const step of next) await performer.perform(step, 'a step');
    }
  }
  await close();
  const single = steps.flatMap((step) => (step.do === 'at once' ? step.steps : [step]));
  const risky = single.filter(
    (step) => step.do.endsWith('wrongly') || ('with' in step && !/^pair/.test(step.with)),
  );
  expect(risky).toEqual([]);
  for (const kind of ['code', 'pair'] as const) {
    const used = single.flatMap((step) =>
      step.do === (kind === 'code' ? 'exchange' : 'refresh')
        ? [(step as { code?: string; pair?: string })[kind]]
        : [],
    );
    expect(new Set(used).size).toBe(used.length);
  }
});

test('shrinking leaves just what is needed, whatever it is', async () => {
  const waits = fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(waits, fc.nat(), async (seconds, pick) => {
      const needed = seconds.filter((_, index) => index === 0 || (pick >> index) % 3 === 0);
      const steps = seconds.map((one): Step => ({ do: 'wait', seconds: one }));
      const shows = async (candidate: readonly Step[]) =>
        needed.every((one) => candidate.some((step) => step.do === 'wait' && step.seconds === one));
      const shortest = await shrink(steps, shows, 1_000);
      expect(shortest.map((step) => (step.do === 'wait' ? step.seconds : -1))).toEqual(needed);
    }),
  );
});

test('of several at once no more are left than it takes, and what needs what is gone goes too', async () => {
  const wait = (seconds: number) => ({ do: 'wait', seconds }) as const;
  const idle = { do: 'refresh', pair: 'pair 9', as: 'pair 10' } as const;
  const steps: readonly Step[] = [
    { do: 'at once', steps: [wait(1), wait(2), idle, wait(3), wait(4)] },
    { do: 'list', project: '1', with: 'pair 10' },
  ];
  const shows = async (candidate: readonly Step[]) =>
    candidate.some(
      (step) => step.do === 'at once' && [2, 4].every((s) => JSON.stringify(step).includes(`:${s}`)),
    );
  expect(await shrink(steps, shows, 200)).toEqual([{ do: 'at once', steps: [wait(2), wait(4)] }]);
});

test('of several refreshes one is left if one suffices, and later steps use its pair', async () => {
  const refresh = (pair: number) =>
    ({ do: 'refresh', pair: `pair ${pair}`, as: `pair ${pair + 1}` }) as const;
  const steps: readonly Step[] = [
    { do: 'authorize', as: 'code 1', application: 0, address: 0, scope: 'read write destroy' },
    { do: 'exchange', code: 'code 1', as: 'pair 1' },
    ...[refresh(1), refresh(2), refresh(3)],
    { do: 'list', project: '1', with: 'pair 4' },
  ];
  const shows = async (candidate: readonly Step[]) => {
    const given = candidate.flatMap(givesOf);
    const areGiven = candidate.flatMap(needsOf).every((name) => given.includes(name));
    const refreshed = candidate.flatMap((step) => (step.do === 'refresh' ? step.as : []));
    return areGiven && refreshed.some((pair) => candidate.some((one) => 'with' in one && one.with === pair));
  };
  const shortest = await shrink(steps, shows, 200);
  expect(shortest.slice(2)).toEqual([refresh(1), { do: 'list', project: '1', with: 'pair 2' }]);
});

test('the story of a token keeps the time that passes after its exchange, and no time before', () => {
  const exchanged: readonly Step[] = [
    { do: 'authorize', as: 'code 1', application: 0, address: 0, scope: 'read' },
    { do: 'exchange', code: 'code 1', as: 'pair 1' },
  ];
  const listed: Step = { do: 'list', project: '1', with: 'pair 1' };
  const other: Step = { do: 'authorize', as: 'code 2', application: 0, address: 0, scope: 'read' };
  const wait: Step = { do: 'wait', seconds: 4_000 };
  expect(sliceFor([wait, ...exchanged, wait, other, listed])).toEqual([...exchanged, wait, listed]);
});

test('a file that is no sequence is refused with what was expected', () => {
  const refusals = [
    '{',
    '{}',
    '{"replay":1,"steps":[]}',
    '{"replay":1,"steps":[{"do":"fly"}]}',
    '{"replay":1,"steps":[{"do":"wait"}]}',
  ];
  for (const text of refusals) expect(() => readReplay(text, 'x.json')).toThrow(/^x\.json: .*expected /);
});

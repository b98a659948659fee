/** How the suite goes easy on a service that others use too. Time is the test's own: nothing here waits. */
import { expect, test } from '@playwright/test';
import { BudgetSpent, budgetedTransport } from '../../src/exchange/budget.ts';
import {
  type Header,
  type Transport,
  TransportFailure,
  type WireRequest,
  type WireResponse,
} from '../../src/exchange/exchange.ts';
import { LONGEST_HOLD_MS, type PaceClock, pacedTransport } from '../../src/exchange/paced-transport.ts';

const GET: WireRequest = {
  method: 'GET',
  url: 'https://api.example/v2/projects/1/assigned_users',
  headers: [],
};
const PUT: WireRequest = {
  method: 'PUT',
  url: 'https://api.example/v2/projects/1/assigned_users/2',
  headers: [],
};
const DELETE: WireRequest = { ...PUT, method: 'DELETE' };
const TOKEN: WireRequest = { method: 'POST', url: 'https://auth.example/oauth/token', headers: [] };
const PAGE: WireRequest = { method: 'GET', url: 'https://auth.example/oauth/authorize?x=1', headers: [] };

/** A clock that jumps ahead when somebody sleeps. */
class LeapingClock implements PaceClock {
  #now = 0;
  now(): number {
    return this.#now;
  }
  async sleep(ms: number): Promise<void> {
    this.#now += ms;
  }
}

function answer(status: number, headers: readonly Header[] = [], body = ''): WireResponse {
  return { status, headers, body, bytes: body.length };
}

/** A service that gives the scripted answers in turn, then 200, and notes when it was asked. */
function scripted(clock: PaceClock, script: readonly (WireResponse | TransportFailure)[] = []) {
  const left = [...script];
  const asked: number[] = [];
  const transport: Transport = async () => {
    asked.push(clock.now());
    const next = left.shift() ?? answer(200);
    if (next instanceof TransportFailure) throw next;
    return next;
  };
  return { transport, asked };
}

test.describe('pacing', () => {
  test('lets a second’s worth of requests go at once, then spaces them evenly', async () => {
    const clock = new LeapingClock();
    const { transport, asked } = scripted(clock);
    const paced = pacedTransport(transport, 4, clock);
    for (let i = 0; i < 8; i += 1) await paced(GET);
    expect(asked).toEqual([0, 0, 0, 0, 250, 500, 750, 1_000]);
  });

  test('spaces requests by more than a second where less than one a second may go', async () => {
    const clock = new LeapingClock();
    const { transport, asked } = scripted(clock);
    const paced = pacedTransport(transport, 0.5, clock);
    for (let i = 0; i < 3; i += 1) await paced(GET);
    expect(asked).toEqual([0, 2_000, 4_000]);
  });

  for (const request of [GET, PUT, DELETE]) {
    test(`repeats ${request.method} once after 429, when Retry-After has passed`, async () => {
      const clock = new LeapingClock();
      const slow = answer(429, [['Retry-After', '7']]);
      const { transport, asked } = scripted(clock, [slow, slow]);
      expect((await pacedTransport(transport, 100, clock)(request)).status).toBe(429);
      expect(asked).toEqual([0, 7_000]);
    });
  }

  test('never repeats a token request, but holds the next request back', async () => {
    const clock = new LeapingClock();
    const { transport, asked } = scripted(clock, [answer(429, [['Retry-After', '7']])]);
    const paced = pacedTransport(transport, 100, clock);
    expect((await paced(TOKEN)).status).toBe(429);
    expect(asked).toEqual([0]);
    await paced(TOKEN);
    expect(asked).toEqual([0, 7_000]);
  });

  test('does not wait for longer than it may', async () => {
    const clock = new LeapingClock();
    const { transport, asked } = scripted(clock, [answer(429, [['Retry-After', '86400']])]);
    expect((await pacedTransport(transport, 100, clock)(GET)).status).toBe(200);
    expect(asked).toEqual([0, LONGEST_HOLD_MS]);
  });

  test('reads a Retry-After that is a date', async () => {
    const clock = new LeapingClock();
    const { transport, asked } = scripted(clock, [
      answer(429, [['Retry-After', 'Thu, 01 Jan 1970 00:00:00 GMT']]),
    ]);
    expect((await pacedTransport(transport, 100, clock)(GET)).status).toBe(200);
    expect(asked).toEqual([0, 0]);
  });

  test('passes on a 429 that does not say when to come back', async () => {
    const clock = new LeapingClock();
    const { transport, asked } = scripted(clock, [answer(429)]);
    expect((await pacedTransport(transport, 100, clock)(GET)).status).toBe(429);
    expect(asked).toHaveLength(1);
  });

  const lost = new TransportFailure('connection', 'reset');
  test('repeats a read once when its connection failed', async () => {
    const clock = new LeapingClock();
    const paced = (script: readonly TransportFailure[]) =>
      pacedTransport(scripted(clock, script).transport, 100, clock);
    expect((await paced([lost])(GET)).status).toBe(200);
    await expect(paced([lost, lost])(GET)).rejects.toBe(lost);
    await expect(paced([lost])(PUT)).rejects.toBe(lost);
    await expect(paced([lost])(TOKEN)).rejects.toBe(lost);
    await expect(paced([new TransportFailure('timeout', 'slow')])(GET)).rejects.toThrow('slow');
  });
});

test.describe('the budget', () => {
  const clock = new LeapingClock();

  test('ends requests, but not unassigning and looking who is left', async () => {
    const { transport, asked } = scripted(clock);
    const budgeted = budgetedTransport(transport, { requests: 2, refusedAuthentications: 9 });
    await budgeted(GET);
    await budgeted(PUT);
    for (const request of [PUT, TOKEN, PAGE]) {
      const error = await budgeted(request).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(BudgetSpent);
      expect(error).toMatchObject({
        kind: 'not-sent',
        budget: 'requests',
        message: 'not sent: this run has used its 2 requests (`budget.requests`)',
      });
    }
    await budgeted(DELETE);
    await budgeted(GET);
    expect(asked).toHaveLength(4);
  });

  test('ends unassigning too, at last', async () => {
    const { transport, asked } = scripted(clock);
    const budgeted = budgetedTransport(transport, { requests: 1, refusedAuthentications: 9 });
    const sent = Array.from({ length: 500 }, () => budgeted(DELETE).catch((thrown: unknown) => thrown));
    expect((await Promise.all(sent)).at(-1)).toBeInstanceOf(BudgetSpent);
    expect(asked.length).toBeLessThan(500);
  });

  for (const [title, refusal] of [
    ['401', answer(401)],
    ['invalid_client', answer(400, [], '{"error":"invalid_client"}')],
  ] as const) {
    test(`ends token requests after refused client authentications (${title})`, async () => {
      const { transport } = scripted(clock, [answer(400, [], '{"error":"invalid_grant"}'), refusal, refusal]);
      const budgeted = budgetedTransport(transport, { requests: 100, refusedAuthentications: 2 });
      for (let i = 0; i < 3; i += 1) await budgeted(TOKEN);
      await expect(budgeted(TOKEN)).rejects.toThrow('`budget.refusedAuthentications`');
      expect((await budgeted(GET)).status).toBe(200);
    });
  }
});

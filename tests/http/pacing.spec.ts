/** The suite spares a service that others use too. Time is the test's own: nothing here waits. */
import { expect, test } from '@playwright/test';
import {
  type Header,
  type Transport,
  TransportFailure,
  type WireRequest,
  type WireResponse,
} from '../../src/http/exchange.ts';
import { BudgetSpent, Ledger } from '../../src/http/ledger.ts';
import {
  LONGEST_HOLD_MS,
  limitIn,
  Pace,
  type PaceClock,
  pacedTransport,
} from '../../src/http/paced-transport.ts';
import { toleratedFaultTexts } from '../../src/http/tolerated-faults.ts';
import { atOnce, MinuteLimits, Traffic } from '../../src/http/traffic.ts';

const asking = (method: string, url: string): WireRequest => ({ method, url, headers: [] });
const GET = asking('GET', 'https://api.example/v2/projects/1/assigned_users');
const PUT = asking('PUT', `${GET.url}/2`);
const DELETE = asking('DELETE', PUT.url);
const TOKEN = asking('POST', 'https://auth.example/oauth/token');
const PAGE = asking('GET', 'https://auth.example/oauth/authorize?x=1');

const GONE = { kind: 'not-sent', message: expect.stringContaining('got no usable answer') };

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

function atPace(perSecond: number, script: readonly (WireResponse | TransportFailure)[] = []) {
  const clock = new LeapingClock();
  const { transport, asked } = scripted(clock, script);
  const pace = new Pace(perSecond, clock);
  return { paced: pacedTransport(transport, pace), pace, asked };
}

test.describe('pacing', () => {
  test('lets a second’s worth of requests go at once, then spaces them evenly', async () => {
    const { paced, asked } = atPace(4);
    for (let i = 0; i < 8; i += 1) await paced(GET);
    expect(asked).toEqual([0, 0, 0, 0, 250, 500, 750, 1_000]);
  });

  test('has room for several at once where they are waited for, and spaces them evenly otherwise', async () => {
    const { pace, paced, asked } = atPace(4);
    for (let i = 0; i < 6; i += 1) await paced(GET);
    await pace.room(3);
    for (let i = 0; i < 4; i += 1) await paced(GET);
    expect(asked).toEqual([0, 0, 0, 0, 250, 500, 1_250, 1_250, 1_250, 1_500]);
  });

  test('lets more than a second’s worth go at once after a pause as long as they would have taken', async () => {
    const { pace, paced, asked } = atPace(1);
    await paced(GET);
    await pace.room(3);
    for (let i = 0; i < 4; i += 1) await paced(GET);
    expect(asked).toEqual([0, 3_000, 3_000, 3_000, 6_000]);
  });

  test('spaces requests by more than a second where less than one a second may go', async () => {
    const { paced, asked } = atPace(0.5);
    for (let i = 0; i < 3; i += 1) await paced(GET);
    expect(asked).toEqual([0, 2_000, 4_000]);
  });

  const again: readonly (readonly [
    string,
    WireRequest,
    readonly WireResponse[],
    number,
    readonly number[],
  ])[] = [
    ...[GET, PUT, DELETE].map((request) => {
      const slow = answer(429, [['Retry-After', '7']]);
      return [`${request.method} once after 429`, request, [slow, slow], 429, [0, 7_000]] as const;
    }),
    ['after two minutes at most', GET, [answer(429, [['Retry-After', '120']])], 200, [0, LONGEST_HOLD_MS]],
    ['on a date', GET, [answer(429, [['Retry-After', 'Thu, 01 Jan 1970 00:00:00 GMT']])], 200, [0, 0]],
    ['as a 503 says', PUT, [answer(503, [['Retry-After', '9']])], 200, [0, 9_000]],
    ['when a limit is reset', PUT, [answer(429, [['RateLimit', '"minute";r=0;t=7']])], 200, [0, 7_000]],
    ['after a second if a 429 does not say when', GET, [answer(429)], 200, [0, 1_000]],
    [
      'a token request too, which was not done',
      TOKEN,
      [answer(429, [['Retry-After', '7']])],
      200,
      [0, 7_000],
    ],
  ];
  for (const [when, request, script, status, times] of again)
    test(`repeats ${when}`, async () => {
      const { paced, asked } = atPace(100, script);
      expect((await paced(request)).status).toBe(status);
      expect(asked).toEqual(times);
    });

  test('asks nothing more where it would have to wait longer, but still unassigns', async () => {
    const { paced, asked } = atPace(100, [answer(429, [['Retry-After', '86400']])]);
    expect((await paced(GET)).status).toBe(429);
    for (const request of [PUT, TOKEN, PAGE])
      await expect(paced(request)).rejects.toThrow('asked to wait another');
    expect(asked).toEqual([0]);
    expect((await paced(DELETE)).status).toBe(200);
    expect((await paced(DELETE)).status).toBe(200);
    expect(asked).toEqual([0, LONGEST_HOLD_MS, LONGEST_HOLD_MS]);
  });

  for (const status of [502, 503, 504]) {
    test(`repeats a read once that got ${status}, and nothing else`, async () => {
      const { paced, asked } = atPace(100, [answer(status), answer(status), answer(status)]);
      expect((await paced(TOKEN)).status).toBe(status);
      expect((await paced(PUT)).status).toBe(status);
      expect((await paced(GET)).status).toBe(200);
      expect(asked).toEqual([0, 0, 0, 1_000]);
    });
  }

  const lost = new TransportFailure('connection', 'reset');
  test('repeats a read once when its connection failed', async () => {
    const clock = new LeapingClock();
    const paced = (script: readonly TransportFailure[]) =>
      pacedTransport(scripted(clock, script).transport, new Pace(100, clock));
    expect((await paced([lost])(GET)).status).toBe(200);
    await expect(paced([lost, lost])(GET)).rejects.toBe(lost);
    await expect(paced([lost])(PUT)).rejects.toBe(lost);
    await expect(paced([lost])(TOKEN)).rejects.toBe(lost);
    await expect(paced([new TransportFailure('timeout', 'slow')])(GET)).rejects.toThrow('slow');
  });

  test('counts what the browser sends', async () => {
    const clock = new LeapingClock();
    const { transport, asked } = scripted(clock);
    const traffic = new Traffic(BUDGET, 4, [], clock);
    for (let i = 0; i < 6; i += 1) traffic.browserRequested();
    const ruled = traffic.rule(transport);
    await ruled(GET);
    await traffic.browserTurn();
    expect(asked).toEqual([750]);
    expect(clock.now()).toBe(1_000);
    expect(traffic.used).toEqual({ requests: 7, browserRequests: 6, refusedAuthentications: 0 });
  });
});

const BUDGET = { requests: 100, refusedAuthentications: 100 };

test.describe('limits of the service', () => {
  const EXHAUSTED: readonly (readonly [string, readonly Header[]])[] = [
    ['RateLimit', [['RateLimit', '"burst";r=3;t=1, "minute";r=0;t=30']]],
    ['RateLimit of an older draft', [['RateLimit', 'limit=100, remaining=0, reset=30']]],
    [
      'RateLimit-*',
      [
        ['RateLimit-Remaining', '0'],
        ['RateLimit-Reset', '30'],
      ],
    ],
    [
      'X-RateLimit-* in seconds',
      [
        ['X-RateLimit-Remaining', '0'],
        ['X-RateLimit-Reset', '30'],
      ],
    ],
  ];

  for (const [name, headers] of EXHAUSTED)
    test(`waits before the next request where ${name} says that none is left`, async () => {
      const { paced, asked } = atPace(100, [answer(200, headers)]);
      await paced(TOKEN);
      await paced(PUT);
      expect(asked).toEqual([0, 30_000]);
    });

  test('does not wait while requests are left, or where the headers do not say until when', async () => {
    const left: readonly Header[] = [
      ['RateLimit', '"minute";r=1;t=30'],
      ['X-RateLimit-Remaining', '1'],
      ['X-RateLimit-Reset', '30'],
    ];
    const { paced, asked } = atPace(100, [answer(200, left), answer(200, [['X-RateLimit-Remaining', '0']])]);
    for (let i = 0; i < 3; i += 1) await paced(GET);
    expect(asked).toEqual([0, 0, 0]);
  });

  test('reads a reset that is a moment', () => {
    const headers: readonly Header[] = [
      ['X-RateLimit-Remaining', '0'],
      ['X-RateLimit-Reset', '1800000030'],
    ];
    expect(limitIn(answer(200, headers), 1_800_000_000_000)).toEqual({ left: 0, resetMs: 30_000 });
    expect(limitIn(answer(200, headers), 1_900_000_000_000)).toEqual({ left: 0, resetMs: 0 });
  });

  test('requests that go at once wait until as many are left', async () => {
    const clock = new LeapingClock();
    const { transport, asked } = scripted(clock, [answer(200, [['RateLimit', '"minute";r=3;t=30']])]);
    const traffic = new Traffic(BUDGET, 1_000, [], clock);
    const ruled = traffic.rule(transport);
    const send = () => ruled(GET);
    await send();
    await atOnce({ traffic }, [send, send, send]);
    await atOnce({ traffic }, [send, send, send, send]);
    expect(asked.map((ms) => Math.floor(ms / 1_000))).toEqual([0, 0, 0, 0, 30, 30, 30, 30]);
  });

  test('waits at most two minutes for a limit that was not reached, and ends no run', async () => {
    const { paced, asked } = atPace(100, [answer(200, [['RateLimit', '"day";r=0;t=86400']])]);
    await paced(PUT);
    expect((await paced(TOKEN)).status).toBe(200);
    expect(asked).toEqual([0, LONGEST_HOLD_MS]);
  });

  test('sends no more of a method in any minute than is configured, the browser included', async () => {
    const clock = new LeapingClock();
    const { transport, asked } = scripted(clock);
    const ruled = new Traffic(BUDGET, 1_000, [], clock, { PUT: 2, GET: 1 }).rule(transport);
    for (const request of [PUT, PUT, TOKEN, PUT, PUT, TOKEN, PUT]) await ruled(request);
    expect(asked).toEqual([0, 0, 0, 60_000, 60_000, 60_000, 120_000]);
    const traffic = new Traffic(BUDGET, 1_000, [], clock, { GET: 1 });
    await traffic.rule(transport)(GET);
    await traffic.browserTurn();
    expect(clock.now()).toBe(180_000);
  });

  test('requests that are sent together wait for different moments', async () => {
    const limits = new MinuteLimits({ PUT: 1 }, new LeapingClock());
    expect([1, 2, 3].map(() => limits.reserve('PUT'))).toEqual([0, 60_000, 120_000]);
    expect(limits.reserve('GET')).toBe(0);
  });
});

test.describe('the circuit', () => {
  const lost = new TransportFailure('timeout', 'no whole answer within 10 ms');
  const reset = new TransportFailure('connection', 'closed');

  function gone(answers: readonly (WireResponse | TransportFailure)[]) {
    const clock = new LeapingClock();
    const { transport, asked } = scripted(clock, answers);
    const ruled = new Traffic(BUDGET, 1_000, [], clock).rule(transport);
    return { asked, sent: (request: WireRequest) => ruled(request).catch((error: Error) => error) };
  }

  test('asks no more after six requests in a row without an answer', async () => {
    const { asked, sent } = gone(Array.from({ length: 9 }, () => lost));
    for (let i = 0; i < 6; i += 1) expect(await sent(PUT)).toBe(lost);
    for (const request of [PUT, TOKEN, PAGE]) {
      const error = await sent(request);
      expect(error).toMatchObject(GONE);
      expect((error as Error).message).toContain('no whole answer within 10 ms');
    }
    expect(asked).toHaveLength(6);
  });

  test('counts 429 and 502 to 504, for they are no word on the matter', async () => {
    const { sent } = gone([429, 429, 502, 503, 504, 429, 429, 429, 429].map((status) => answer(status)));
    for (let i = 0; i < 6; i += 1) await sent(PUT);
    expect(await sent(PUT)).toMatchObject(GONE);
  });

  test('begins anew with every answer, refusals and a 500 among them', async () => {
    const { asked, sent } = gone([lost, lost, lost, lost, lost, answer(500), lost, answer(401), lost]);
    for (let i = 0; i < 20; i += 1) await sent(PUT);
    expect(asked).toHaveLength(20);
  });

  test('still unassigns, and goes on once that is answered', async () => {
    const { asked, sent } = gone(Array.from({ length: 7 }, () => lost));
    for (let i = 0; i < 6; i += 1) await sent(PUT);
    expect(await sent(DELETE)).toBe(lost);
    expect(await sent(PUT)).toMatchObject(GONE);
    expect(await sent(DELETE)).toMatchObject({ status: 200 });
    expect(await sent(PUT)).toMatchObject({ status: 200 });
    expect(asked).toHaveLength(9);
  });

  test('keeps the browser at home too', async () => {
    const clock = new LeapingClock();
    const traffic = new Traffic(BUDGET, 1_000, [], clock);
    const ruled = traffic.rule(scripted(clock, [reset, ...Array.from({ length: 5 }, () => lost)]).transport);
    for (let i = 0; i < 6; i += 1) await ruled(PUT).catch(() => undefined);
    await expect(traffic.browserTurn()).rejects.toMatchObject(GONE);
    expect(traffic.unreached()).toMatchObject([{ failure: lost, since: 1 }]);
  });
});

test.describe('the budget', () => {
  const clock = new LeapingClock();

  test('counts the browser’s requests, and keeps it at home when it is spent', async () => {
    const traffic = new Traffic({ ...BUDGET, requests: 3 }, 1_000, [], new LeapingClock());
    await traffic.browserTurn();
    for (let i = 0; i < 2; i += 1) traffic.browserRequested();
    const ruled = traffic.rule(scripted(clock).transport);
    await ruled(PUT);
    await expect(traffic.browserTurn()).rejects.toThrow('has used its 3 requests');
    await expect(ruled(PUT)).rejects.toThrow(BudgetSpent);
  });

  test('ends the run when its time is over, but not unassigning', async () => {
    const wall = new LeapingClock();
    const traffic = new Traffic({ ...BUDGET, seconds: 60 }, 1_000, [], wall);
    const ruled = traffic.rule(scripted(wall).transport);
    await ruled(PUT);
    await wall.sleep(59_000);
    await ruled(PUT);
    await wall.sleep(1_000);
    await expect(ruled(TOKEN)).rejects.toThrow('not sent: this run has used its 60 seconds');
    await expect(traffic.browserTurn()).rejects.toThrow('`budget.seconds`');
    await ruled(DELETE);
    traffic.allowSeconds(30);
    await ruled(TOKEN);
  });

  test.describe('of right credentials that are refused', () => {
    const own = { clientId: 'the id', clientSecret: 'the+secret' };
    const form = (id: string, secret: string): WireRequest => ({
      ...TOKEN,
      body: String(new URLSearchParams({ client_id: id, client_secret: secret, code: 'x' })),
    });
    const basic = Buffer.from('the+id:the%2Bsecret').toString('base64');
    const spellings: readonly (readonly [string, WireRequest])[] = [
      ['the form', form('the id', 'the+secret')],
      ['JSON', { ...TOKEN, body: JSON.stringify({ client_id: 'the id', client_secret: 'the+secret' }) }],
      ['Basic', { ...TOKEN, headers: [['Authorization', `Basic ${basic}`]], body: 'code=x' }],
    ];
    const locked = answer(401, [], '{"error":"invalid_client"}');

    async function through(request: WireRequest, refusal: WireResponse): Promise<number> {
      const ruled = new Traffic(BUDGET, 1_000, [own], new LeapingClock()).rule(async () => refusal);
      let count = 0;
      for (let i = 0; i < 40; i += 1) {
        const error = await ruled(request).catch((thrown: unknown) => thrown);
        if (error instanceof TransportFailure) break;
        count += 1;
      }
      return count;
    }

    for (const [where, request] of spellings) {
      test(`in ${where}: 15 in a row, then no more`, async () => {
        expect(await through(request, locked)).toBe(15);
      });
    }

    test('does not count wrong credentials, nor refusals of something else', async () => {
      const grant = answer(401, [], '{"error":"invalid_grant"}');
      expect(await through(form('the id', 'another'), locked)).toBe(40);
      expect(await through(form('the id', 'the+secret'), grant)).toBe(40);
    });
  });

  test('counts no page with 401 that refuses a code: its request has the right credentials', async () => {
    const own = { clientId: 'the id', clientSecret: 'the secret' };
    const page = answer(401, [['Content-Type', 'text/html']], '<h1>Sorry</h1>');
    const { transport } = scripted(
      clock,
      Array.from({ length: 9 }, () => page),
    );
    const traffic = new Traffic({ requests: 100, refusedAuthentications: 3 }, 1_000, [own], clock);
    const send = (secret: string) => {
      const body = new URLSearchParams({ client_id: 'the id', client_secret: secret, code: '1' }).toString();
      return traffic.rule(transport)({ ...TOKEN, body });
    };
    for (let i = 0; i < 5; i += 1) await send('the secret');
    for (let i = 0; i < 3; i += 1) await send('another');
    expect(traffic.used.refusedAuthentications).toBe(3);
  });

  test('lets a few codes be exchanged after the last refusal, for a token to unassign with', async () => {
    const own = { clientId: 'the id', clientSecret: 'the secret' };
    const body = (grant: string, secret: string) =>
      new URLSearchParams({ grant_type: grant, client_id: 'the id', client_secret: secret }).toString();
    const wrong = { ...TOKEN, body: body('authorization_code', 'another') };
    const { transport } = scripted(clock, [answer(401)]);
    const ruled = new Traffic({ requests: 100, refusedAuthentications: 1 }, 1_000, [own], clock).rule(
      transport,
    );
    await ruled(wrong);
    const refresh = { ...TOKEN, body: body('refresh_token', 'the secret') };
    for (const request of [wrong, refresh])
      await expect(ruled(request)).rejects.toThrow('`budget.refusedAuthentications`');
    const exchange = { ...TOKEN, body: body('authorization_code', 'the secret') };
    for (let i = 0; i < 5; i += 1) expect((await ruled(exchange)).status).toBe(200);
    await expect(ruled(exchange)).rejects.toThrow('`budget.refusedAuthentications`');
  });

  test('counts answers that are compressed although the request accepts no compression', async () => {
    const gzip = { ...answer(200), headers: [['Content-Encoding', 'gzip'] as const] };
    const ledger = new Ledger({ requests: 9, refusedAuthentications: 9 });
    const budgeted = ledger.guard(scripted(clock, [gzip, gzip, answer(200)]).transport);
    const plain = { ...GET, headers: [['Accept-Encoding', 'identity'] as const] };
    for (const request of [GET, plain, plain]) await budgeted(request);
    expect(toleratedFaultTexts(ledger.used)).toEqual([
      expect.stringMatching(
        /^tolerated: 1 answers of the service are compressed although the request accepts/,
      ),
    ]);
  });

  test('ends requests, but not unassigning and looking who is left', async () => {
    const { transport, asked } = scripted(clock);
    const budgeted = new Ledger({ requests: 2, refusedAuthentications: 9 }).guard(transport);
    await budgeted(GET);
    await budgeted(PUT);
    for (const request of [PUT, TOKEN, PAGE]) {
      const error = await budgeted(request).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(BudgetSpent);
      expect(error).toMatchObject({
        kind: 'not-sent',
        message: 'not sent: this run has used its 2 requests (`budget.requests`)',
      });
    }
    await budgeted(DELETE);
    await budgeted(GET);
    expect(asked).toHaveLength(4);
  });

  test('ends unassigning too, at last', async () => {
    const { transport, asked } = scripted(clock);
    const budgeted = new Ledger({ requests: 1, refusedAuthentications: 9 }).guard(transport);
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
      const budgeted = new Ledger({ requests: 100, refusedAuthentications: 2 }).guard(transport);
      for (let i = 0; i < 3; i += 1) await budgeted(TOKEN);
      await expect(budgeted(TOKEN)).rejects.toThrow('`budget.refusedAuthentications`');
      expect((await budgeted(GET)).status).toBe(200);
    });
  }
});

import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts';
import { runCheck } from '../../src/checks/run-check.ts';
import { jsonOf, type Transport, type WireResponse } from '../../src/exchange/exchange.ts';
import { connectWithoutBrowser } from '../../src/flow/connect.ts';
import { changed, exchangeParameters, refreshParameters } from '../../src/flow/parameters.ts';
import type { Parameters } from '../../src/flow/requests.ts';
import { walkBase } from '../../src/flow/smoke-flow.ts';
import { CHECKS_IN_ORDER, runWithoutBrowser } from '../../src/kill-matrix/run-target.ts';
import { attachMonitor } from '../../src/monitor/attach.ts';
import { standingOf } from '../../src/monitor/attribution.ts';
import { INVARIANTS } from '../../src/monitor/invariants.ts';
import { finalValues, type KeyOperation } from '../../src/monitor/linearizable.ts';
import { SecretRegistry } from '../../src/secrets/registry.ts';
import { emulatorTarget } from '../../src/targets/emulator.ts';
import { APPLICATION, answer, Feed, issued, json, listUrl, OTHER } from '../support/monitoring/feed.ts';

/** Every exchange of a run is held against the document, whatever it was sent for. */

test('a full run has examples of every invariant, and finds nothing', async () => {
  const target = await emulatorTarget({ profile: 'doorkeeper-5', defects: [], sockets: false });
  const { session, monitor, during } = attachMonitor(connectWithoutBrowser(target, new SecretRegistry()));
  const walk = await walkBase(session);
  const catalogue = loadCatalogue();
  for (const check of CHECKS_IN_ORDER) {
    const own = during(check.id, { ...session, dialect: walk.dialect });
    await runCheck(check, { catalogue, session: own, walk, keepEvidence: false });
  }
  monitor.end();
  await target.close();
  expect(INVARIANTS.filter((id) => !monitor.examples.has(id))).toEqual([]);
  expect([...monitor.examples.keys()].filter((id) => !INVARIANTS.includes(id))).toEqual([]);
  expect(monitor.findings).toEqual([]);
});

test('one token response of many that is wrong fails its requirement, although its own check passed', async () => {
  const target = await emulatorTarget({ profile: 'by-the-rfc', defects: [], sockets: false });
  let exchanges = 0;
  const transport: Transport = async (request) => {
    const response = await target.transport(request);
    const body = jsonOf(response) as { expires_in?: number } | undefined;
    const ofCode = `${request.url} ${request.body}`.includes('grant_type=authorization_code');
    if (body?.expires_in === undefined || !ofCode) return response;
    exchanges += 1;
    return exchanges === 40 ? { ...response, body: JSON.stringify({ ...body, expires_in: 7199 }) } : response;
  };
  const outcomes = await runWithoutBrowser({ ...target, transport });
  const failed = outcomes.filter(({ result }) => result !== 'pass' && result !== 'not-applicable');
  expect(failed.map(({ id, result }) => [id, result])).toEqual([['exchange.expires-in-7200', 'fail']]);
  expect(failed[0]?.reason).toMatch(
    /^clause 2\.1: expected expires_in to be 7200; got 7199 in 1 of 1\d\d examples of this run; not in its own check$/,
  );
});

test.describe('what counts beside failed checks', () => {
  const levelOf = (id: string) =>
    id === 'list.safe' || id === 'token.not-cacheable' ? 'standard' : 'documented';
  const finding = { id: 'exchange.token-response', during: 'refresh.chain', uncertain: false } as const;

  test('a finding counts where nothing failed that explains it', () => {
    expect(standingOf(finding, [{ id: 'refresh.chain', failed: undefined }], levelOf)).toBe('counts');
    expect(standingOf(finding, [{ id: 'list.fresh', failed: 'documented' }], levelOf)).toBe('counts');
  });

  test('a check that failed while it was made, or one of its family, explains it', () => {
    const elsewhere = { ...finding, id: 'list.fresh' } as const;
    expect(standingOf(elsewhere, [{ id: 'refresh.chain', failed: 'documented' }], levelOf)).toBe('explained');
    expect(standingOf(finding, [{ id: 'token.post-only', failed: 'documented' }], levelOf)).toBe('explained');
  });

  test('what only warns does not explain away what is documented', () => {
    expect(standingOf(finding, [{ id: 'token.not-cacheable', failed: 'minor' }], levelOf)).toBe('counts');
  });

  test('what others may have done never counts', () => {
    expect(standingOf({ ...finding, uncertain: true }, [], levelOf)).toBe('uncertain');
  });
});

/** Each case twice: what the document does not decide, and the same with the one difference that it does. */
const CASES: Readonly<
  Record<string, readonly [open: (feed: Feed) => void, decided: (feed: Feed) => void, id: string]>
> = {
  'unassigning who is not assigned may be refused; who is assigned may not': [
    (feed) => feed.change('DELETE', '1', '11', 401, feed.pair().access),
    (feed) => {
      const { access } = feed.pair();
      feed.change('PUT', '1', '11', 200, access);
      feed.change('DELETE', '1', '11', 404, access);
    },
    'unassign.removes-user',
  ],
  'assigning again may be refused; the first time may not': [
    (feed) => {
      const { access } = feed.pair();
      feed.change('PUT', '1', '11', 204, access);
      feed.change('PUT', '1', '11', 409, access);
    },
    (feed) => feed.change('PUT', '1', '11', 409, feed.pair().access),
    'assign.adds-user',
  ],
  'of two unassigns at once one may get 404; one alone may not': [
    (feed) => {
      const { access } = feed.pair();
      feed.change('PUT', '1', '11', 200, access);
      const first = feed.begin('DELETE', `${listUrl('1')}/11`, undefined, access);
      const second = feed.begin('DELETE', `${listUrl('1')}/11`, undefined, access);
      second(answer(200));
      first(answer(404));
      feed.list('1', [], access);
    },
    (feed) => {
      const { access } = feed.pair();
      feed.change('PUT', '1', '11', 200, access);
      feed.change('DELETE', '1', '11', 404, access);
    },
    'unassign.removes-user',
  ],
  'a token nearly equal to one that was issued is for the checks; any other must not list': [
    (feed) => {
      const { access } = feed.pair();
      feed.change('PUT', '1', '11', 200, access);
      feed.list('1', ['11'], `${access}x`);
    },
    (feed) => {
      feed.change('PUT', '1', '11', 200, feed.pair().access);
      feed.list('1', ['11'], 'never-issued-to-anyone');
    },
    'list.token-invalid-refused',
  ],
  'two exchanges may give the same tokens; a refresh may not': [
    (feed) => {
      const tokens = feed.fresh();
      feed.exchange(feed.code(), issued(tokens));
      feed.exchange(feed.code(), issued(tokens));
    },
    (feed) => {
      const tokens = feed.pair();
      feed.refresh(tokens.refresh, issued({ ...feed.fresh(), access: tokens.access }));
    },
    'refresh.new-access-token',
  ],
  'a code may be dead after ten seconds; a fresh one may not': [
    (feed) => {
      const code = feed.code();
      feed.at += 11;
      feed.exchange(code, answer(400));
    },
    (feed) => feed.exchange(feed.code(), answer(400)),
    'exchange.form-encoded',
  ],
  'a code that was presented wrongly may be dead; one that was not may not': [
    (feed) => {
      const code = feed.code();
      feed.token(exchangeParameters({ ...APPLICATION, clientSecret: 'wrong' }, code))(answer(401));
      feed.exchange(code, answer(400));
    },
    (feed) => feed.exchange(feed.code(), answer(400)),
    'exchange.form-encoded',
  ],
  'a refresh before expiry may be refused; after it may not': [
    (feed) => feed.refresh(feed.pair().refresh, answer(400)),
    (feed) => {
      const { refresh } = feed.pair();
      feed.at += 7203;
      feed.refresh(refresh, answer(400));
    },
    'refresh.after-expiry',
  ],
  'a refresh token that is hours older than its access token may be dead; a younger one may not': [
    (feed) => {
      const { refresh } = feed.pair();
      feed.at += 8000;
      feed.refresh(refresh, answer(400));
    },
    (feed) => {
      const { refresh } = feed.pair();
      feed.at += 7500;
      feed.refresh(refresh, answer(400));
    },
    'refresh.after-expiry',
  ],
  'a presentation that was never seen honoured may be refused; one that was may not': [
    (feed) => {
      const tokens = feed.fresh();
      feed.exchange(feed.code(), issued(tokens));
      feed.begin('GET', listUrl('1'), undefined, tokens.access)(answer(401));
    },
    (feed) => feed.begin('GET', listUrl('1'), undefined, feed.pair().access)(answer(401)),
    'exchange.token-acts',
  ],
  'an old access token may be dead after a refresh; the newest may not': [
    (feed) => {
      const tokens = feed.pair();
      feed.refresh(tokens.refresh, issued(feed.fresh()));
      feed.begin('GET', listUrl('1'), undefined, tokens.access)(answer(401));
    },
    (feed) => {
      const next = feed.fresh();
      feed.refresh(feed.pair().refresh, issued(next));
      feed.begin('GET', listUrl('1'), undefined, next.access)(answer(401));
    },
    'refresh.new-token-acts',
  ],
  'the tokens of a code that was replayed may be dead; of one that was not may not': [
    (feed) => {
      const tokens = feed.pair();
      const again = feed.code();
      feed.exchange(again, issued(feed.fresh()));
      const replayed = feed.fresh();
      const code = feed.code();
      feed.exchange(code, issued(replayed));
      feed.exchange(code, answer(400));
      feed.begin('GET', listUrl('1'), undefined, replayed.access)(answer(401));
      expect(tokens.access).not.toBe(replayed.access);
    },
    (feed) => feed.begin('GET', listUrl('1'), undefined, feed.pair().access)(answer(401)),
    'exchange.token-acts',
  ],
  'a request that got 429 or 503 proves nothing; a 400 does': [
    (feed) => {
      feed.exchange(feed.code(), answer(429));
      feed.exchange(feed.code(), answer(503));
    },
    (feed) => feed.exchange(feed.code(), answer(400)),
    'exchange.form-encoded',
  ],
  'a refresh that something in between has answered may have been done; one that the service has not done can be done again':
    [
      (feed) => {
        const { refresh } = feed.pair();
        feed.at += 7203;
        feed.refresh(refresh, answer(502));
        feed.refresh(refresh, answer(400));
      },
      (feed) => {
        const { refresh } = feed.pair();
        feed.at += 7203;
        feed.refresh(refresh, answer(500));
        feed.refresh(refresh, answer(400));
      },
      'refresh.after-expiry',
    ],
  'a member may stand twice with one value; with two it is not known which counts': [
    (feed) => feed.exchange(feed.code(), withMember(issued(feed.fresh()), '"token_type":"bearer"')),
    (feed) => feed.exchange(feed.code(), withMember(issued(feed.fresh()), '"refresh_token":"another"')),
    'exchange.token-response',
  ],
  'tokens may look alike; they may not be one and the same': [
    (feed) => {
      const { access } = feed.fresh();
      feed.exchange(feed.code(), issued({ access, refresh: `${access}r` }));
    },
    (feed) => {
      const { access } = feed.fresh();
      feed.exchange(feed.code(), issued({ access, refresh: access }));
    },
    'exchange.token-response',
  ],
  'a redirect may say the same code twice; two codes, or an error beside it, it may not': [
    (feed) => void feed.redirect('code=one&code=one'),
    (feed) => void feed.redirect('code=one&code=two'),
    'authorize.redirects-with-code',
  ],
  'a redirect may have further parameters; no error beside a code': [
    (feed) => void feed.redirect('code=one&session_state=x'),
    (feed) => void feed.redirect('code=one&error=access_denied'),
    'authorize.redirects-with-code',
  ],
  'a refresh token in place of a code may be refused in any way; it may not be honoured': [
    (feed) => feed.token(asExchange(feed.pair().refresh))(answer(400)),
    (feed) => feed.token(asExchange(feed.pair().refresh))(issued(feed.fresh())),
    'exchange.requires-code',
  ],
  'a list asked for otherwise may be refused; what it shows must be right': [
    (feed) => feed.list('1', undefined, feed.pair().access, [['Accept-Encoding', 'br']]),
    (feed) => {
      const { access } = feed.pair();
      feed.change('PUT', '1', '11', 200, access);
      feed.list('1', [], access, [['Accept-Encoding', 'br']]);
    },
    'assign.adds-user',
  ],
  'a list that is as it was may be said to be so; one that is not may not': [
    (feed) => {
      const { access } = feed.pair();
      feed.change('PUT', '1', '11', 200, access);
      feed.tagged('1', ['11'], access, 'first');
      feed.list('1', 'unchanged', access, [['If-None-Match', 'first']]);
    },
    (feed) => {
      const { access } = feed.pair();
      feed.change('PUT', '1', '11', 200, access);
      feed.tagged('1', ['11'], access, 'first');
      feed.change('DELETE', '1', '11', 200, access);
      feed.list('1', 'unchanged', access, [['If-None-Match', 'first']]);
      feed.list('1', [], access);
    },
    'list.fresh',
  ],
  'the access token of a refresh on its way may be dead already; before that it may not': [
    (feed) => {
      const tokens = feed.pair();
      const list = feed.begin('GET', listUrl('1'), undefined, tokens.access);
      const refreshed = feed.token(refreshParameters(APPLICATION, tokens.refresh));
      refreshed(issued(feed.fresh()));
      list(answer(401));
    },
    (feed) => {
      const tokens = feed.pair();
      feed.begin('GET', listUrl('1'), undefined, tokens.access)(answer(401));
      feed.refresh(tokens.refresh, issued(feed.fresh()));
    },
    'exchange.token-acts',
  ],
  'a refresh token that is used again may be refused; what it is honoured with must be new': [
    (feed) => {
      const tokens = feed.pair();
      feed.refresh(tokens.refresh, issued(feed.fresh()));
      feed.refresh(tokens.refresh, issued(feed.fresh()));
    },
    (feed) => {
      const [tokens, next] = [feed.pair(), feed.fresh()];
      feed.refresh(tokens.refresh, issued(next));
      feed.refresh(tokens.refresh, issued(next));
    },
    'refresh.new-refresh-token',
  ],
  'at the very end of its life a token may be dead; a moment before it may not': [
    (feed) => {
      const { access } = feed.pair();
      feed.at += 7200;
      feed.begin('GET', listUrl('1'), undefined, access)(answer(401));
    },
    (feed) => {
      const { access } = feed.pair();
      feed.at += 7199;
      feed.begin('GET', listUrl('1'), undefined, access)(answer(401));
    },
    'lifetime.alive-until-7200',
  ],
  'a change without an answer may have happened; one that was answered must have': [
    (feed) => {
      const { access } = feed.pair();
      feed.begin('PUT', `${listUrl('1')}/11`, undefined, access)(undefined);
      feed.list('1', [], access);
    },
    (feed) => {
      const { access } = feed.pair();
      feed.change('PUT', '1', '11', 200, access);
      feed.list('1', [], access);
    },
    'assign.adds-user',
  ],
  'a refusal with a success’s status only warns; a list in it does not': [
    (feed) => {
      feed.change('PUT', '1', '11', 200, feed.pair().access);
      feed.begin('GET', listUrl('1'))(json({ error: 'no token' }));
      expect(feed.found).toEqual(['resource.failure-status']);
      feed.monitor.take({ kind: 'assignments-reset' });
    },
    (feed) => {
      feed.change('PUT', '1', '11', 200, feed.pair().access);
      feed.list('1', ['11']);
    },
    'list.token-required',
  ],
  'tokens elsewhere than at the top of a refusal are for the checks; at the top they are given': [
    (feed) => {
      const nested = feed.fresh();
      feed.exchange('unknown-code', json({ error: { access_token: nested.access } }, 400));
    },
    (feed) => feed.exchange('unknown-code', issued(feed.fresh())),
    'exchange.code-unknown-refused',
  ],
  'a repeated parameter leaves open what is meant; without it a wrong secret must be refused': [
    (feed) => {
      const parameters = exchangeParameters({ ...APPLICATION, clientSecret: 'wrong' }, feed.code());
      feed.token([...parameters, ['client_secret', APPLICATION.clientSecret]])(issued(feed.fresh()));
    },
    (feed) => {
      const parameters = exchangeParameters({ ...APPLICATION, clientSecret: 'wrong' }, feed.code());
      feed.token(parameters)(issued(feed.fresh()));
    },
    'exchange.client-secret-checked',
  ],
};

/** A token response with one member more, written behind the others. */
function withMember(response: WireResponse, member: string): WireResponse {
  const body = `${response.body.slice(0, -1)},${member}}`;
  return { ...response, body };
}

function asExchange(refresh: string): Parameters {
  return changed(refreshParameters(APPLICATION, refresh), { grant_type: 'authorization_code' });
}

for (const [name, [open, decided, id]] of Object.entries(CASES)) {
  test(name, () => {
    const [one, other] = [new Feed(), new Feed()];
    open(one);
    expect(one.found.filter((found) => found !== 'resource.failure-status')).toEqual([]);
    decided(other);
    expect(other.found).toContain(id);
  });
}

test('on a service that others use too, what becomes of their users is shown and not held against it', () => {
  const found = [true, false].map((shared) => {
    const feed = new Feed({ shared });
    const { access } = feed.pair();
    feed.list('1', ['501'], access);
    return feed.found;
  });
  expect(found).toEqual([[], ['list.returns-assigned']]);
});

test('a list that shows a change only when it is read again was an old one', () => {
  const feed = new Feed();
  const { access } = feed.pair();
  feed.change('PUT', '1', '11', 200, access);
  feed.list('1', [], access);
  feed.list('1', ['11'], access);
  expect(feed.found).toEqual(['list.fresh']);
});

test('a list that was never so is wrong and not old, though it is right when it is read again', () => {
  const feed = new Feed();
  const { access } = feed.pair();
  feed.change('PUT', '1', '11', 200, access);
  feed.list('1', ['11'], access);
  feed.change('PUT', '1', '12', 200, access);
  feed.list('1', ['12'], access);
  feed.list('1', ['11', '12'], access);
  expect(feed.found).toEqual(['list.returns-assigned']);
});

test('reading with HEAD changes nothing that is known', () => {
  const feed = new Feed();
  const { access } = feed.pair();
  feed.begin('HEAD', listUrl('1'), undefined, access)(answer(200));
  feed.list('1', ['11'], access);
  expect(feed.found).toEqual(['list.returns-assigned']);
});

test('an effect of what was to be refused is blamed on it', () => {
  const feed = new Feed();
  const { access } = feed.pair();
  feed.change('PUT', '1', '11', 401);
  feed.list('1', ['11'], access);
  expect(feed.found).toEqual(['assign.token-required']);
});

test('of two assigns at once neither may be lost, in whatever order they took effect', () => {
  const lists = [['11', '12'], ['12']].map((listed) => {
    const feed = new Feed();
    const { access } = feed.pair();
    const one = feed.begin('PUT', `${listUrl('1')}/11`, undefined, access);
    const other = feed.begin('PUT', `${listUrl('1')}/12`, undefined, access);
    other(answer(200));
    one(answer(200));
    feed.list('1', listed, access);
    return feed.found.length;
  });
  expect(lists).toEqual([0, 1]);
});

test('another client’s code is honoured under no name of its own', () => {
  const feed = new Feed();
  feed.exchange(feed.code(APPLICATION), issued(feed.fresh()), OTHER);
  expect(feed.found).toEqual(['exchange.code-bound-to-client']);
});

test('overlapping operations are explained exactly where some order of them explains what was read', () => {
  const operation = fc.record({
    begun: fc.nat(6),
    length: fc.integer({ min: 1, max: 4 }),
    does: fc.constantFrom<KeyOperation['does']>('set', 'may-set', 'read'),
    value: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 5 }), fc.boolean(), (drawn, initial) => {
      // Moments are distinct in a run: every event has its own.
      const operations = drawn.map(({ begun, length, does, value }, index) => ({
        begun: begun * 10 + index,
        ended: (begun + length) * 10 + index + 0.5,
        does,
        value,
      }));
      const expected = new Set(orders(operations).flatMap((order) => [...outcomes(order, initial)]));
      expect(new Set(finalValues(operations, new Set([initial])))).toEqual(expected);
    }),
  );
});

/** All orders in which whatever ended before another began comes first. */
function orders(operations: readonly KeyOperation[]): readonly (readonly KeyOperation[])[] {
  if (operations.length === 0) return [[]];
  return operations
    .filter((one) => operations.every((other) => other === one || other.ended >= one.begun))
    .flatMap((one) => orders(operations.filter((other) => other !== one)).map((rest) => [one, ...rest]));
}

function outcomes(order: readonly KeyOperation[], initial: boolean): ReadonlySet<boolean> {
  let values = new Set([initial]);
  for (const { does, value } of order) {
    if (does === 'set') values = new Set([value]);
    else if (does === 'may-set') values = new Set([...values, value]);
    else values = new Set([...values].filter((one) => one === value));
    if (values.size === 0) return values;
  }
  return values;
}

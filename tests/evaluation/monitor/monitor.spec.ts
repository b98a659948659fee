import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { RequirementId } from '../../../generated/ids.ts';
import { loadCatalogue } from '../../../src/document/load-catalogue.ts';
import { SharedRefusals } from '../../../src/evaluation/language/shared-refusals.ts';
import { attachMonitor } from '../../../src/evaluation/monitor/attach.ts';
import { finalValues, type KeyOperation } from '../../../src/evaluation/monitor/races.ts';
import { RightRequests } from '../../../src/evaluation/monitor/right-requests.ts';
import { runCheck } from '../../../src/evaluation/run/run-check.ts';
import { jsonOf, type Transport, type WireResponse } from '../../../src/http/exchange.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { differenceText, failsRequirement } from '../../../src/report/exchange-findings.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import { connectWithoutBrowser } from '../../../src/service/flow/connect.ts';
import { exchangeParameters } from '../../../src/service/flow/requests.ts';
import { runSmokeFlow } from '../../../src/service/flow/smoke-flow.ts';
import { CHECKS_IN_ORDER, runWithoutBrowser } from '../../proof/kill-matrix/run-checks.ts';
import { INVARIANTS } from '../../support/invariants.ts';
import { CASES } from '../../support/monitoring/cases.ts';
import { APPLICATION, answer, Feed, issued, json, listUrl, OTHER } from '../../support/monitoring/feed.ts';

/** Every exchange of a run is held against the document, whatever it was sent for. */

test('a full run has examples of every invariant, and finds nothing', async () => {
  const target = await emulatorTarget({ profile: 'doorkeeper-5', defects: [], sockets: false });
  const { session, monitor, during } = attachMonitor(connectWithoutBrowser(target, new SecretRegistry()));
  const walk = await runSmokeFlow(session);
  const catalogue = loadCatalogue();
  for (const check of CHECKS_IN_ORDER) {
    const own = during(check.id, { ...session, requestStyle: walk.requestStyle });
    await runCheck(check, {
      catalogue,
      session: own,
      smokeFlow: walk,
      sharedRefusals: new SharedRefusals(),
      keepEvidence: false,
    });
  }
  monitor.end();
  await target.close();
  expect([...monitor.examples.keys()].sort()).toEqual([...INVARIANTS].sort());
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
    /^expected expires_in to be 7200; got 7199 in 1 of \d{3} examples of this run, all during [a-z-]+\.[a-z0-9-]+; not in its own check$/,
  );
});

for (const [name, short, durationMs, broken] of [
  ['each second answer that came late', [7199, 7200, 7199, 7200, 7199], 600, []],
  ['each answer, late as it came', [7199, 7199, 7199], 600, ['exchange.expires-in-7200']],
  ['each second answer that came at once', [7199, 7200, 7199, 7200, 7199], 1, ['exchange.expires-in-7200']],
] as const)
  test(`a live service that counts down is a second short in ${name}`, () => {
    const feed = new Feed({ isLive: true });
    for (const expires_in of short) {
      const { body, ...response } = issued(feed.fresh());
      const counted = JSON.stringify({ ...JSON.parse(body), expires_in });
      feed.token(exchangeParameters(APPLICATION, feed.code()))({ ...response, body: counted }, durationMs);
    }
    expect([...new Set(feed.found)]).toEqual(broken);
  });

test.describe('what counts beside failed checks', () => {
  const levelOf = (id: string) =>
    id === 'list.safe' || id === 'token.not-cacheable' ? 'standard' : 'documented';
  const finding = { id: 'exchange.token-response', during: 'refresh.chain', uncertain: false } as const;

  test('a finding counts where nothing failed that explains it', () => {
    expect(failsRequirement(finding, [{ id: 'refresh.chain', failed: undefined }], levelOf)).toBe(true);
    expect(failsRequirement(finding, [{ id: 'list.fresh', failed: 'documented' }], levelOf)).toBe(true);
  });

  test('a check that failed while it was made, or one of its family, explains it', () => {
    const elsewhere = { ...finding, id: 'list.fresh' } as const;
    expect(failsRequirement(elsewhere, [{ id: 'refresh.chain', failed: 'documented' }], levelOf)).toBe(false);
    expect(failsRequirement(finding, [{ id: 'token.post-only', failed: 'documented' }], levelOf)).toBe(false);
  });

  test('what only warns does not explain away what is documented', () => {
    expect(failsRequirement(finding, [{ id: 'token.not-cacheable', failed: 'minor' }], levelOf)).toBe(true);
  });

  test('nothing explains a server error', () => {
    const error = { ...finding, id: 'token.no-5xx' } as const;
    expect(failsRequirement(error, [{ id: 'refresh.chain', failed: 'documented' }], levelOf)).toBe(true);
  });

  test('what others may have done never counts', () => {
    expect(failsRequirement({ ...finding, uncertain: true }, [], levelOf)).toBe(false);
  });
});

const levels = new Map<string, string>(loadCatalogue().requirements.map(({ id, level }) => [id, level]));

for (const [name, [open, decided, id]] of Object.entries(CASES)) {
  test(name, () => {
    const [one, other] = [new Feed(), new Feed()];
    open(one);
    expect(one.found.filter((found) => levels.get(found) === 'documented')).toEqual([]);
    decided(other);
    expect(other.found).toContain(id);
  });
}

test.describe('right requests that fail are compared with those that succeed', () => {
  const said = ({ monitor: { differences } }: Feed, id: RequirementId): string | undefined => {
    const difference = differences.get(id);
    return difference && differenceText(difference);
  };

  test('by what they carry', () => {
    const feed = new Feed();
    for (const code of ['ab-1', 'cd-2', 'ef/3', 'gh/4']) {
      feed.redirect(`code=${encodeURIComponent(code)}`);
      feed.exchange(code, code.includes('/') ? answer(400) : issued(feed.fresh()));
    }
    expect(said(feed, 'exchange.form-encoded')).toBe(
      '2 requests like it failed and 2 succeeded: 2 of the first and 0 of the others came with a code that holds `/`',
    );
  });

  test('by a plus sign that a redirect did not encode', () => {
    const feed = new Feed();
    for (const code of ['ab1', 'cd2', 'ef+3', 'gh+4']) {
      feed.redirect(`code=${code}`);
      const sent = code.replace('+', ' ');
      feed.exchange(sent, sent === code ? issued(feed.fresh()) : answer(400));
    }
    expect(said(feed, 'authorize.redirects-with-code')).toContain(
      'came with a code that holds a blank (a redirect writes a plus sign as %2B)',
    );
  });

  test('by the number of refreshes behind their tokens', () => {
    const feed = new Feed();
    for (let grant = 0; grant < 2; grant += 1) {
      let pair = feed.pair();
      for (let refreshes = 0; refreshes < 4; refreshes += 1) {
        if (refreshes < 3) feed.list('1', [], pair.access);
        else feed.refused(pair.access);
        const next = feed.fresh();
        feed.refresh(pair.refresh, issued(next));
        pair = next;
      }
    }
    expect(said(feed, 'refresh.new-token-acts')).toMatch(
      /2 of the first and 0 of the others came with tokens of 3 or more refreshes$/,
    );
  });

  test('by a refresh before the expiry', () => {
    const feed = new Feed();
    for (const isEarly of [false, true, false, true]) {
      const next = feed.fresh();
      const { refresh } = feed.pair();
      if (!isEarly) feed.at += 7_300;
      feed.refresh(refresh, issued(next));
      if (isEarly) feed.refused(next.access);
      else feed.list('1', [], next.access);
    }
    expect(said(feed, 'refresh.new-token-acts')).toMatch(
      /2 of the first and 0 of the others came with tokens of a refresh before the expiry$/,
    );
  });

  test('by a later grant for fewer scopes', () => {
    const feed = new Feed();
    const tokens = (scope: string) => {
      const { access, refresh } = feed.fresh();
      feed.exchange(feed.code(undefined, scope), issued({ access, refresh }));
      return access;
    };
    const { access } = feed.pair();
    for (const narrow of [false, true, false, true]) {
      tokens(narrow ? 'read' : 'read write destroy');
      if (narrow) feed.begin('GET', listUrl('1'), undefined, access)(answer(403));
      else feed.list('1', [], access);
    }
    expect(said(feed, 'scope.granted-scopes-act')).toMatch(
      /2 of the first and 0 of the others came with a later grant of its application, for fewer scopes$/,
    );
  });

  test('by their age', () => {
    const feed = new Feed();
    const { access } = feed.pair();
    feed.at += 3;
    feed.list('1', [], access);
    feed.at += 4;
    for (let left = 2; left > 0; left -= 1) feed.refused(access);
    expect(said(feed, 'exchange.token-acts')).toMatch(
      /younger than 7 s failed, and none older than 3 s succeeded; those that failed had been unused for 4 s or more$/,
    );
  });

  test('by the first token of their connection', () => {
    const feed = new Feed();
    const [kept, fresh] = [{}, {}];
    const call = (token: string, connection: object, response: WireResponse) =>
      feed.begin('GET', listUrl('1'), undefined, token)({ ...response, connection });
    call(feed.pair().access, kept, json([]));
    feed.at += 7_300;
    const { access } = feed.pair();
    for (let left = 2; left > 0; left -= 1) {
      call(access, kept, answer(401));
      call(access, fresh, json([]));
    }
    expect(said(feed, 'exchange.token-acts')).toMatch(
      /2 of the first and 0 of the others came with a connection whose first token has expired$/,
    );
  });

  for (const [spoiled, words] of [
    [1, 'with 1 connection nearly all failed from the first failure on, and with 5 others none'],
    [2, 'with 2 connections nearly all failed from the first failure on, and with 4 others none'],
  ] as const)
    test(`by the connections on which they failed: ${spoiled}`, () => {
      const feed = new Feed();
      const { access } = feed.pair();
      const connections = Array.from({ length: 6 }, () => ({}));
      for (let index = 0; index < 12; index += 1)
        for (const [place, connection] of connections.entries()) {
          const response = place < spoiled && index > 0 ? answer(401) : json([]);
          feed.begin('GET', listUrl('1'), undefined, access)({ ...response, connection });
        }
      expect(said(feed, 'exchange.token-acts')).toContain(`${words}: the cause may be one instance`);
    });

  test('by the feature that comes nearest, where none tells', () => {
    const feed = new Feed();
    for (let index = 0; index < 40; index += 1) {
      const code = `ab${index}${index % 2 === 0 ? '/' : ''}`;
      feed.redirect(`code=${encodeURIComponent(code)}`);
      const isRefused = index % 4 === 0 || index % 20 === 1;
      feed.exchange(code, isRefused ? answer(400) : issued(feed.fresh()));
    }
    expect(said(feed, 'exchange.form-encoded')).toMatch(
      /^12 requests like it failed and 28 succeeded; nearest to a difference, 10 of the first and 10 of the others came with a code that holds `\/`:/,
    );
  });

  test('by what became of the same token before and later', () => {
    const feed = new Feed();
    const old = feed.pair().access;
    feed.at += 9;
    feed.list('1', [], old);
    const { access } = feed.pair();
    for (let left = 2; left > 0; left -= 1) feed.refused(access);
    expect(said(feed, 'exchange.token-acts')).toMatch(/from the first failure on, all failed$/);
    feed.list('1', [], feed.tokens().access);
    expect(said(feed, 'exchange.token-acts')).toMatch(
      /had been good failed later, and none of them was good again$/,
    );
    feed.list('1', [], access);
    expect(said(feed, 'exchange.token-acts')).toBe('2 requests like it failed and 8 succeeded');
    for (let left = 8; left > 0; left -= 1) {
      feed.refused(access);
      feed.list('1', [], access);
    }
    expect(said(feed, 'exchange.token-acts')).toMatch(
      /alike in all that the suite compares: the cause may be what came before them, or one instance of several$/,
    );
  });

  test('by the tokens that they carry', () => {
    const feed = new Feed();
    const tokens = Array.from({ length: 8 }, () => feed.tokens().access);
    for (let round = 0; round < 6; round += 1)
      for (const [index, token] of tokens.entries()) {
        if (index % 4 === 0) feed.refused(token);
        else feed.list('1', [], token);
      }
    expect(said(feed, 'exchange.token-acts')).toContain(
      'with 2 tokens nearly all failed from the first failure on, and with 6 others none: the cause may be one instance',
    );
  });

  test('by the pause before they were used', () => {
    const feed = new Feed();
    for (const [uses, pause] of [[17], [5, 2_000], [17], [5, 2_000]]) {
      const { access } = feed.pair();
      for (let used = 0; used < (uses ?? 0); used += 1) {
        feed.at += 300;
        feed.list('1', [], access);
      }
      feed.at += pause ?? 0;
      for (let left = pause === undefined ? 0 : 2; left > 0; left -= 1) feed.refused(access);
    }
    expect(said(feed, 'lifetime.alive-until-7200')).toMatch(
      /none with a code or token unused for less than 2000 s failed, and none unused for more than 300 s succeeded$/,
    );
  });

  test('by being the only user of the project', () => {
    const feed = new Feed();
    const { access } = feed.pair();
    for (let round = 0; round < 10; round += 1) {
      const [first, last] = round % 2 === 0 ? ['11', '12'] : ['12', '11'];
      for (const user of [first, last]) feed.change('PUT', '1', user, 200, access);
      feed.list('1', [first, last], access);
      feed.change('DELETE', '1', first, 204, access);
      feed.list('1', [last], access);
      feed.change('DELETE', '1', last, 204, access);
      feed.list('1', [last], access);
    }
    expect(said(feed, 'unassign.removes-user')).toMatch(
      /10 of the first and \d of the others came with no other user assigned to the project$/,
    );
  });

  test('by the users who were assigned before it, where the list lacks its effect', () => {
    const feed = new Feed();
    const { access } = feed.pair();
    for (const [project, first, second] of [
      ['1', '11', '12'],
      ['2', '12', '11'],
    ] as const) {
      feed.change('PUT', project, first, 200, access);
      feed.list(project, [first], access);
      feed.change('PUT', project, second, 200, access);
      feed.list(project, [first], access);
    }
    expect(said(feed, 'assign.adds-user')).toMatch(/came with 1 users or more assigned before it$/);
  });

  test('by the time since the change of the same user before it', () => {
    const feed = new Feed();
    const { access } = feed.pair();
    for (const pause of [1, 20, 1, 20]) {
      feed.change('PUT', '1', '11', 200, access);
      feed.list('1', ['11'], access);
      feed.change('DELETE', '1', '11', 200, access);
      feed.list('1', [], access);
      feed.at += pause;
      feed.change('PUT', '1', '11', 200, access);
      feed.list('1', pause < 5 ? [] : ['11'], access);
      feed.at += 100;
      feed.change('DELETE', '1', '11', 200, access);
      feed.list('1', [], access);
      feed.at += 100;
    }
    expect(said(feed, 'assign.adds-user')).toMatch(
      /came with a user whose last change was unassign, less than 10 s before$/,
    );
  });

  test('after hundreds of thousands of them too', () => {
    const requests = new RightRequests();
    const one = { is: 'list', traits: () => ['a token'], credential: { issuedAt: 0 } };
    for (let at = 0; at < 300_000; at += 1)
      requests.answered({ ...one, at: at % 9 }, at % 7 === 0 ? 'list.fresh' : undefined);
    expect(requests.differences().get('list.fresh')?.kind).toBe('mixed');
  });

  test('not, where there are too few of either', () => {
    const feed = new Feed();
    const { access } = feed.pair();
    feed.refused(access);
    expect(said(feed, 'exchange.token-acts')).toBeUndefined();
  });
});

test('what was found while a setting was wrong is in doubt; what was found before and after is not', () => {
  const feed = new Feed();
  for (const project of ['1', '2', '1']) feed.change('PUT', project, '11', 409, feed.pair().access);
  expect(feed.found).toEqual(Array(3).fill('assign.adds-user'));
  feed.monitor.markUncertain(1, 2);
  expect(feed.monitor.findings.map(({ uncertain }) => uncertain)).toEqual([false, true, false]);
});

test('an application that is created has a client id of its own', () => {
  const created = (clientId: string) => {
    const feed = new Feed();
    for (const [id, clientSecret] of [
      ['first', 'secret-1'],
      [clientId, 'secret-2'],
    ] as const)
      feed.take({
        kind: 'application-created',
        shown: { clientId: id, clientSecret, instead: '' },
        redirectUri: 'https://c.example/',
      });
    return feed.found;
  };
  expect([created('second'), created('first')]).toEqual([[], ['application.account-area']]);
});

test('a list without ids says where its request had no `Accept`', () => {
  const got = ([[], [['Accept', 'application/json']]] as const).map((headers) => {
    const feed = new Feed();
    const access = feed.assigned();
    feed.list('1', ['11'], access);
    feed.begin('GET', listUrl('1'), undefined, access, headers)(json('another form'));
    return feed.monitor.findings.map((finding) => finding.got);
  });
  expect(got).toEqual([['a body without ids for a request without `Accept`'], ['a body without ids']]);
});

test('a refusal with a success’s status warns of that', () => {
  const feed = new Feed();
  feed.assigned();
  feed.begin('GET', listUrl('1'))(json({ error: 'no token' }));
  expect(feed.found).toEqual(['resource.failure-status']);
});

for (const error of ['none', { code: 0 }, 'failed'])
  test(`an assign and an unassign that work, and say ${JSON.stringify(error)} as an error: a warning of that, and nothing against the list`, () => {
    const feed = new Feed();
    const { access } = feed.pair();
    const change = (method: 'PUT' | 'DELETE') =>
      feed.begin(method, `${listUrl('1')}/11`, undefined, access)(json({ error }));
    change('PUT');
    feed.list('1', ['11'], access);
    change('DELETE');
    feed.list('1', [], access);
    expect(feed.found).toEqual(['resource.failure-status', 'resource.failure-status']);
    const [assign] = feed.monitor.findings;
    expect(assign?.exchanges.at(-1)?.request.method).toBe('PUT');
  });

test('an assign that says an error and did nothing: a warning of that; the list is right either way', () => {
  const feed = new Feed();
  const { access } = feed.pair();
  feed.begin('PUT', `${listUrl('1')}/11`, undefined, access)(json({ error: 'busy' }));
  feed.list('1', [], access);
  expect(feed.found).toEqual(['resource.failure-status']);
});

for (const listed of [['11'], []])
  test(`the same by a token without all scopes, listed as ${JSON.stringify(listed)}: a warning at the assignment alone`, () => {
    const feed = new Feed();
    const { access } = feed.pair();
    const writing = feed.fresh();
    feed.exchange(feed.code(APPLICATION, 'write destroy'), issued(writing));
    feed.begin('PUT', `${listUrl('1')}/11`, undefined, writing.access)(json({ error: 'none' }));
    feed.list('1', listed, access);
    expect(feed.found).toEqual(['resource.failure-status']);
    expect(feed.monitor.findings[0]?.exchanges.at(-1)?.request.method).toBe('PUT');
  });

test('what must be refused, and says an error with status 200, is still blamed for its effect', () => {
  const feed = new Feed();
  const { access } = feed.pair();
  feed.begin('PUT', `${listUrl('1')}/11`)(json({ error: 'none' }));
  feed.list('1', ['11'], access);
  expect(feed.found).toContain('assign.token-required');
});

test('one server error in place of what was asked for rightly is told as that, and the next answer counts', () => {
  const feed = new Feed();
  const { access, refresh } = feed.pair();
  feed.change('PUT', '1', '11', 500, access);
  feed.change('PUT', '1', '11', 200, access);
  feed.change('DELETE', '1', '11', 500, access);
  feed.at += 7203;
  feed.refresh(refresh, answer(500));
  feed.refresh(refresh, issued(feed.fresh()));
  expect(feed.found).toEqual(['resource.no-5xx', 'resource.no-5xx', 'token.no-5xx']);
});

test('on a service that others use too, what becomes of their users is shown and not held against it', () => {
  const found = [true, false].map((isLive) => {
    const feed = new Feed({ isLive });
    const { access } = feed.pair();
    feed.list('1', ['501'], access);
    return feed.found;
  });
  expect(found).toEqual([[], ['list.returns-assigned']]);
});

test('a list that shows a change only when it is read again was an old one', () => {
  const feed = new Feed();
  const access = feed.assigned();
  feed.list('1', [], access);
  feed.list('1', ['11'], access);
  expect(feed.found).toEqual(['list.fresh']);
});

test('a list that was never so is wrong and not old, though it is right when it is read again', () => {
  const feed = new Feed();
  const access = feed.assigned();
  feed.list('1', ['11'], access);
  feed.change('PUT', '1', '12', 200, access);
  feed.list('1', ['12'], access);
  feed.list('1', ['11', '12'], access);
  expect(feed.found).toEqual(['list.returns-assigned']);
});

test('an empty list whose token was refreshed meanwhile is a list', () => {
  const feed = new Feed();
  const { access, refresh } = feed.pair();
  feed.change('PUT', '1', '11', 200, access);
  feed.list('1', ['11'], access);
  const listed = feed.begin('GET', listUrl('2'), undefined, access);
  feed.refresh(refresh, issued(feed.fresh()));
  listed(json([]));
  expect(feed.found).toEqual([]);
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

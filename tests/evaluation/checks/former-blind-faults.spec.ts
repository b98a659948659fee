/** Faults that the checks once passed, and the requirements that fail by them now. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { RequirementId } from '../../../generated/ids.ts';
import type { ServiceAnswer } from '../../../src/emulator/answer.ts';
import { defect, type PolicyChanges } from '../../../src/emulator/defects/define-defect.ts';
import { loadProfile } from '../../../src/emulator/policy/load-profile.ts';
import type { Policy } from '../../../src/emulator/policy/policy.ts';
import type { Profile } from '../../../src/emulator/policy/profile.ts';
import type { Scopes } from '../../../src/emulator/store/scopes.ts';
import { CHECKS } from '../../../src/evaluation/checks/index.ts';
import type { Header, Transport, WireResponse } from '../../../src/http/exchange.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import type { Target } from '../../../src/service/target.ts';
import { type RowOutcome, runWithoutBrowser } from '../../proof/kill-matrix/run-checks.ts';
import { checkOpened, idsWith } from '../../support/check-live.ts';
import { emulatorAsLiveTarget } from '../../support/emulator-as-live.ts';

type Expected = Readonly<Partial<Record<RequirementId, RowOutcome['result']>>>;

async function expectResults(changes: (policy: Policy) => PolicyChanges, expected: Expected) {
  const defects = [defect('fault', changes)];
  const profile = await loadProfile('by-the-rfc');
  expect(await outcomesOn(await emulatorTarget({ profile, defects, sockets: false }), expected)).toEqual(
    expected,
  );
}

async function outcomesOn(target: Target, expected: object) {
  const checks = CHECKS.filter(({ id }) => id in expected);
  const outcomes = await runWithoutBrowser(target, checks);
  return Object.fromEntries(outcomes.map(({ id, result }) => [id, result]));
}

/** A healthy service with one application, behind something that changes requests or answers. */
async function expectBehind(behind: (next: Transport, target: Target) => Transport, expected: Expected) {
  const profile = await loadProfile('by-the-rfc');
  const { secondApplication: _, ...target } = await emulatorTarget({ profile, defects: [], sockets: false });
  const changed = { ...target, transport: behind(target.transport, target) };
  expect(await outcomesOn(changed, expected)).toEqual(expected);
}

test('a request without a token is done with the token of one that is under way', async () => {
  const fault = (next: Transport): Transport => {
    let underWay: readonly Header[] | undefined;
    return async (request, signal) => {
      if (!request.url.includes('/v2/')) return next(request, signal);
      const own = request.headers.filter(([name]) => name.toLowerCase() === 'authorization');
      if (own.length === 0) {
        await wait(5);
        return next({ ...request, headers: [...request.headers, ...(underWay ?? [])] }, signal);
      }
      underWay = own;
      await wait(25);
      const answer = await next(request, signal);
      underWay = undefined;
      return answer;
    };
  };
  await expectBehind(fault, {
    'assign.token-required': 'fail',
    'unassign.token-required': 'fail',
    'list.token-required': 'fail',
  });
});

test('a change that meets another is refused (409), and nothing is done: no requirement fails', async () => {
  const fault = ({ assignments, answer }: Policy): PolicyChanges => {
    let busy = false;
    let refused = 0;
    const alone =
      <A extends readonly unknown[], R>(change: (...asked: A) => R | Promise<R>, otherwise: R) =>
      async (...asked: A): Promise<R> => {
        if (busy) {
          refused += 1;
          return otherwise;
        }
        busy = true;
        await wait(1);
        busy = false;
        return change(...asked);
      };
    const conflict = <A extends readonly unknown[]>(reported: (...asked: A) => ServiceAnswer) => {
      return (...asked: A) => {
        if (refused === 0) return reported(...asked);
        refused -= 1;
        return { status: 409, headers: [], body: '' };
      };
    };
    return {
      assignments: {
        assign: alone(assignments.assign, 'assigned'),
        unassign: alone(assignments.unassign, 'unassigned'),
      },
      answer: { assigned: conflict(answer.assigned), unassigned: conflict(answer.unassigned) },
    };
  };
  const ids = CHECKS.map(({ id }) => id).filter((id) => /^(?:assign|unassign|list)\./.test(id));
  await expectResults(fault, Object.fromEntries(ids.map((id) => [id, 'pass'])));
});

for (const [what, grant] of [
  ['exchanges', 'authorization_code'],
  ['refreshes', 'refresh_token'],
] as const) {
  test(`two ${what} at once that get each other's answers, at a service with one application`, async () => {
    const swapped = (next: Transport): Transport => {
      let first: { readonly answer: WireResponse; readonly swap: (other: WireResponse) => void } | undefined;
      return async (request, signal) => {
        const answer = await next(request, signal);
        if (!request.body?.includes(`grant_type=${grant}`)) return answer;
        if (first === undefined) {
          const met = new Promise<WireResponse>((swap) => {
            first = { answer, swap };
          });
          return Promise.race([met, wait(5).then(() => answer)]).finally(() => {
            first = undefined;
          });
        }
        first.swap(answer);
        return first.answer;
      };
    };
    await expectBehind(swapped, { 'scope.granted-scopes-act': 'fail' });
  });
}

test('the access token of the tenth refresh is dead', async () => {
  const fault = ({ lifetime }: Policy): PolicyChanges => {
    const turns = new Map<unknown, number>();
    return {
      lifetime: {
        accessToken(previous, now) {
          const turn = previous === undefined ? 0 : (turns.get(previous.grant) ?? 0) + 1;
          if (previous !== undefined) turns.set(previous.grant, turn);
          return turn === 10 ? 0 : lifetime.accessToken(previous, now);
        },
      },
    };
  };
  await expectResults(fault, { 'refresh.new-token-acts': 'fail', 'refresh.chain': 'pass' });
});

test('scopes that are dropped when they are asked for together: the service need not ask again for what it granted', async () => {
  const fault = ({ authorize }: Policy): PolicyChanges => ({
    authorize: {
      scopes(request) {
        const last = request.scope
          ?.split(' ')
          .filter((scope) => scope === 'destroy')
          .at(-1);
        return authorize.scopes(last === undefined ? request : { ...request, scope: last });
      },
    },
  });
  await expectResults(fault, { 'authorize.grant-needed': 'blocked', 'authorize.scope-combined': 'fail' });
});

test('the scopes of the consent page that was shown last, in any tab, are granted', async () => {
  const fault = ({ code, token }: Policy): PolicyChanges => {
    let shown: Scopes | undefined;
    const granted = new Map<string, Scopes | undefined>();
    return {
      authorize: {
        consentNeeded(scopes) {
          shown = scopes;
          return true;
        },
      },
      code: {
        value(randomness) {
          const value = code.value(randomness);
          granted.set(value, shown);
          return value;
        },
      },
      token: { scopes: (one, exchange) => granted.get(one.value) ?? token.scopes(one, exchange) },
    };
  };
  const { answers, ...rest } = await loadProfile('by-the-rfc');
  const profile: Profile = {
    ...rest,
    answers: {
      ...answers,
      'scope-per-operation.list': ['read'],
      'token-response-fields.extra-fields': [],
    },
  };
  const open = () =>
    emulatorAsLiveTarget(profile, [defect('fault', fault)], (written) => ({
      ...written,
      consent: { ...written.consent, shown: 'always' },
    }));
  const narrow = await checkOpened(open, { only: ['authorize.grant-needed'] });
  expect(idsWith(narrow, 'fail')).toEqual(['authorize.grant-needed']);
  const wide = await checkOpened(open, { only: ['exchange.form-encoded', 'scope.granted-scopes-act'] });
  expect(idsWith(wide, 'fail')).toEqual(['scope.granted-scopes-act']);
});

test('a wrong secret passes while an exchange with the right one is under way', async () => {
  const fault = (next: Transport, { application }: Target): Transport => {
    const right = `client_secret=${application.clientSecret}`;
    let underWay = 0;
    return async (request, signal) => {
      const { body = '' } = request;
      if (!request.url.endsWith('/oauth/token')) return next(request, signal);
      if (!body.includes(right))
        return next(
          underWay > 0 ? { ...request, body: body.replace(/client_secret=[^&]*/, right) } : request,
          signal,
        );
      underWay += 1;
      await wait(5);
      return next(request, signal).finally(() => {
        underWay -= 1;
      });
    };
  };
  await expectBehind(fault, { 'exchange.client-secret-checked': 'fail' });
});

/** Requests to the resource API that a service refuses and carries out all the same, or only the second time. */
import { expect, test } from '@playwright/test';
import {
  headerOf,
  isSuccess,
  type Transport,
  type WireRequest,
  type WireResponse,
} from '../../../src/http/exchange.ts';
import { checkBehind, idsWith } from '../../support/check-live.ts';

const REFUSALS = [
  '5',
  'assign.unknown-project-refused',
  'assign.unknown-user-refused',
  'unassign.unknown-project-refused',
  'unassign.unknown-user-refused',
  'list.unknown-project-refused',
];

const isResource = ({ url }: WireRequest) => url.includes('/projects/');

/** A fault of a service: the requests that it carries out without a token, how often, and its answer. */
interface Wrong {
  readonly method: 'PUT' | 'DELETE';
  readonly times: number;
  readonly status: 204 | 401;
}

/** A service that carries out requests without a token, with the last one that was good. */
function carriesOut(...all: readonly Wrong[]): (inner: Transport) => Transport {
  const left = new Map(all.map((wrong) => [wrong, wrong.times]));
  let good: string | undefined;
  return (inner) => async (request, signal) => {
    const presented = headerOf(request, 'authorization');
    const wrong = all.find((one) => one.method === request.method && (left.get(one) ?? 0) > 0);
    if (isResource(request) && presented === undefined && good !== undefined && wrong !== undefined) {
      left.set(wrong, (left.get(wrong) ?? 0) - 1);
      const headers = [...request.headers, ['Authorization', good] as const];
      return { ...(await inner({ ...request, headers }, signal)), status: wrong.status };
    }
    const response = await inner(request, signal);
    if (isResource(request) && isSuccess(response)) good = presented;
    return response;
  };
}

for (const status of [204, 401] as const) {
  test(`a service that once unassigns without a token, and says ${status}: that requirement fails`, async () => {
    const results = await checkBehind(carriesOut({ method: 'DELETE', times: 1, status }), REFUSALS);
    const [seen] = results.requirements.filter(({ id }) => id === 'unassign.token-required');
    expect(seen?.reason).toMatch(/unassign with no token to be refused, without effect/);
    expect(idsWith(results, 'fail')).toEqual(['unassign.token-required']);
    expect(results.exitCode).toBe(1);
  });

  test(`a service that always unassigns without a token, and says ${status}: that requirement fails, and no other`, async () => {
    const results = await checkBehind(carriesOut({ method: 'DELETE', times: 100, status }), REFUSALS);
    expect(idsWith(results, 'fail')).toEqual(['unassign.token-required']);
    expect(results.troubles).toEqual([]);
    expect(results.exitCode).toBe(1);
  });
}

test('two requirements that are broken fail both, each by its own requests', async () => {
  const wrong = { times: 100, status: 401 } as const;
  const behind = carriesOut({ method: 'DELETE', ...wrong }, { method: 'PUT', ...wrong });
  const results = await checkBehind(behind, REFUSALS);
  expect(idsWith(results, 'fail')).toEqual(['assign.token-required', 'unassign.token-required']);
  expect(results.troubles).toEqual([]);
});

test('what was refused is refused when it is asked again right away', async () => {
  let refused: string | undefined;
  let good: WireResponse | undefined;
  const listsTheSecondTime = (inner: Transport) => async (request: WireRequest, signal?: AbortSignal) => {
    const response = await inner(request, signal);
    if (!isResource(request) || request.method !== 'GET') return response;
    const again = request.url === refused;
    refused = isSuccess(response) ? undefined : request.url;
    if (isSuccess(response)) good = response;
    return again && good !== undefined ? good : response;
  };
  const results = await checkBehind(listsTheSecondTime, [
    'list.returns-assigned',
    'list.unknown-project-refused',
  ]);
  expect(idsWith(results, 'fail')).toEqual(['list.unknown-project-refused']);
});

test('a list without a token that is refused and unassigns a user fails its requirement', async () => {
  let assign: WireRequest | undefined;
  const unassignsAtList = (inner: Transport) => async (request: WireRequest, signal?: AbortSignal) => {
    const response = await inner(request, signal);
    if (request.method === 'PUT' && isSuccess(response)) assign = request;
    if (assign !== undefined && request.method === 'GET' && isResource(request) && !isSuccess(response))
      await inner({ ...assign, method: 'DELETE' }, signal);
    return response;
  };
  const results = await checkBehind(unassignsAtList, ['list.token-required', 'unassign.token-required']);
  expect(idsWith(results, 'fail')).toEqual(['list.token-required']);
  expect(results.troubles).toEqual([]);
  expect(results.exitCode).toBe(1);
});

const OTHERS = ['9001', '9002', '9003', '9004'];

/** A list with more of other people's users, who are lost when `loses` says so. */
function withOthers(loses: (request: WireRequest, count: number) => boolean) {
  const gone = new Set<string>();
  return (inner: Transport) => async (request: WireRequest, signal?: AbortSignal) => {
    const response = await inner(request, signal);
    if (!isResource(request) || !isSuccess(response)) return response;
    if (loses(request, gone.size)) gone.add(OTHERS[gone.size] ?? '');
    if (request.method !== 'GET') return response;
    const others = OTHERS.filter((id) => !gone.has(id)).map((id) => ({ id: Number(id) }));
    return { ...response, body: JSON.stringify([...JSON.parse(response.body), ...others]) };
  };
}

test("other people's users who are lost at three unassignments in a row fail the requirement", async () => {
  const results = await checkBehind(
    withOthers(({ method }, count) => method === 'DELETE' && count < 3),
    ['unassign.leaves-others', 'list.returns-assigned'],
  );
  expect(idsWith(results, 'fail')).toEqual(['unassign.leaves-others']);
});

test("other people's users who are lost at two unassignments are a notice", async () => {
  const results = await checkBehind(
    withOthers(({ method }, count) => method === 'DELETE' && count < 2),
    ['unassign.leaves-others', 'list.returns-assigned'],
  );
  expect([idsWith(results, 'fail'), results.notices]).toEqual([
    [],
    [expect.stringContaining("another person's user")],
  ]);
});

/** The documented flow works in every context; what fails in one of them alone has its name in the first line. */
import { expect, test } from '@playwright/test';
import { explore } from '../../../src/evaluation/explore/explore.ts';
import { openToExplore } from '../../../src/evaluation/explore/replay.ts';
import type { Transport, WireRequest, WireResponse } from '../../../src/http/exchange.ts';
import { emulatorToExplore } from '../../../src/service/emulator.ts';
import { checkBehind, idsWith } from '../../support/check-live.ts';

const isList = ({ method, url }: WireRequest) => method === 'GET' && url.includes('/assigned_users');

/** Answers a list in gzip with its first answer. */
function staleWhenCompressed(inner: Transport): Transport {
  const shown = new Map<string, WireResponse>();
  return async (request, signal) => {
    const isZipped = request.headers.some(([name, value]) => name === 'Accept-Encoding' && value === 'gzip');
    const known = shown.get(request.url);
    if (isList(request) && isZipped && known !== undefined) return known;
    const response = await inner(request, signal);
    if (isList(request) && known === undefined) shown.set(request.url, response);
    return response;
  };
}

/** Refuses the next assign after HEAD with 405. */
function noAssignAfterHead(inner: Transport): Transport {
  let after = false;
  return async (request, signal) => {
    const isAssign = request.method === 'PUT';
    const refused = isAssign && after;
    const isHead = request.method === 'HEAD' && request.url.includes('/v2/');
    after = isHead || (after && !isAssign);
    return refused ? { status: 405, headers: [], body: '', bytes: 0 } : inner(request, signal);
  };
}

/** Gives each list the number of users that were ever assigned as its tag. */
function taggedByAssigns(inner: Transport): Transport {
  let assigned = 0;
  return async (request, signal) => {
    const response = await inner(request, signal);
    if (request.method === 'PUT') assigned += 1;
    if (!isList(request) || response.status !== 200) return response;
    const headers = [...response.headers, ['ETag', `"${assigned}"`]] as const;
    const isKnown = request.headers.some(
      ([name, value]) => name === 'If-None-Match' && value === `"${assigned}"`,
    );
    return isKnown ? { status: 304, headers, body: '', bytes: 0 } : { ...response, headers };
  };
}

for (const [what, behind, id, context] of [
  ['stale where it is compressed', staleWhenCompressed, 'list.fresh', 'with a compressed list'],
  ['refused after HEAD', noAssignAfterHead, 'assign.adds-user', 'after HEAD'],
  [
    'unchanged after a removal',
    taggedByAssigns,
    'list.fresh',
    'with a list that changes between two conditional requests',
  ],
] as const) {
  test(`a request that is ${what} fails ${id}, ${context}, also when the whole context is played again`, async () => {
    const results = await checkBehind(behind);
    const reason = results.requirements.find((one) => one.id === id)?.reason.split('\n')[0];
    expect([results.exitCode, idsWith(results, 'fail'), reason]).toEqual([
      1,
      [id],
      expect.stringMatching(`, ${context}; by exploring .*; shown again 3 of 3 times`),
    ]);
  });
}

/** Explores an emulator behind a transport, until the first finding. */
async function foundBehind(behind: (inner: Transport) => Transport): Promise<readonly string[]> {
  const target = await emulatorToExplore('by-the-rfc', []);
  const faulty = { ...target, transport: behind(target.transport) };
  const { watched, session, close } = await openToExplore(faulty);
  const until = () => true;
  try {
    const plan = { seed: 1, requests: 3_000, refusals: true, until };
    const { findings } = await explore(watched, session, plan);
    return findings.map(({ id, context }) => `${id}, ${context}`);
  } finally {
    await close();
  }
}

const isChange = ({ method }: WireRequest) => method === 'PUT' || method === 'DELETE';

/** Answers a change without a length with this status, and does nothing. */
function withoutLength(status: number) {
  return (inner: Transport): Transport =>
    async (request, signal) =>
      isChange(request) && request.noLength
        ? { status, headers: [], body: '', bytes: 0 }
        : inner(request, signal);
}

/** Gives a refreshed pair of these scopes one scope more. */
function widensAtRefresh(scope: string) {
  return (inner: Transport): Transport =>
    async (request, signal) => {
      const response = await inner(request, signal);
      const isRefresh = request.body?.includes('grant_type=refresh_token');
      const body = response.body.replace(`"scope":"${scope}"`, '"scope":"read write destroy"');
      return isRefresh ? { ...response, body } : response;
    };
}

for (const [what, behind, found] of [
  ['without a length is ignored', withoutLength(204), 'assign.adds-user, with changes that have no length'],
  ['without a length is refused', withoutLength(400), 'assign.adds-user, with changes that have no length'],
  [
    'with two scopes gets the third',
    widensAtRefresh('write destroy'),
    'refresh.scope-kept, for the scope write destroy',
  ],
] as const) {
  test(`what ${what} is found by its context`, async () => {
    expect(await foundBehind(behind)).toEqual([found]);
  });
}

test('a service may want a length', async () => {
  expect(await foundBehind(withoutLength(411))).toEqual([]);
});

/** The documented flow works in every context; what fails in one of them alone has its name in the first line. */
import { expect, test } from '@playwright/test';
import type { Transport, WireRequest, WireResponse } from '../../../src/http/exchange.ts';
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

/** Answers the next change after HEAD with 405. */
function noChangeAfterHead(inner: Transport): Transport {
  let after = false;
  return async (request, signal) => {
    const isChange = request.method === 'PUT' || request.method === 'DELETE';
    const refused = isChange && after;
    after = request.method === 'HEAD' || (after && !isChange);
    return refused ? { status: 405, headers: [], body: '', bytes: 0 } : inner(request, signal);
  };
}

for (const [what, behind, id, context] of [
  ['stale where it is compressed', staleWhenCompressed, 'list.fresh', 'with a compressed list'],
  ['refused after HEAD', noChangeAfterHead, 'assign.adds-user', 'after HEAD'],
] as const) {
  test(`a request that is ${what} fails ${id}, ${context}`, async () => {
    const results = await checkBehind(behind);
    const reason = results.requirements.find((one) => one.id === id)?.reason.split('\n')[0];
    expect([results.exitCode, idsWith(results, 'fail'), reason]).toEqual([
      1,
      [id],
      expect.stringContaining(`, ${context}; by exploring`),
    ]);
  });
}

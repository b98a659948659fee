/** Changes to an answer in transit that keep its meaning. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Header, Transport, WireRequest, WireResponse } from '../../../src/http/exchange.ts';
import type { Target } from '../../../src/service/target.ts';

/** Milliseconds by which answers are late. Every second one waits longer than the next, so that they overtake. */
const DELAYS_MS = [4, 1] as const;

export function slow(target: Target): Target {
  let sent = 0;
  return through(target, (next) => async (request) => {
    sent += 1;
    await pause(DELAYS_MS[sent % DELAYS_MS.length]);
    return next(request);
  });
}

/** The target, redirects among its own pages written relative to the page. */
export function relativeLocations(target: Target): Target {
  return through(target, (next) => async (request) => relative(request, await next(request)));
}

function through(target: Target, wrap: (next: Transport) => Transport): Target {
  return { ...target, transport: wrap(target.transport) };
}

function relative({ url }: WireRequest, response: WireResponse): WireResponse {
  const headers = response.headers.map(([name, value]): Header => {
    if (name.toLowerCase() !== 'location') return [name, value];
    const to = new URL(value, url);
    const from = new URL(url);
    if (to.origin !== from.origin) return [name, value];
    const up = '../'.repeat(from.pathname.split('/').length - 2);
    return [name, `${up || './'}${to.pathname.slice(1)}${to.search}${to.hash}`];
  });
  return { ...response, headers };
}

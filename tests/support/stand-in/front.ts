import type { ServerResponse } from 'node:http';
import type { Handler } from './listener.ts';
import type { Settings } from './settings.ts';

/** What stands before a service of a vendor: an announced end, brownouts, and limits by method. */
export interface Front {
  /** Puts it in front of a listener's answers. The limits count the requests of all listeners together, but for pages. */
  before(handler: Handler): Handler;
  /** The number of requests that were answered 429 so far. */
  throttled(): number;
}

/** Vendors limit their API and the token endpoint; a browser reads no header. */
function isPage(url = ''): boolean {
  return !url.startsWith('/oauth/token') && !url.includes('/projects/');
}

const DEPRECATED = '@1767225600';

export function inFront({ limits, limitSeconds, brownout, sunset }: Settings): Front {
  const started = Date.now();
  const windows = new Map<string, { readonly began: number; count: number }>();
  let throttled = 0;

  function rests(res: ServerResponse): boolean {
    if (brownout === undefined) return false;
    const since = (Date.now() - started) / 1_000 - brownout.after;
    if (since < 0 || since >= brownout.lasts) return false;
    const wait = brownout.status === 503 ? { 'Retry-After': `${Math.ceil(brownout.lasts - since)}` } : {};
    res.writeHead(brownout.status, { 'Content-Type': 'text/plain', ...wait }).end('The service rests.\n');
    return true;
  }

  function isThrottled(method: string, res: ServerResponse): boolean {
    const most = limits.get(method);
    if (most === undefined) return false;
    const now = Date.now();
    const last = windows.get(method);
    const ms = limitSeconds * 1_000;
    const window = last !== undefined && now < last.began + ms ? last : { began: now, count: 0 };
    windows.set(method, window);
    window.count += 1;
    const left = Math.max(0, most - window.count);
    const reset = Math.ceil((window.began + ms - now) / 1_000);
    res.setHeader('RateLimit-Policy', `"${method}";q=${most};w=${limitSeconds}`);
    res.setHeader('RateLimit', `"${method}";r=${left};t=${reset}`);
    res.setHeader('X-RateLimit-Remaining', `${left}`);
    res.setHeader('X-RateLimit-Reset', `${reset}`);
    if (window.count <= most) return false;
    throttled += 1;
    res
      .writeHead(429, { 'Content-Type': 'text/plain', 'Retry-After': `${reset}` })
      .end('Too many requests.\n');
    return true;
  }

  return {
    before: (handler) => (req, res) => {
      if (sunset !== undefined) {
        res.setHeader('Sunset', new Date(sunset).toUTCString());
        res.setHeader('Deprecation', DEPRECATED);
      }
      if (rests(res) || (!isPage(req.url) && isThrottled(req.method ?? '', res))) return;
      return handler(req, res);
    },
    throttled: () => throttled,
  };
}

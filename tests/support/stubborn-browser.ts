import type { Browser } from 'playwright-core';

/** Which calls of the driver there were, and which one never comes back. */
export interface Stubbornness {
  /** Names of the calls that come back later, `Page.goto`; filled while the browser is used. */
  readonly calls: Set<string>;
  /** A call that is neither carried out nor answered. */
  readonly hangs?: string;
}

const REAL = Symbol('real');

/** A running browser through which every object that it hands out has one call that never comes back. */
export function stubbornBrowser(browser: Browser, how: Stubbornness): Browser {
  return stubborn(browser, how);
}

function stubborn<T extends object>(real: T, how: Stubbornness): T {
  const wrap = (value: unknown): unknown => (isDriverObject(value) ? stubborn(value, how) : value);
  return new Proxy(real, {
    get(target, key) {
      if (key === REAL) return target;
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return wrap(value);
      return (...args: unknown[]) => {
        const name = nameOf(target, String(key), args);
        if (name === how.hangs) return new Promise(() => undefined);
        const answer: unknown = value.apply(target, args.map(unwrapped));
        if (!(answer instanceof Promise)) return wrap(answer);
        how.calls.add(name);
        return answer.then(wrap);
      };
    },
  });
}

/** `Page.goto`; of a command to the browser, which one, and what is to be intercepted. */
function nameOf(target: object, method: string, [first, second]: readonly unknown[]): string {
  const call = `${target.constructor.name.replace(/^_|\d+$/g, '')}.${method}`;
  if (call !== 'CDPSession.send') return call;
  return [call, first, ...(first === 'Fetch.enable' ? [JSON.stringify(second)] : [])].join(' ');
}

function unwrapped(value: unknown): unknown {
  return typeof value === 'object' ? ((value as { [REAL]?: unknown } | null)?.[REAL] ?? value) : value;
}

function isDriverObject(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    /^_?(?:Browser|BrowserContext|Page|Frame|Locator|ElementHandle|CDPSession)\d*$/.test(
      value.constructor?.name ?? '',
    )
  );
}

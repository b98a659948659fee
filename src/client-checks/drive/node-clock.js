/** Loaded into a Node application by NODE_OPTIONS: moves its clock forward by the seconds in a file. Timers stay unchanged. */
import { readFileSync } from 'node:fs';

const file = process.env.LEGACY_CLOCK_FILE;

if (file !== undefined) {
  const Real = Date;
  const now = () => Real.now() + offsetMs(file);
  globalThis.Date = new Proxy(Real, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new Real(now()).toString(),
    get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
  });
}

/** @param {string} path */
function offsetMs(path) {
  try {
    return Number(readFileSync(path, 'utf8')) * 1_000 || 0;
  } catch {
    return 0;
  }
}

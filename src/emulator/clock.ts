/** The one source of time. Seconds since the epoch, with a fraction in real time. */
export interface Clock {
  now(): number;
  /** Moves the clock forward, and returns the new time. @throws RangeError for a negative number, or beyond the year 9999 */
  advance(seconds: number): number;
  /** Undoes all moves. The caller must discard everything issued before. */
  reset(): void;
}

/** Default start of a virtual clock: 2026-01-01T00:00:00Z. */
const VIRTUAL_START = 1_767_225_600;

export function createVirtualClock(start: number = VIRTUAL_START): Clock {
  let time = start;
  return {
    now: () => time,
    advance: (seconds) => {
      time = forwards(time, seconds);
      return time;
    },
    reset: () => {
      time = start;
    },
  };
}

export function createRealClock(): Clock {
  let offset = 0;
  const now = () => Date.now() / 1000 + offset;
  return {
    now,
    advance: (seconds) => {
      forwards(now(), seconds);
      offset += seconds;
      return now();
    },
    reset: () => {
      offset = 0;
    },
  };
}

/** 9999-12-31T23:59:59Z: headers cannot express later dates. */
const LAST = 253_402_300_799;

function forwards(now: number, seconds: number): number {
  if (Number.isFinite(seconds) && seconds >= 0 && now + seconds <= LAST) return now + seconds;
  throw new RangeError(
    `The clock moves by a number of seconds, zero or more, and not beyond the year 9999; got ${seconds}.`,
  );
}

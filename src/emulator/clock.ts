/** The one source of time. Seconds since the epoch, with a fraction where real time has one. */
export interface Clock {
  now(): number;
  /**
   * Moves the clock forward.
   *
   * @returns the new time
   * @throws RangeError when `seconds` is negative, no finite number, or beyond the year 9999: the clock only goes forward
   */
  advance(seconds: number): number;
  /** Takes back all moves. For who begins anew: whatever was issued before must be gone. */
  reset(): void;
}

/** Where a virtual clock starts unless told: 2026-01-01T00:00:00Z. */
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

/** A clock that follows real time, plus what it was moved by. */
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

/** 9999-12-31T23:59:59Z: later dates have no spelling in headers. */
const LAST = 253_402_300_799;

function forwards(now: number, seconds: number): number {
  if (Number.isFinite(seconds) && seconds >= 0 && now + seconds <= LAST) return now + seconds;
  throw new RangeError(
    `The clock moves by a number of seconds, zero or more, and not beyond the year 9999; got ${seconds}.`,
  );
}

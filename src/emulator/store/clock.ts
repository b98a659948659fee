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

/** 9999-12-31T23:59:59Z: headers cannot express later dates. */
const LAST = 253_402_300_799;

/** Creates a clock that only its moves advance. */
export function createVirtualClock(start: number = VIRTUAL_START): Clock {
  return movable(() => start);
}

/** Creates a clock in real time. */
export function createRealClock(): Clock {
  return movable(() => Date.now() / 1000);
}

function movable(unmoved: () => number): Clock {
  let offset = 0;
  const now = () => unmoved() + offset;
  return {
    now,
    advance: (seconds) => {
      if (!Number.isFinite(seconds) || seconds < 0 || now() + seconds > LAST)
        throw new RangeError(
          `The clock moves by a number of seconds, zero or more, and not beyond the year 9999; got ${seconds}.`,
        );
      offset += seconds;
      return now();
    },
    reset: () => {
      offset = 0;
    },
  };
}

import type { WriteStream } from 'node:tty';

/** Long work in groups, with the number of parts in each. */
export interface Work {
  readonly what: string;
  readonly groups: ReadonlyMap<string, number>;
  readonly plain?: boolean;
}

type Out = Pick<WriteStream, 'write'> & { readonly isTTY?: boolean; readonly columns?: number };

/** Seconds between two plain countdown lines: build servers kill jobs that are silent for ten minutes. */
const COUNTDOWN_EVERY = 300;

/** Shorter waits, in seconds, get no line. */
const SHORT = 60;

const CLEAR_LINE = '\r\u001b[K';

/**
 * Shows the progress of long work with the time that it took so far: the parts differ too much for an estimate of the rest. A
 * terminal gets one line that is overwritten; other outputs get a plain line for each completed group.
 *
 * @param now milliseconds of a clock that only goes forward
 */
export function startProgress(
  { what, groups, plain = false }: Work,
  out: Out,
  now: () => number = () => performance.now(),
) {
  const onTerminal = Boolean(out.isTTY) && !process.env.CI && !plain;
  const begun = now();
  const left = new Map(groups);
  const total = [...groups.values()].reduce((sum, size) => sum + size, 0);
  let done = 0;
  let reportedAt = Number.POSITIVE_INFINITY;
  return {
    done: (name: string, group: string): void => {
      done += 1;
      const soFar = `${what} ${done}/${total} after ${duration(now() - begun)}`;
      const of = (left.get(group) ?? 0) - 1;
      left.set(group, of);
      if (onTerminal) out.write(`${CLEAR_LINE}${`${soFar}  ${name}`.slice(0, (out.columns ?? 80) - 1)}`);
      else if (of === 0) out.write(`${soFar}; done: ${group}\n`);
    },
    waiting: (secondsLeft: number): void => {
      const text = `waiting for tokens to expire: ${duration(secondsLeft * 1_000)} left`;
      if (onTerminal) out.write(`${CLEAR_LINE}${text}`);
      else if (secondsLeft >= SHORT && secondsLeft <= reportedAt - COUNTDOWN_EVERY) {
        reportedAt = secondsLeft;
        out.write(`${text}\n`);
      }
    },
    /** Tells of a part that is repeated after the others. */
    again: (name: string): void => {
      const text = `again, alone: ${name}`;
      out.write(onTerminal ? `${CLEAR_LINE}${text}` : `${text}\n`);
    },
    end: (): void => {
      if (onTerminal) out.write(CLEAR_LINE);
    },
  };
}

export type Progress = ReturnType<typeof startProgress>;

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

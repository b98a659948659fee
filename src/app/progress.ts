import type { WriteStream } from 'node:tty';
import type { RequirementResult } from '../report/results.ts';

/** Shows how far a run has come. */
export interface Progress {
  result(result: RequirementResult): void;
  /** Tokens are waited for to expire. */
  waiting(secondsLeft: number): void;
  end(): void;
}

/** A plain line is printed every so many results where there is no terminal. */
const LINES = 4;

/** Seconds between two plain lines of a countdown: build servers end jobs that are silent for ten minutes. */
const COUNTDOWN_EVERY = 300;

/**
 * Progress of a run: one line that is written over on a terminal, a few plain lines elsewhere. Results that need
 * attention are told at once.
 *
 * @param total number of requirements selected
 */
export function startProgress(total: number, out: NodeJS.WriteStream & Partial<WriteStream>): Progress {
  const onTerminal = Boolean(out.isTTY) && !process.env.CI;
  const every = Math.max(1, Math.ceil(total / LINES));
  let done = 0;
  let toldAt = Number.POSITIVE_INFINITY;
  const line = (id: string) => `checking ${done}/${total}  ${id}`;
  return {
    result: (result) => {
      done += 1;
      if (onTerminal) out.write(`\r\u001b[K${line(result.id).slice(0, (out.columns ?? 80) - 1)}`);
      else if (done % every === 0 || done === total) out.write(`checked ${done} of ${total}\n`);
    },
    waiting: (secondsLeft) => {
      const text = `waiting for tokens to expire: ${minutes(secondsLeft)} left`;
      if (onTerminal) out.write(`\r\u001b[K${text}`);
      else if (secondsLeft <= toldAt - COUNTDOWN_EVERY) {
        toldAt = secondsLeft;
        out.write(`${text}\n`);
      }
    },
    end: () => {
      if (onTerminal) out.write('\r\u001b[K');
    },
  };
}

function minutes(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

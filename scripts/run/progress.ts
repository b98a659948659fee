import type { WriteStream } from 'node:tty';
import type { RequirementResult } from '../../src/report/results.ts';

/** Shows how far a run has come. */
export interface Progress {
  result(result: RequirementResult): void;
  end(): void;
}

/** A plain line is printed every so many results where there is no terminal. */
const LINES = 4;

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
  const line = (id: string) => `checking ${done}/${total}  ${id}`;
  return {
    result: (result) => {
      done += 1;
      if (onTerminal) out.write(`\r\u001b[K${line(result.id).slice(0, (out.columns ?? 80) - 1)}`);
      else if (done % every === 0 || done === total) out.write(`checked ${done} of ${total}\n`);
    },
    end: () => {
      if (onTerminal) out.write('\r\u001b[K');
    },
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { SituationId } from '../../generated/ids.ts';
import { UsageError } from '../document/input/usage-error.ts';
import type { JournalEntry } from '../emulator/control/control-types.ts';
import { situationOf } from '../emulator/journal/mark.ts';
import type { Emulator } from '../emulator/start/start-emulator.ts';
import type { Act, ActName, Episode } from './evaluate/episode.ts';

/**
 * Runs the integrator's command with the suite's variables, without a shell, and passes on signals until it ends.
 * @param output destination of its standard output: the suite's, or standard error (2)
 * @returns `exit code 7` or `signal SIGTERM`; undefined if the command succeeded
 * @throws UsageError if there is no such command
 */
export async function runCommand(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
  output: 'inherit' | 2 = 'inherit',
): Promise<string | undefined> {
  const [file = '', ...args] = words;
  const child = spawn(file, args, { env, stdio: ['inherit', output, 'inherit'] });
  const unhook = passSignalsOn(child, signal);
  try {
    await once(child, 'close');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such command' : message;
    throw new UsageError(`client: ${file}: ${why}; nothing was evaluated`);
  } finally {
    unhook();
  }
  const { exitCode, signalCode: name } = child;
  if (name !== null) return `signal ${name} (${128 + (constants.signals[name] ?? 0)})`;
  return exitCode === 0 ? undefined : `exit code ${exitCode}`;
}

/** A terminal sends SIGINT to the command directly, so it is not forwarded. */
function passSignalsOn(child: ChildProcess, interruption: AbortSignal | undefined): () => void {
  let passed = false;
  const hooks = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((name) => {
    const pass = () => {
      passed = true;
      if (name !== 'SIGINT' || !process.stdin.isTTY) child.kill(name);
    };
    process.on(name, pass);
    return () => process.off(name, pass);
  });
  const end = () => {
    if (!passed) child.kill('SIGTERM');
  };
  interruption?.addEventListener('abort', end, { once: true });
  return () => {
    interruption?.removeEventListener('abort', end);
    for (const unhook of hooks) unhook();
  };
}

/** The act of each mark, and the situations that the journal shows only between such marks, which a test sets. */
const MARKED: readonly (readonly [Act['act'], as: ActName, ...situations: SituationId[]])[] = [
  ['callback', 'hostile', 'state-wrong', 'state-missing', 'state-replayed', 'foreign-code'],
  ['callback', 'denied', 'denial'],
  ['callback', 'reload', 'callback-reloaded'],
  ['callback', 'at-once', 'callback-twice'],
  ['call', 'at-once', 'calls-at-expiry', 'race-same-pair', 'race-another-pair', 'race-refused'],
  ['call', '', 'brownout', 'sunset-header', 'gone'],
];

export function episodesOf(entries: readonly JournalEntry[], emulator: Emulator): readonly Episode[] {
  const [first, second] = emulator.seed.owners;
  const owners = { first: first?.email ?? '', second: second?.email ?? '' };
  const sorted = entries.toSorted((a, b) => a.arrival - b.arrival);
  const ids = MARKED.flatMap(([, , ...situations]) => situations);
  const marked = Map.groupBy(sorted, ({ mark }) => ids.find((id) => id === situationOf(mark)));
  return [...marked].map(([mark, members]): Episode => {
    if (mark === undefined) return { situation: 'own-tests', steps: [], entries: members, owners };
    const [act = 'call', as = ''] = MARKED.find(([, , ...situations]) => situations.includes(mark)) ?? [];
    const whole: Act = {
      act,
      as,
      session: 'first',
      outcome: 'ok',
      detail: 'was made by a test',
      after: (members[0]?.arrival ?? 1) - 1,
      until: members.at(-1)?.arrival ?? 0,
    };
    return { situation: mark, steps: [whole], entries: members, owners };
  });
}

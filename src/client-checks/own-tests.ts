import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { UsageError } from '../document/input/usage-error.ts';
import type { SituationId } from '../document/load-client-requirements.ts';
import type { JournalEntry } from '../emulator/control-types.ts';
import type { Emulator } from '../emulator/start-emulator.ts';
import type { Act, Episode } from './evaluate/episode.ts';

/**
 * Runs the integrator's command with the suite's variables, without a shell, and passes on signals until it ends.
 * @param output destination of its standard output: the suite's, or standard error (2)
 * @returns `exit code 7` or `signal SIGTERM`; undefined if the command succeeded
 * @throws UsageError if there is no such command
 */
export function runCommand(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
  output: 'inherit' | 2 = 'inherit',
): Promise<string | undefined> {
  const [file = '', ...args] = words;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env, stdio: ['inherit', output, 'inherit'] });
    const unhook = passSignalsOn(child, signal);
    child.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      unhook();
      const why = code === 'ENOENT' ? 'there is no such command' : message;
      reject(new UsageError(`client: ${file}: ${why}; nothing was evaluated`));
    });
    child.once('close', (code, name) => {
      unhook();
      const ended = code === 0 ? undefined : `exit code ${code}`;
      resolve(name === null ? ended : `signal ${name} (${128 + (constants.signals[name] ?? 0)})`);
    });
  });
}

/** A terminal sends SIGINT to the command directly, so it is not forwarded. */
function passSignalsOn(child: ChildProcess, orphaned: AbortSignal | undefined): () => void {
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
  orphaned?.addEventListener('abort', end, { once: true });
  return () => {
    orphaned?.removeEventListener('abort', end);
    for (const unhook of hooks) unhook();
  };
}

/** Situations that the journal shows only between marks that a test sets, with the act of each mark. */
const MARKED: Readonly<Partial<Record<SituationId, Pick<Act, 'act' | 'as'>>>> = {
  'state-wrong': { act: 'callback', as: 'hostile' },
  'state-missing': { act: 'callback', as: 'hostile' },
  'state-replayed': { act: 'callback', as: 'hostile' },
  'foreign-code': { act: 'callback', as: 'hostile' },
  denial: { act: 'callback', as: 'denied' },
  'callback-reloaded': { act: 'callback', as: 'reload' },
  'callback-twice': { act: 'callback', as: 'at-once' },
  'calls-at-expiry': { act: 'call', as: 'at-once' },
  'race-same-pair': { act: 'call', as: 'at-once' },
  'race-another-pair': { act: 'call', as: 'at-once' },
  'race-refused': { act: 'call', as: 'at-once' },
  brownout: { act: 'call', as: '' },
  'sunset-header': { act: 'call', as: '' },
  gone: { act: 'call', as: '' },
};

export function episodesOf(entries: readonly JournalEntry[], emulator: Emulator): readonly Episode[] {
  const [first, second] = emulator.seed.owners;
  const owners = { first: first?.email ?? '', second: second?.email ?? '' };
  const sorted = entries.toSorted((a, b) => a.arrival - b.arrival);
  const ids = Object.keys(MARKED) as readonly SituationId[];
  const marked = Map.groupBy(sorted, ({ mark }) => ids.find((id) => id === mark));
  return [...marked].map(([mark, members]): Episode => {
    if (mark === undefined) return { situation: 'own-tests', steps: [], entries: members, owners };
    const special = MARKED[mark] ?? { act: 'call', as: '' };
    const whole: Act = {
      ...special,
      session: 'first',
      outcome: 'ok',
      detail: 'was made by a test',
      after: (members[0]?.arrival ?? 1) - 1,
      until: members.at(-1)?.arrival ?? 0,
    };
    return { situation: mark, steps: [whole], entries: members, owners };
  });
}

import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { validateResults } from '../../generated/validators.js';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { loadYaml } from '../catalogue/load-yaml.ts';
import { compareResults } from '../compare/results.ts';
import { comparisonText } from '../compare/text.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Results } from '../report/results.ts';
import { EXIT, type ExitCode } from '../report/verdict.ts';
import { print } from './print.ts';
import { changedFiles, snapshot, untilChanged, type Watched } from './watch-files.ts';

export interface WatchRequest {
  /** Folders to watch beside the files of the request. */
  readonly folders: readonly string[];
  /** Files that the request names: the configuration, a profile, known deviations. What is not there is none. */
  readonly files: readonly (string | undefined)[];
  /** Folder of the report. */
  readonly report: string;
  /** Other folders and files that a run writes to. */
  readonly written: readonly (string | undefined)[];
  /** Aborted when it is to end. */
  readonly signal: AbortSignal;
}

/**
 * `check --watch`: checks, and checks again whenever a watched file changes, until it is told to end. Each run is a process of its own: no module of
 * the user is kept from one to the next. Prints after each what changed against the run before.
 *
 * @param args of the process, from the verb on
 * @returns the exit code of the last run; of the first where that was wrong usage
 * @throws UsageError for a folder that is not there
 */
export async function watchCheck(args: readonly string[], request: WatchRequest): Promise<ExitCode> {
  const { signal, report } = request;
  const watched = watchedBy(request);
  const run = withoutWatch(args);
  let before: Results | undefined;
  for (let number = 1; ; number += 1) {
    const seen = snapshot(watched);
    const begun = new Date().toISOString();
    const code = await ranOnce(run, signal);
    if (number === 1 && code === EXIT.usage) return code;
    const now = code === EXIT.usage ? undefined : resultsSince(report, begun);
    if (before !== undefined && now !== undefined)
      print(
        `against the run before: ${comparisonText(withoutObservations(compareResults(before, now, loadCatalogue())))}`,
      );
    before = now ?? before;
    if (signal.aborted) return code;
    if (changedFiles(seen, snapshot(watched)).length === 0)
      print('\nwatching for changes; Ctrl+C ends it with the exit code of the last run\n');
    const [first, ...others] = await untilChanged(watched, seen, signal);
    if (first === undefined) return code;
    print(
      `\n${first} changed${others.length === 0 ? '' : `, and ${others.length} more`}: checking again\n\n`,
    );
  }
}

function watchedBy({ folders, files, report, written }: WatchRequest): Watched {
  for (const folder of folders)
    if (!existsSync(folder) || !statSync(folder).isDirectory())
      throw new UsageError(`--watch: expected a folder, got ${folder}`);
  return {
    folders,
    files: files.filter((file) => file !== undefined && existsSync(file)) as string[],
    except: [report, ...(written.filter((path) => path !== undefined) as string[])],
  };
}

/** Arguments without `--watch` and its folders. */
export function withoutWatch(args: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (arg.startsWith('--watch=')) continue;
    if (arg !== '--watch') kept.push(arg);
    else if (!(args[index + 1] ?? '-').startsWith('-')) index += 1;
  }
  return kept;
}

/** Checks in a process of its own, which cleans up when this one is told to end. */
function ranOnce(args: readonly string[], signal: AbortSignal): Promise<ExitCode> {
  const child = spawn(process.execPath, ['--', process.argv[1] ?? '', ...args], {
    // The channel closes when this process is killed, and the other then ends too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const stop = () => {
    // A terminal interrupts both, and told twice a run ends without cleaning up.
    if (!process.stdin.isTTY) child.kill('SIGINT');
  };
  signal.addEventListener('abort', stop);
  return new Promise((resolve) => {
    child.once('error', () => resolve(EXIT.broken));
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      resolve(Object.values(EXIT).find((known) => known === code) ?? EXIT.broken);
    });
  });
}

/** What the run wrote; undefined where it wrote nothing. */
function resultsSince(report: string, begun: string): Results | undefined {
  const file = join(report, 'results.json');
  if (!existsSync(file)) return undefined;
  try {
    const results = loadYaml(file, validateResults) as unknown as Results;
    return results.startedAt >= begun ? results : undefined;
  } catch {
    return undefined;
  }
}

function withoutObservations(comparison: ReturnType<typeof compareResults>): typeof comparison {
  const known = new Set(
    loadCatalogue().openPoints.flatMap(({ id, aspects }) => aspects.map(({ name }) => `${id}.${name}`)),
  );
  const changes = comparison.changes.filter(({ what }) => !known.has(what));
  return { ...comparison, changes, notes: [], same: comparison.same };
}

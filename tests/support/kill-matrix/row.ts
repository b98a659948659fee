import { defectsById } from '../../../src/emulator/defects/index.ts';
import { loadProfile } from '../../../src/emulator/load-profile.ts';
import type { Profile } from '../../../src/emulator/profile.ts';
import { SecretRegistry } from '../../../src/secrets/registry.ts';
import { connect } from '../../../src/target/connect.ts';
import { emulatorTarget } from '../../../src/target/emulator.ts';
import { CHECKS_IN_ORDER, type Outcome, runChecks, runEveryCheck } from './run-target.ts';

/** One row to run: a defect, or none for the base profile by itself. */
export interface RowTask {
  readonly defect: string | undefined;
  /** Whether its failed checks are run again in a real browser. */
  readonly browser: boolean;
}

/** What came of a row. */
export interface RowRun {
  readonly defect: string | undefined;
  readonly outcomes: readonly Outcome[];
  /** Outcomes of the failed checks in a real browser; absent where none was asked for. */
  readonly inBrowser?: readonly Outcome[];
  readonly durationMs: number;
  /** Why there are no outcomes, if so. */
  readonly failure?: string;
}

const profiles = new Map<string, Promise<Profile>>();

/**
 * Runs one row on a fresh emulator.
 *
 * @param profile id of the base profile
 * @param executablePath the browser's binary, where the task wants a browser; without it the runner's own
 */
export async function runRow(
  task: RowTask,
  profile: string,
  executablePath: string | undefined,
): Promise<RowRun> {
  const begun = performance.now();
  const base = await parsedOnce(profile);
  const defects = task.defect === undefined ? [] : defectsById([task.defect]);
  const outcomes = await runEveryCheck(await emulatorTarget({ profile: base, defects, sockets: false }));
  const failed = new Set(
    outcomes.filter((o) => o.result === 'fail' || o.result === 'warning').map(({ id }) => id),
  );
  const inBrowser =
    task.browser && failed.size > 0 ? await runInBrowser(base, defects, executablePath, failed) : undefined;
  const durationMs = Math.round(performance.now() - begun);
  return { defect: task.defect, outcomes, durationMs, ...(inBrowser && { inBrowser }) };
}

/** The product's own path: sockets, a browser for pages, the form agent for plain codes. */
async function runInBrowser(
  profile: Profile,
  defects: ReturnType<typeof defectsById>,
  executablePath: string | undefined,
  ids: ReadonlySet<string>,
): Promise<readonly Outcome[]> {
  const target = await emulatorTarget({ profile, defects, sockets: true });
  try {
    const connection = await connect(target, new SecretRegistry(), executablePath);
    try {
      return await runChecks(
        connection.session,
        CHECKS_IN_ORDER.filter((check) => ids.has(check.id)),
      );
    } finally {
      await connection.close();
    }
  } finally {
    await target.close();
  }
}

/** Parsing a profile takes a tenth of a row's time. */
function parsedOnce(id: string): Promise<Profile> {
  const known = profiles.get(id) ?? loadProfile(id);
  profiles.set(id, known);
  return known;
}

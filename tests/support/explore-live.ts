import type { ReplayFile } from '../../src/evaluation/explore/replay-file.ts';
import { CollectedRun } from '../../src/evaluation/run/collected-run.ts';
import { openWorker } from '../../src/evaluation/run/worker.ts';
import { loadConfiguration } from '../../src/service/configuration/load-configuration.ts';
import { connectWithoutBrowser } from '../../src/service/flow/connect.ts';
import type { WrittenConfiguration } from './live-config.ts';

export interface ExploreOptions {
  readonly requests: number;
  /** As where nobody asked for a number of requests. */
  readonly asBudgetAllows?: true;
  readonly seed: number;
  readonly replays?: readonly ReplayFile[];
  readonly refusals?: boolean;
  readonly signal?: AbortSignal;
  readonly onBegin?: () => void;
}

/** Explores a live target in this process, on the command's own path, without a browser. */
export async function explorationOf(
  { file, env }: WrittenConfiguration,
  { replays = [], refusals = false, signal, onBegin, ...plan }: ExploreOptions,
): Promise<CollectedRun> {
  const run = new CollectedRun();
  const worker = await openWorker(
    { target: await loadConfiguration(file, env), profile: '', defects: [] },
    [],
    run,
    {
      connectTo: async (target, secrets) => ({
        session: connectWithoutBrowser(target, secrets),
        close: async () => undefined,
      }),
      ...(signal && { signal }),
    },
  );
  onBegin?.();
  await worker.explore({ ...plan, replays, refusals }, undefined);
  await worker.close();
  return run;
}

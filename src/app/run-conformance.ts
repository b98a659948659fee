import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RUN_PLAN, type RunPlan } from '../checks/run/plan.ts';
import { listenForRun, type RunMessage, type SeenAtOpenPoints } from '../report/channel.ts';
import type {
  Observation,
  RequirementResult,
  Retirement,
  RunTrouble,
  TargetSummary,
  Used,
} from '../report/results.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import { PACKAGE_ROOT, startRunner } from './start-runner.ts';

/** Milliseconds that a runner which was told to stop has for its last words. */
const LAST_WORDS_MS = 30_000;

/** What a run's processes said. */
export interface CollectedRun {
  readonly results: ReadonlyMap<string, RequirementResult>;
  /** Why a check that was begun has no result. */
  readonly notFinished: ReadonlyMap<string, string>;
  readonly observations: readonly Observation[];
  readonly troubles: readonly RunTrouble[];
  readonly target: TargetSummary | undefined;
  readonly retirement: Retirement | undefined;
  readonly used: Used | undefined;
  /** What probes saw at the open points, where they were asked to look. */
  readonly seen: SeenAtOpenPoints | undefined;
  readonly secrets: SecretRegistry;
}

/** How a run is carried out. */
export interface RunOptions {
  readonly workers: number;
  /** Called with every result as it comes in. */
  readonly onResult: (result: RequirementResult) => void;
  /** Called now and then while the run waits until tokens expire. */
  readonly onWaiting: (secondsLeft: number) => void;
  /** Milliseconds that one check may take. */
  readonly checkTimeoutMs: number;
  /** Seconds after which the whole run is stopped; never when absent. */
  readonly longestSeconds?: number;
}

/**
 * Runs the checks of a plan in the test runner and collects what its workers say. The runner's own exit code is not
 * looked at: what is missing afterwards did not run.
 */
export async function runConformance(
  plan: Omit<RunPlan, 'channel'>,
  options: RunOptions,
): Promise<CollectedRun> {
  const collector = new Collector(options);
  const channel = await listenForRun((message) => collector.take(message));
  // A folder of its own: the runner empties its output folder at the start, and somebody else's may be in use.
  const output = await mkdtemp(join(tmpdir(), 'legacy-conformance-output-'));
  const { code, stderr, stopped } = await runChecks({ ...plan, channel: channel.address }, options, output);
  await channel.close();
  await rm(output, { recursive: true, force: true });
  if (stopped) {
    const message = `the run did not end within ${options.longestSeconds} s and was stopped; run \`sweep\` before the next one`;
    collector.take({ kind: 'trouble', trouble: { kind: 'inconclusive', message } });
  }
  if (collector.heardNothing) {
    const said = stderr.trim().split('\n').slice(0, 12).join('\n');
    collector.take({
      kind: 'trouble',
      trouble: {
        kind: 'broken',
        message: `the test runner ended with ${code} before any check ran: ${said}`,
      },
    });
  }
  return collector.collected();
}

async function runChecks(
  plan: RunPlan,
  options: RunOptions,
  output: string,
): Promise<{ code: number | null; stderr: string; stopped: boolean }> {
  const { child: runner, end } = startRunner(
    'conformance',
    [
      `--workers=${options.workers}`,
      `--reporter=${join(PACKAGE_ROOT, 'tests/support/run/silent-reporter.ts')}`,
      `--output=${output}`,
    ],
    {
      [RUN_PLAN]: JSON.stringify(plan),
      LEGACY_CONFORMANCE_CHECK_TIMEOUT_MS: String(options.checkTimeoutMs),
    },
    ['ignore', 'pipe', 'pipe'],
  );
  let stderr = '';
  runner.stdout?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  runner.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  let stopped = false;
  const timers: NodeJS.Timeout[] = [];
  if (options.longestSeconds !== undefined) {
    const stop = () => {
      stopped = true;
      runner.kill('SIGINT');
      timers.push(setTimeout(() => runner.kill('SIGKILL'), LAST_WORDS_MS));
    };
    timers.push(setTimeout(stop, options.longestSeconds * 1_000));
  }
  const code = await end;
  for (const timer of timers) clearTimeout(timer);
  return { code, stderr, stopped };
}

/** Puts together what a run's processes say. */
export class Collector {
  readonly #results = new Map<string, RequirementResult>();
  readonly #notFinished = new Map<string, string>();
  readonly #observations: Observation[] = [];
  readonly #troubles = new Map<string, RunTrouble>();
  readonly #secrets = new SecretRegistry();
  #seen: SeenAtOpenPoints | undefined;
  readonly #tell: Pick<RunOptions, 'onResult' | 'onWaiting'>;
  #target: TargetSummary | undefined;
  #retirement: Retirement | undefined;
  #used: Used | undefined;
  #page = 0;
  #cookies = 0;

  constructor(tell: Pick<RunOptions, 'onResult' | 'onWaiting'>) {
    this.#tell = tell;
  }

  get heardNothing(): boolean {
    return this.#results.size === 0 && this.#troubles.size === 0;
  }

  take(message: RunMessage): void {
    if (message.kind === 'result') {
      this.#results.set(message.result.id, message.result);
      this.#observations.push(...message.observations);
      if (message.broken)
        this.#trouble({ kind: 'broken', message: `${message.result.id}: ${message.broken}` });
      this.#tell.onResult(message.result);
    } else if (message.kind === 'secrets') this.#secrets.adopt(message.entries);
    else if (message.kind === 'trouble') this.#trouble(message.trouble);
    else if (message.kind === 'not-finished') this.#notFinished.set(message.id, message.reason);
    else if (message.kind === 'used') this.#used ??= message.used;
    else if (message.kind === 'seen') this.#seen ??= message.seen;
    else if (message.kind === 'retirement') {
      const { retired, notices } = message;
      if (retired || notices.length > 0) this.#retirement ??= { retired, notices };
    } else if (message.kind === 'waiting') this.#tell.onWaiting(message.secondsLeft);
    else if (message.kind === 'target') this.#target ??= message.target;
    else {
      this.#page += message.page;
      this.#cookies += message.cookies;
    }
  }

  #trouble(trouble: RunTrouble): void {
    this.#troubles.set(`${trouble.kind} ${trouble.message}`, trouble);
  }

  collected(): CollectedRun {
    return {
      results: this.#results,
      notFinished: this.#notFinished,
      observations: this.#observations,
      troubles: [...this.#troubles.values()],
      target: this.#target && { ...this.#target, grants: { page: this.#page, cookies: this.#cookies } },
      retirement: this.#retirement,
      used: this.#used,
      seen: this.#seen,
      secrets: this.#secrets,
    };
  }
}

import type { Results } from '../../../src/report/results.ts';
import type { Setting } from './server.ts';

/** Requests of a default run, at most. */
const MOST_REQUESTS = 3_300;

/** The result of a requirement that is not as a setting demands. */
interface Seen {
  readonly id: string;
  readonly result: string;
  readonly reason: string;
}

/** The difference between a run and what its setting demands. */
export interface Comparison {
  readonly right: boolean;
  /** A sentence each: the verdict, the exit code, the number of requests. */
  readonly problems: readonly string[];
  /** Requirements that must fail and did not. */
  readonly missed: readonly Seen[];
  /** Requirements that failed and must not. */
  readonly alarms: readonly Seen[];
}

/** Compares the results of a default run with what a setting demands. */
export function compareWith(setting: Setting, results: Results, exit: number | null): Comparison {
  const failed = results.requirements.filter(({ result }) => result === 'fail').map(seen);
  const found = setting.fail.map(
    (id): Seen =>
      seen(results.requirements.find((one) => one.id === id) ?? { id, result: 'absent', reason: '' }),
  );
  const missed = found.filter(({ result }) =>
    setting.weak ? result === 'pass' || result === 'absent' : result !== 'fail',
  );
  const allowed = [...setting.fail, ...setting.may];
  const alarms = failed.filter(({ id }) => !allowed.some((one) => matches(one, id)));
  const problems = [
    ...(results.verdict === setting.verdict || (setting.weak && missed.length === 0)
      ? []
      : [`expected ${setting.verdict}`]),
    ...(exit === results.exitCode ? [] : [`exit ${exit} does not fit the verdict`]),
    ...(requestsOf(results) > MOST_REQUESTS ? [`more than ${MOST_REQUESTS} requests`] : []),
    ...behindPasses(results).map((id) => `${id} is blocked by a requirement that passed`),
  ];
  return { right: problems.length + missed.length + alarms.length === 0, problems, missed, alarms };
}

/** Returns the requirements that are blocked by themselves or by one that passed. */
function behindPasses({ requirements }: Pick<Results, 'requirements'>): readonly string[] {
  const passed = new Set(requirements.filter(({ result }) => result === 'pass').map(({ id }) => id));
  const blocked = requirements.filter(({ result }) => result === 'blocked');
  return blocked
    .filter(({ id, blockedBy = id }) => blockedBy === id || passed.has(blockedBy))
    .map(({ id }) => id);
}

/** `assign.*` stands for every id with this beginning. */
export function matches(pattern: string, id: string): boolean {
  return pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern;
}

export function requestsOf(results: Results): number {
  return results.used?.requests ?? 0;
}

function seen({ id, result, reason = '' }: { id: string; result: string; reason?: string | null }): Seen {
  return { id, result, reason: reason ?? '' };
}

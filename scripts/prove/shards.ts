/** Runs the checks as Playwright tests in a project with the package: two shards with one verdict, and one shard alone. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blockWith } from '../../tests/support/package/recipes.ts';
import { type TriedEnd, triedProblem } from '../../tests/support/package/tried.ts';

/**
 * @param run runs a command of the project
 *
 * @param page `docs/many-targets.md`, whose test file and merge command are used unchanged
 * @param tests name of the test file
 * @returns the problems, a sentence each
 */
export async function proveShards(
  run: (command: readonly string[]) => Promise<TriedEnd>,
  folder: string,
  page: string,
  tests: string,
): Promise<readonly string[]> {
  const [, ...merge] = blockWith(page, 'merge-reports').trim().split(' ');
  const all = join(folder, merge.at(-1) ?? '');
  const blobs = join(folder, 'blobs');
  mkdirSync(join(folder, 'conformance'));
  writeFileSync(join(folder, 'conformance', tests), blockWith(page, 'registerChecks'));
  const problems: string[] = [];
  const expected = async (what: string, code: number, prints: RegExp, command: readonly string[]) => {
    const end = await run(command);
    const problem = triedProblem({ verb: what, args: [], exit: code, prints }, end);
    if (problem !== undefined) problems.push(problem);
    return problem === undefined;
  };
  for (const [shard, verdict] of [
    [1, { code: 3, prints: /inconclusive \(exit 3\): .* not run/ }],
    [2, { code: 0, prints: /conforms \(exit 0\)/ }],
  ] as const) {
    const [, ...test] = blockWith(page, '--shard=1/3').trim().replace('1/3', `${shard}/2`).split(' ');
    // A shard that did not run has no report to merge.
    if (!(await expected(`shard ${shard}`, 0, /^/, test))) return problems;
    cpSync(join(folder, 'blob-report'), blobs, { recursive: true });
    // Merging leaves unpacked files beside the reports, so each time uses a new folder.
    rmSync(all, { recursive: true, force: true });
    cpSync(blobs, all, { recursive: true });
    await expected(`${shard} of 2 shards merged`, verdict.code, verdict.prints, merge);
  }
  return problems;
}

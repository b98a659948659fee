/** Runs the checks as Playwright tests in a project with the package: in two shards, whose reports the runner merges. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blockWith } from '../../tests/support/package/recipes.ts';
import { type TriedEnd, triedProblem } from '../../tests/support/package/tried.ts';

/**
 * @param run runs a command of the project
 * @param page `docs/programs.md`, whose test file and commands are used unchanged
 * @param tests name of the test file
 * @returns the problems, a sentence each
 */
export async function proveShards(
  run: (command: readonly string[]) => Promise<TriedEnd>,
  folder: string,
  page: string,
  tests: string,
): Promise<readonly string[]> {
  const [test = '', merge = ''] = blockWith(page, '--shard=1/3').trim().split('\n');
  const all = join(folder, merge.split(' ').at(-1) ?? '');
  mkdirSync(join(folder, 'conformance'));
  writeFileSync(join(folder, 'conformance', tests), blockWith(page, 'registerChecks'));
  const problems: string[] = [];
  const passed = async (verb: string, command: string, prints: RegExp) => {
    const problem = triedProblem({ verb, args: [], exit: 0, prints }, await run(command.split(' ').slice(1)));
    if (problem !== undefined) problems.push(problem);
  };
  for (const shard of [1, 2]) {
    await passed(`shard ${shard}`, test.replace('1/3', `${shard}/2`), /^/);
    cpSync(join(folder, 'blob-report'), all, { recursive: true });
  }
  await passed('the merged report', merge, /\d+ passed/);
  return problems;
}

/**
 * `node scripts/mutate-checks.ts [word]`: proves that the kill matrix can fail. Weakens the most important checks, one at a time
 * and on a copy of the tests, and runs the defects that the weakened check must find. Exits 0 if the matrix notices every
 * weakening, 1 if it misses one, 2 if a weakening no longer fits its check.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Matrix } from '../tests/proof/kill-matrix/matrix.ts';
import type { MatrixRow } from '../tests/proof/kill-matrix/verdict.ts';
import { DoesNotApply, type Weakening } from './mutations/weakening.ts';
import { WEAKENINGS } from './mutations/weakenings.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** The matrix's answer to one weakening. */
interface Noticed {
  readonly weakening: Weakening;
  readonly defects: number;
  /** Defects that the check no longer finds, and other complaints of the matrix. */
  readonly complaints: readonly string[];
}

/** Runs the matrix on a copy of the tests in which one check is weaker. */
async function weakened(weakening: Weakening): Promise<Noticed> {
  const copy = await mkdtemp(join(tmpdir(), 'legacy-conformance-'));
  try {
    // A link would weaken the original.
    for (const folder of ['src', 'spec', 'generated', 'tests', 'scripts', 'package.json']) {
      await cp(join(ROOT, folder), join(copy, folder), { recursive: true });
    }
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    const file = join(copy, weakening.file);
    await writeFile(file, weakening.apply(await readFile(file, 'utf8')));
    return { weakening, ...(await matrixOf(copy, weakening)) };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function matrixOf(copy: string, { requirement }: Weakening): Promise<Omit<Noticed, 'weakening'>> {
  const script = join(copy, 'scripts', 'kill-matrix.ts');
  const options = ['--breaks', requirement, '--workers', '1', '--no-browser', '--json'];
  const run = promisify(execFile)(process.execPath, [script, ...options], {
    cwd: copy,
    maxBuffer: 64 * 1024 * 1024,
  });
  // A matrix with complaints exits with 1 after printing them.
  const { stdout } = await run.catch((error: { code?: number; stdout?: string }) => {
    if (error.code === 1 && error.stdout) return { stdout: error.stdout };
    throw error;
  });
  const { rows, baseProblems } = JSON.parse(stdout) as Matrix;
  if (rows.length === 0) throw new Error(`no defect breaks ${requirement}`);
  // Only the monitors find these, so the weakened check has missed them.
  const missed = ({ problems, killed }: MatrixRow) =>
    problems.length > 0 || killed.some(({ id, byMonitor }) => id === requirement && byMonitor);
  const complaints = rows.filter(missed).map(({ facts }) => facts.id);
  return { defects: rows.length, complaints: [...baseProblems.map(() => 'the base profile'), ...complaints] };
}

const [word = ''] = process.argv.slice(2);
const queue = WEAKENINGS.filter(({ requirement, how }) => `${requirement} ${how}`.includes(word));
const width = Math.max(...queue.map(({ requirement }) => requirement.length));
let missed = 0;
let stale = 0;

async function drain(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const name = `${next.requirement.padEnd(width)}  ${next.how}`;
    try {
      const { defects, complaints } = await weakened(next);
      if (complaints.length === 0) missed += 1;
      const verdict = complaints.length === 0 ? 'MISSED ' : 'noticed';
      console.log(
        `${verdict}  ${name}: ${complaints.length} of ${defects} (${complaints.slice(0, 3).join(', ')})`,
      );
    } catch (error) {
      if (!(error instanceof DoesNotApply)) throw error;
      stale += 1;
      console.log(`STALE    ${name}: ${error.message}`);
    }
  }
}

const total = queue.length;
await Promise.all(Array.from({ length: availableParallelism() }, drain));
console.log(`\n${total - missed - stale} of ${total} weakenings noticed`);
process.exitCode = stale > 0 || total === 0 ? 2 : missed > 0 ? 1 : 0;

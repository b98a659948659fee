/**
 * `node scripts/kill-matrix.ts`: every defect of the emulator against every check. Exits 0 if each is killed exactly, otherwise
 * 1; 2 on wrong usage. `npm test` runs the same as one test.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { startProgress } from '../src/commands/shared/progress.ts';
import { loadCatalogue } from '../src/document/load-catalogue.ts';
import { findBrowser } from '../src/service/agent/browser/find-browser.ts';
import { DEFECT_FACTS } from '../tests/proof/defects/index.ts';
import { incompleteness } from '../tests/proof/kill-matrix/completeness.ts';
import {
  fingerprint,
  type Matrix,
  ofThePage,
  problemsOf,
  runMatrix,
  shuffled,
} from '../tests/proof/kill-matrix/matrix.ts';
import { matrixText, rowText, secondOrderText } from '../tests/proof/kill-matrix/text.ts';
import type { ProvenDefect } from '../tests/proof/second-order/define-second-order.ts';
import { SECOND_ORDER_FACTS } from '../tests/proof/second-order/index.ts';

const USAGE = `node scripts/kill-matrix.ts [options]
  --defect <ids>      only these defects, separated by commas, and say what failed and why
  --order <order>     first (default), each of which the checks must find; or second: which checks find each, as a table
  --clause <clause>   only the defects of this clause
  --breaks <id>       only the defects that break this requirement
  --profile <id>      base profile (by-the-rfc)
  --workers <n>       worker processes (one per core)
  --shuffle <seed>    run the rows in another order; the outcome must be the same
  --live              on the emulator as a live target: configured, one worker, own users, confirmed, cleaned up; no browser
  --no-browser        do not run the failed checks of clause 4.1 again in a real browser
  --verify-order      run with one worker, with four, and shuffled, and compare
  --json              print the matrix as JSON`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      defect: { type: 'string' },
      order: { type: 'string', default: 'first' },
      clause: { type: 'string' },
      breaks: { type: 'string' },
      profile: { type: 'string', default: 'by-the-rfc' },
      workers: { type: 'string', default: String(availableParallelism()) },
      shuffle: { type: 'string' },
      live: { type: 'boolean', default: false },
      'no-browser': { type: 'boolean', default: false },
      'verify-order': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const second = isSecond(values.order);
  const all: readonly ProvenDefect[] = second ? SECOND_ORDER_FACTS : DEFECT_FACTS;
  const facts = chosen(all, { ids: values.defect?.split(','), clause: values.clause, breaks: values.breaks });
  if (facts.length === 0) {
    console.error('no defect fits --defect, --clause and --breaks: check the ids');
    return 2;
  }
  const browser = values['no-browser'] || second || values.live ? undefined : await findBrowser();
  if (browser === undefined && !second && !values.live)
    console.error('no browser: no check is run again in one');
  const options = {
    profile: values.profile,
    live: values.live,
    inBrowser: browser === undefined ? [] : ofThePage(facts),
    ...(browser?.executablePath === undefined ? {} : { executablePath: browser.executablePath }),
  };
  const seed = values.shuffle;
  const clauseOf = new Map<string, string>(facts.map(({ id, clause }) => [id, `clause ${clause}`]));
  const groups = new Map(
    [...Map.groupBy(clauseOf.values(), (clause) => clause)].map(([name, all]) => [name, all.length]),
  );
  const run = async (workers: number, order?: (rows: readonly ProvenDefect[]) => readonly ProvenDefect[]) => {
    const progress = startProgress({ what: 'defects', groups }, process.stderr);
    const onRow = ({ defect }: { readonly defect: string | undefined }) => {
      if (defect !== undefined) progress.done(defect, clauseOf.get(defect) ?? '');
    };
    const matrix = await runMatrix(facts, { ...options, workers, onRow, ...(order && { order }) });
    progress.end();
    return matrix;
  };

  if (values['verify-order']) {
    return compare([
      ['one worker', await run(1)],
      ['four workers', await run(4)],
      ['shuffled', await run(wholeNumber(values.workers), (rows) => shuffled(rows, seed ?? 'order'))],
    ]);
  }
  const matrix = await run(
    wholeNumber(values.workers),
    seed === undefined ? undefined : (rows) => shuffled(rows, seed),
  );
  if (second) {
    console.log(values.json ? JSON.stringify(matrix, null, 1) : secondOrderText(matrix));
    return matrix.baseProblems.length === 0 && matrix.rows.length > 0 ? 0 : 1;
  }
  const whole = facts.length === all.length;
  const incomplete = whole ? incompleteness(loadCatalogue(), DEFECT_FACTS) : [];
  if (values.json) {
    console.log(JSON.stringify({ ...matrix, incomplete }, null, 1));
  } else {
    if (values.defect !== undefined) for (const row of matrix.rows) console.log(rowText(row));
    console.log(matrixText(matrix));
    for (const sentence of incomplete) console.log(`incomplete: ${sentence}`);
  }
  return problemsOf(matrix).length + incomplete.length === 0 && matrix.rows.length > 0 ? 0 : 1;
}

interface Choice {
  readonly ids: readonly string[] | undefined;
  readonly clause: string | undefined;
  readonly breaks: string | undefined;
}

/** True if `--order` asks for the second of the two tables. */
function isSecond(order: string): boolean {
  if (order === 'first' || order === 'second') return order === 'second';
  throw new RangeError(`--order: expected first or second, got ${order}`);
}

function chosen(all: readonly ProvenDefect[], { ids, clause, breaks }: Choice): readonly ProvenDefect[] {
  const unknown = ids?.find((id) => !all.some((defect) => defect.id === id));
  if (unknown !== undefined) throw new RangeError(`--defect: expected ids of that order, got ${unknown}`);
  return all.filter(
    (defect) =>
      (ids?.includes(defect.id) ?? true) &&
      (clause === undefined || defect.clause === clause) &&
      (breaks === undefined || defect.breaks.some((id) => id === breaks)),
  );
}

/** Compares runs that should have the same findings. */
function compare(runs: readonly (readonly [string, Matrix])[]): number {
  const [first, ...others] = runs;
  if (first === undefined) return 1;
  for (const [name, matrix] of runs) console.log(`${name}: ${(matrix.durationMs / 1000).toFixed(1)} s`);
  const different = others.filter(([, matrix]) => fingerprint(matrix) !== fingerprint(first[1]));
  for (const [name, matrix] of different) {
    console.log(`${name} differs from ${first[0]}:`);
    const lines = new Set(fingerprint(first[1]).split('\n'));
    const news = fingerprint(matrix)
      .split('\n')
      .filter((line) => !lines.has(line));
    for (const line of news.slice(0, 40)) console.log(`  ${line}`);
  }
  if (different.length === 0) console.log(`${first[1].rows.length} defects: the same outcome in every order`);
  return different.length === 0 && first[1].rows.length > 0 ? 0 : 1;
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new RangeError(`--workers: expected a whole number from 1, got ${text}`);
}

try {
  process.exitCode = await main();
} catch (error) {
  const usage =
    error instanceof RangeError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(usage ? `${(error as Error).message}\n\n${USAGE}` : error);
  process.exitCode = usage ? 2 : 4;
}

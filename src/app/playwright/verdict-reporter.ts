import { stripVTControlCharacters } from 'node:util';
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestResult,
} from '@playwright/test/reporter';
import { loadCatalogue } from '../../catalogue/load-catalogue.ts';
import { EXIT, type ExitCode } from '../../report/verdict.ts';
import { SecretRegistry } from '../../secrets/registry.ts';
import { suiteVersion } from '../own-package.ts';
import { reportResults } from '../report-results.ts';
import { ATTACHMENT, type Attached, afterLast, assembleShards, type Late, REQUIREMENT } from './shards.ts';

/** Options of the reporter. */
export interface VerdictReporterOptions {
  /** Folder of the report. Default: the variable `LEGACY_CONFORMANCE_REPORT`, then `report`. */
  readonly report?: string;
}

/**
 * The one verdict of checks that ran as Playwright tests, in one process or in many shards:
 *
 *     npx playwright merge-reports --reporter legacy-api-conformance/reporter all-blob-reports
 *
 * Prints and writes the same as `check`, and ends with its exit code. A missing shard is 3, where the runner ends with 0. Other
 * failed tests of the same run make it 1.
 */
export default class VerdictReporter implements Reporter {
  readonly #report: string;
  readonly #attached: Attached[] = [];
  readonly #late: Late[] = [];
  readonly #crashes: string[] = [];
  /** Reasons why checks gave no result, each once. */
  readonly #silent = new Set<string>();
  #suite: Suite | undefined;
  #begun = new Date();
  #exitCode: ExitCode = EXIT.broken;

  constructor({ report = process.env.LEGACY_CONFORMANCE_REPORT || 'report' }: VerdictReporterOptions = {}) {
    this.#report = report;
  }

  printsToStdio(): boolean {
    return true;
  }

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#suite = suite;
    // The runner's own exit code never counts: it is 0 if no test ran.
    process.on('exit', () => {
      process.exitCode = this.#exitCode;
    });
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    if (!isCheck(test)) return;
    if (result.startTime < this.#begun) this.#begun = result.startTime;
    const sent = result.attachments.find(({ name }) => name === ATTACHMENT)?.body;
    if (sent !== undefined) this.#attached.push(JSON.parse(sent.toString()) as Attached);
    else if (result.error !== undefined) this.#silent.add(firstLine(result.error));
  }

  onError(error: { readonly message?: string }): void {
    const late = afterLast(error.message ?? '');
    if (late === undefined) this.#crashes.push(firstLine(error));
    else this.#late.push(late);
  }

  async onEnd({ status }: FullResult): Promise<void> {
    const catalogue = loadCatalogue();
    const run = assembleShards(
      {
        attached: this.#attached,
        late: this.#late,
        crashes: this.#crashes,
        silent: [...this.#silent, ...(status === 'interrupted' ? ['the runner was interrupted'] : [])],
      },
      catalogue,
      { suiteVersion: await suiteVersion(), startedAt: this.#begun },
    );
    const results = await reportResults(run, catalogue, new SecretRegistry(), { report: this.#report });
    const others = this.#suite?.allTests().filter((test) => !isCheck(test) && !test.ok()).length ?? 0;
    if (others > 0) process.stdout.write(`${others} tests that are no checks failed\n`);
    this.#exitCode = results.exitCode === EXIT.conforms && others > 0 ? EXIT.violates : results.exitCode;
  }
}

/** True for a test of the suite: other tests may run beside them. */
function isCheck({ annotations }: TestCase): boolean {
  const ids = loadCatalogue().requirements.map(({ id }): string => id);
  return annotations.some(({ type, description = '' }) => type === REQUIREMENT && ids.includes(description));
}

function firstLine({ message = 'an error without words' }: { readonly message?: string }): string {
  return stripVTControlCharacters(message).split('\n')[0] ?? '';
}

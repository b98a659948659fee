import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import { suiteVersion } from '../../../src/app/suite-version.ts';
import { writeScanned } from '../../../src/app/write-scanned.ts';
import { loadCatalogue } from '../../../src/catalogue/load-catalogue.ts';
import { renderConsole } from '../../../src/report/console.ts';
import { EXIT, type ExitCode } from '../../../src/report/verdict.ts';
import { SecretRegistry } from '../../../src/secrets/registry.ts';
import { ATTACHMENT, type Attached, afterLast, assembleShards, type Late } from './shards.ts';

/**
 * The one verdict of checks that ran as Playwright tests, in one process or in many shards:
 *
 *     npx playwright merge-reports --reporter ./tests/support/run/verdict-reporter.ts all-blob-reports
 *
 * Prints and writes what `check` does, and ends with its exit code: a shard that is missing is 3, where the runner says 0.
 */
export default class VerdictReporter implements Reporter {
  readonly #attached: Attached[] = [];
  readonly #late: Late[] = [];
  readonly #crashes: string[] = [];
  #begun = new Date();
  #exitCode: ExitCode = EXIT.broken;

  printsToStdio(): boolean {
    return true;
  }

  onBegin(_config: FullConfig, _suite: Suite): void {
    // The runner's own code never counts: it is 0 where nothing ran.
    process.on('exit', () => {
      process.exitCode = this.#exitCode;
    });
  }

  onTestEnd(_test: TestCase, result: TestResult): void {
    if (result.startTime < this.#begun) this.#begun = result.startTime;
    for (const { name, body } of result.attachments)
      if (name === ATTACHMENT && body !== undefined)
        this.#attached.push(JSON.parse(body.toString()) as Attached);
  }

  onError(error: TestError): void {
    const late = afterLast(error.message ?? '');
    if (late === undefined)
      this.#crashes.push((error.message ?? 'an error without words').split('\n')[0] ?? '');
    else this.#late.push(late);
  }

  async onEnd(_result: FullResult): Promise<void> {
    const catalogue = loadCatalogue();
    const run = assembleShards(
      { attached: this.#attached, late: this.#late, crashes: this.#crashes },
      catalogue,
      { suiteVersion: await suiteVersion(), startedAt: this.#begun },
    );
    const report = process.env.LEGACY_CONFORMANCE_REPORT || 'report';
    const { results } = await writeScanned(report, run, catalogue, new SecretRegistry());
    process.stdout.write(renderConsole(results, catalogue, { style: 'plain', reportPath: report }));
    this.#exitCode = results.exitCode;
  }
}

import type { FullResult, Reporter, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { runPlan } from '../../../src/checks/run/plan.ts';
import { type Channel, openChannel } from '../../../src/report/channel.ts';

/**
 * Prints nothing. Tells the command what the runner alone knows: tests that timed out or were interrupted, and errors of
 * the suite itself. Results come from the workers.
 */
export default class SilentReporter implements Reporter {
  readonly #channel: Promise<Channel> | undefined;

  constructor() {
    const { channel } = runPlan();
    this.#channel = channel === undefined ? undefined : openChannel(channel);
  }

  printsToStdio(): boolean {
    return true;
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const id = test.annotations.find((a) => a.type === 'requirement')?.description;
    if (id === undefined || result.status === 'passed' || result.status === 'skipped') return;
    const reason =
      result.status === 'timedOut'
        ? `the check did not end within ${test.timeout / 1000} s`
        : result.status === 'interrupted'
          ? 'the run was interrupted'
          : `the suite failed: ${firstLine(result.error)}`;
    const broken = result.status === 'failed';
    void this.#channel?.then((channel) => {
      channel.send({ kind: 'not-finished', id, reason });
      if (broken) channel.send({ kind: 'trouble', trouble: { kind: 'broken', message: `${id}: ${reason}` } });
    });
  }

  onError(error: TestError): void {
    const message = firstLine(error);
    void this.#channel?.then((channel) =>
      channel.send({ kind: 'trouble', trouble: { kind: 'broken', message } }),
    );
  }

  async onEnd(_result: FullResult): Promise<void> {
    await (await this.#channel)?.close();
  }
}

function firstLine(error: TestError | undefined): string {
  const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
  return (error?.message ?? error?.value ?? 'unknown error').replace(escapes, '').split('\n')[0] ?? '';
}

import { Command } from 'commander';
import { print, printJson } from '../app/print.ts';

/** The verb `coverage`. */
export function coverageCommand(): Command {
  return new Command('coverage')
    .description('print clauses x requirements x checks, without running anything')
    .option('--json', 'print JSON', false)
    .action(async (options: { json: boolean }) => {
      const { runCoverage } = await import('../app/coverage-report.ts');
      const { CHECKS } = await import('../conformance/index.ts');
      const report = runCoverage(CHECKS.map((check) => check.id));
      options.json ? printJson(report.json) : print(report.text);
      process.exitCode = report.exitCode;
    });
}

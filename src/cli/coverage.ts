import type { Command } from 'commander';
import { print, printJson } from '../app/print.ts';
import { flag } from './option-kinds.ts';
import { verb } from './verb.ts';

export function coverageCommand(): Command {
  return verb({
    name: 'coverage',
    summary: 'print the table of clauses, requirements and checks; runs no check',
    options: { json: flag('print JSON') },
    help: '',
    run: async ({ json }) => {
      const { runCoverage } = await import('../app/coverage-report.ts');
      const { CHECKS } = await import('../conformance/index.ts');
      const report = runCoverage(CHECKS.map((check) => check.id));
      json ? printJson(report.json) : print(report.text);
      return report.exitCode;
    },
  });
}

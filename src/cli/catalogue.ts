import { print, printJson } from '../app/print.ts';
import { EXIT } from '../report/verdict.ts';
import { flag } from './options.ts';
import { verb } from './verb.ts';

export const explainCommand = verb({
  name: 'explain',
  summary:
    'explain requirements: what each demands, why it matters, how the suite checks it, which defects break it',
  args: [
    [
      '<what...>',
      'a requirement (exchange.code-single-use), a group (exchange) or a clause (4.3); also of clients (pair.own-user)',
    ],
  ],
  options: { json: flag('print JSON') },
  help: `
Examples
  legacy-conformance explain exchange.code-single-use
  legacy-conformance explain 4.3 --json`,
  run: async ({ json }, what) => {
    const { explain, explainClient, explainClientText, explainText } = await import('../app/explain.ts');
    const ofClients = what.map((word) => explainClient(word));
    const others = what.filter((_, index) => ofClients[index]?.length === 0);
    const clients = ofClients.flat();
    const services = others.length === 0 ? [] : await explain(others);
    if (json) printJson([...services, ...clients]);
    else print([explainText(services), explainClientText(clients)].filter(Boolean).join('\n'));
    return EXIT.conforms;
  },
});

export const coverageCommand = verb({
  name: 'coverage',
  summary: 'print the table of clauses, requirements and checks; runs no check',
  options: { json: flag('print JSON') },
  run: async ({ json }) => {
    const { runCoverage } = await import('../app/coverage-report.ts');
    const { CHECKS } = await import('../conformance/index.ts');
    const report = runCoverage(CHECKS.map((check) => check.id));
    json ? printJson(report.json) : print(report.text);
    return report.exitCode;
  },
});

export const defectsCommand = verb({
  name: 'defects',
  summary: "list the emulator's switchable defects and the requirements that each breaks",
  options: { json: flag('print JSON') },
  run: async (options) => {
    const { listDefects } = await import('../app/defects.ts');
    const { text, json } = listDefects();
    options.json ? printJson(json) : print(text);
    return EXIT.conforms;
  },
});

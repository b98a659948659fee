/**
 * The arrows of the house (docs/development/architecture.md): who may import whom. Held by the test command.
 */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|tests|scripts|generated|examples)/', pathNot: `^(src/(${allowed})|generated/)` },
});

export default {
  forbidden: [
    only('http', '^src/http/', 'http/', 'one exchange; it knows no document and no target'),
    only('secrets', '^src/http/secrets/', 'http/secrets/', 'redaction must work everywhere'),
    only('document', '^src/document/', 'document/|http/', 'what is demanded, and left open'),
    only('input', '^src/document/input/', 'document/input/', 'reads what users wrote'),
    only('emulator', '^src/emulator/', 'emulator/|document/|http/', 'it is the service, and knows no check'),
    only('report', '^src/report/', 'report/|document/|http/', 'facts and results in, texts out'),
    only(
      'service',
      '^src/service/',
      'service/|document/|http/|emulator/',
      'what is checked, and how one acts on it',
    ),
    {
      name: 'one-door-to-the-emulator',
      comment: 'a target is a target: only the file that opens the emulator knows that it is one',
      severity: 'error',
      from: {
        path: '^src/(service|evaluation|record|contracts|report)/',
        pathNot: '^src/service/emulator\\.ts$',
      },
      to: { path: '^src/emulator/' },
    },
    only(
      'evaluation',
      '^src/evaluation/',
      'evaluation/|service/|report/|document/|http/',
      'a check sees a target',
    ),
    only(
      'checks',
      '^src/evaluation/checks/',
      'evaluation/(checks|language|requests)/|service/|document/|http/',
      'not how they are run',
    ),
    only(
      'language',
      '^src/evaluation/language/',
      'evaluation/(language|requests)/|service/|report/|document/|http/',
      'what checks are written in knows none of them, and not how they are run',
    ),
    only(
      'requests',
      '^src/evaluation/requests/',
      'evaluation/requests/|service/|document/',
      'wrong requests are data',
    ),
    only(
      'monitor',
      '^src/evaluation/monitor/',
      'evaluation/monitor/|service/|report/|document/|http/',
      'evaluates every exchange, and knows no check',
    ),
    only(
      'explore',
      '^src/evaluation/explore/',
      'evaluation/(explore|monitor|requests)/|service/|document/|http/',
      'steps on a target, evaluated by the monitor alone',
    ),
    only(
      'record',
      '^src/record/',
      'record/|evaluation/|service/|report/|document/|http/',
      'what a service does',
    ),
    only(
      'contracts',
      '^src/contracts/',
      'contracts/|service/|report/|document/|http/',
      'pacts against a target',
    ),
    only(
      'client-checks',
      '^src/client-checks/',
      'client-checks/|emulator/|service/|report/|document/|http/',
      'situations are brought about on the emulator, and on nothing else',
    ),
    only(
      'evaluate',
      '^src/client-checks/evaluate/',
      'client-checks/evaluate/|document/|http/secrets/|emulator/control/control-types\\.ts',
      'a journal in, evaluations out',
    ),
    only(
      'cli',
      '^src/cli/',
      'cli/|commands/|document/input/|report/verdict\\.ts|http/secrets/|service/configuration/',
      'the words of the verbs, and how a process ends: what verbs do stands in commands',
    ),
    {
      name: 'cli-outermost',
      comment: 'the words of the verbs, signals and exit codes of a process: nothing imports them',
      severity: 'error',
      from: { path: '^(src|generated)/', pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'commands',
      comment: 'the verbs do it, and programs call it; no room below knows of either',
      severity: 'error',
      from: { path: '^(src|generated)/', pathNot: '^src/(cli|commands)/|^src/index\\.ts$' },
      to: { path: '^src/commands/' },
    },
    {
      name: 'reference-client-stands-alone',
      comment: 'integrators copy it',
      severity: 'error',
      from: { path: '^examples/reference-client/' },
      to: { path: '^(src|tests|scripts|generated)/' },
    },
    {
      name: 'nothing-imports-scripts',
      comment: 'scripts are the outermost layer, and examples are the integrators’',
      severity: 'error',
      from: { path: '^(src|generated)/' },
      to: { path: '^(scripts|tests|examples)/' },
    },
    {
      name: 'no-cycles',
      comment: 'a circle, even of types, cannot be read from any end',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-undeclared-package',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Applications of integrators, around libraries: no room of the house.
    exclude: { path: '^(report|test-results|dist)/|^tests/support/client-apps/libraries/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};

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
      'target',
      '^src/service/',
      'target/|document/|http/|emulator/',
      'what is checked, and how one acts on it',
    ),
    {
      name: 'one-door-to-the-emulator',
      comment: 'a target is a target: only the file that opens the emulator knows that it is one',
      severity: 'error',
      from: { path: '^src/(target|judge|record|contracts|report)/', pathNot: '^src/target/emulator\\.ts$' },
      to: { path: '^src/emulator/' },
    },
    only('judge', '^src/evaluation/', 'judge/|target/|report/|document/|http/', 'a check sees a target'),
    only(
      'checks',
      '^src/evaluation/checks/',
      'judge/(checks|language|requests)/|target/|document/|http/',
      'not how they are run',
    ),
    only(
      'language',
      '^src/evaluation/language/',
      'judge/(language|requests)/|target/|report/|document/|http/',
      'what checks are written in knows none of them, and not how they are run',
    ),
    only('requests', '^src/evaluation/requests/', 'judge/requests/|target/|document/', 'wrong requests are data'),
    only(
      'monitor',
      '^src/evaluation/monitor/',
      'judge/monitor/|target/|report/|document/|http/',
      'evaluates every exchange, and knows no check',
    ),
    only(
      'explore',
      '^src/evaluation/explore/',
      'judge/(explore|monitor|requests)/|target/|document/|http/',
      'steps on a target, evaluated by the monitor alone',
    ),
    only('record', '^src/record/', 'record/|judge/|target/|report/|document/|http/', 'what a service does'),
    only(
      'contracts',
      '^src/contracts/',
      'contracts/|target/|report/|document/|http/',
      'pacts against a target',
    ),
    only(
      'client-checks',
      '^src/client-checks/',
      'client-checks/|emulator/|target/|report/|document/|http/',
      'situations are brought about on the emulator, and on nothing else',
    ),
    only(
      'evaluate',
      '^src/client-checks/evaluate/',
      'client-checks/(evaluate/|[^/]+\\.ts)|document/|http/secrets/|emulator/control-types\\.ts',
      'a journal in, evaluations out',
    ),
    {
      name: 'cli-outermost',
      comment:
        'no room knows the verbs; a program calls what they do, without signals and exit codes of a process',
      severity: 'error',
      from: { path: '^(src|generated)/', pathNot: '^src/cli/|^src/index\\.ts$' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'verbs-are-words',
      comment: 'what the verbs do knows nothing of their words',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/(verbs/|main\\.ts)' },
      to: { path: '^src/cli/(verbs/|main\\.ts)' },
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

/**
 * The arrows of the house (docs/architecture.md): who may import whom. Held by the test command.
 */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|tests|scripts|generated)/', pathNot: allowed },
});

export default {
  forbidden: [
    only('secrets-know-nobody', '^src/secrets/', '^src/secrets/', 'redaction must work everywhere'),
    only(
      'catalogue-knows-the-spec',
      '^src/catalogue/',
      '^(src/(catalogue|input)|generated)/',
      'demands, not targets',
    ),
    only(
      'exchange-knows-secrets',
      '^src/exchange/',
      '^(src/(exchange|secrets)|generated)/',
      'one HTTP exchange',
    ),
    {
      name: 'app-knows-no-words',
      comment: 'a program may call what verbs do, without signals and exit codes of a process',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
    only('input-knows-nobody', '^src/input/', '^src/input/', 'reads what anybody wrote'),
    {
      name: 'reference-client-stands-alone',
      comment: 'integrators copy it',
      severity: 'error',
      from: { path: '^examples/reference-client/' },
      to: { path: '^(src|tests|scripts|generated)/' },
    },
    only(
      'emulator-knows-no-checks',
      '^src/emulator/',
      '^(src/(emulator|tls|catalogue)|generated)/|^src/profiles/(profile|answers-of)\\.ts$',
      'it is the service; it reads profiles, and shares nothing with the probes that write them',
    ),
    only(
      'config-is-data',
      '^src/config/',
      '^(src/(config|catalogue|input)|generated)/',
      'read before anything is sent',
    ),
    only(
      'report-is-pure',
      '^src/report/(?!compare/)',
      '^(src/(report|catalogue|exchange|secrets)|generated)/',
      'results in, texts out',
    ),
    only(
      'profiles-are-data',
      '^src/profiles/',
      '^(src/(profiles|catalogue)|generated)/',
      'answers in, answers out',
    ),
    only(
      'probes-see-a-target',
      '^src/observe/',
      '^(src/(observe|profiles|requests|flow|agent|targets|exchange|secrets|catalogue)|generated)/',
      'a probe that knows the emulator sees nobody else',
    ),
    only(
      'comparing-is-pure',
      '^src/report/compare/',
      '^(src/(report|profiles|catalogue)|generated)/',
      'two documents in, the differences out',
    ),
    only(
      'targets-know-no-flow',
      '^src/targets/',
      '^(src/(targets|emulator|tls|exchange|secrets|catalogue|config|input)|generated)/',
      'what a target is, not how it is used',
    ),
    only(
      'agents-see-a-target',
      '^src/agent/',
      '^(src/(agent|targets|exchange|secrets|config|input)|generated)/',
      'user agents: a browser, or requests with its cookies',
    ),
    only(
      'flow-below-checks',
      '^src/flow/',
      '^(src/(flow|agent|targets|exchange|secrets|catalogue|config)|generated)/',
      'one actor for all: checks see it, it sees no check',
    ),
    only(
      'contracts-see-a-target',
      '^src/contracts/',
      '^(src/(contracts|input|flow|agent|targets|exchange|secrets|report)|generated)/',
      'pacts are verified against a target, whichever it is',
    ),
    only(
      'checks-see-a-target',
      '^src/(checks|conformance)/',
      '^(src/(conformance|checks|explore|monitor|requests|observe|report|profiles|flow|agent|targets|exchange|secrets|catalogue|config|input)|generated)/',
      'a check that knows the emulator proves nothing about another service',
    ),
    only(
      'checks-are-written-in-acts',
      '^src/conformance/',
      '^(src/(conformance|checks/[^/]+\\.ts|requests|flow|agent|targets|exchange)|generated)/?',
      'a check knows what it is written in, not how it is run, observed or reported',
    ),
    only(
      'acts-know-no-check',
      '^src/checks/[^/]+\\.ts$',
      '^(src/(checks/[^/]+\\.ts|requests|observe|report|flow|agent|targets|exchange|secrets|catalogue)|generated)/?',
      'what checks are written in knows none of them, and not how they are run',
    ),
    only(
      'judge-of-clients-is-pure',
      '^src/client-checks/evaluate/',
      '^(src/(client-checks/evaluate|catalogue)|src/emulator/control-types\\.ts|generated)/?',
      'a journal in, evaluations out',
    ),
    only(
      'client-checks-open-the-emulator',
      '^src/client-checks/',
      '^(src/(client-checks|emulator|agent|targets|report|secrets|catalogue|config|input)|generated)/',
      'situations are brought about on the emulator, and on nothing else',
    ),
    only(
      'monitors-see-exchanges',
      '^src/monitor/',
      '^(src/(monitor|report|flow|agent|targets|exchange|catalogue|input)|generated)/',
      'whatever is sent is evaluated, whoever sends it: a monitor knows no check',
    ),
    only(
      'wrong-requests-are-data',
      '^src/requests/',
      '^(src/(requests|flow|targets|input)|generated)/',
      'what is sent wrongly, and which requirement it belongs to; who sends it is not known',
    ),
    only(
      'exploration-sees-a-target',
      '^src/explore/',
      '^(src/(explore|monitor|requests|flow|agent|targets|exchange|secrets|config|input)|generated)/',
      'steps on a target, evaluated by the monitor alone',
    ),
    only(
      'two-targets-are-compared',
      '^src/beside/',
      '^(src/(beside|explore|monitor|requests|observe|profiles|report|flow|agent|targets|exchange|secrets|catalogue)|generated)/',
      'steps on two targets: the oracle is the other one, and no check',
    ),
    {
      name: 'one-door-to-the-emulator',
      comment:
        'a target is a target: only what opens the emulator, as such or as a live target, knows that it is one',
      severity: 'error',
      from: {
        path: '^src/(targets|agent|flow|monitor|explore|beside|contracts|report)/',
        pathNot: '^src/targets/emulator(-as-live)?\\.ts$',
      },
      to: { path: '^src/emulator/' },
    },
    {
      name: 'command-line-outermost',
      comment: 'what the verbs do knows nothing of their words, and no room knows the verbs',
      severity: 'error',
      from: { path: '^(src|generated)/', pathNot: '^src/(app|cli)/|^src/index\\.ts$' },
      to: { path: '^src/(app|cli)/' },
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

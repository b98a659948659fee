/**
 * The arrows of the house (CONTRIBUTING.md, "Layout"): who may import whom. Held by the test command.
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
      '^(src/catalogue|generated)/',
      'demands, not targets',
    ),
    only(
      'exchange-knows-secrets',
      '^src/exchange/',
      '^(src/(exchange|secrets)|generated)/',
      'one HTTP exchange',
    ),
    only('client-stands-alone', '^src/client/', '^(src/client|generated)/', 'integrators copy it'),
    only(
      'emulator-knows-no-checks',
      '^src/emulator/',
      '^(src/(emulator|catalogue)|generated)/',
      'it is the service',
    ),
    only(
      'config-is-data',
      '^src/config/',
      '^(src/(config|catalogue)|generated)/',
      'read before anything is sent',
    ),
    only(
      'report-is-pure',
      '^src/report/',
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
      '^(src/(observe|profiles|target|exchange|secrets|catalogue)|generated)/',
      'a probe that knows the emulator sees nobody else',
    ),
    only(
      'comparing-is-pure',
      '^src/compare/',
      '^(src/(compare|profiles|report|catalogue)|generated)/',
      'two documents in, the differences out',
    ),
    only(
      'target-below-checks',
      '^src/target/',
      '^(src/(target|emulator|client|exchange|secrets|catalogue|config)|generated)/',
      'checks see a target, a target sees no check',
    ),
    only(
      'contracts-see-a-target',
      '^src/contracts/',
      '^(src/(contracts|target|exchange|secrets|report|client)|generated)/',
      'pacts are verified against a target, whoever stands behind it',
    ),
    {
      name: 'one-door-to-the-emulator',
      comment: 'a target is a target: only one file knows that the emulator is one',
      severity: 'error',
      from: { path: '^src/(target|contracts|report)/', pathNot: '^src/target/emulator\\.ts$' },
      to: { path: '^src/emulator/' },
    },
    {
      name: 'checks-see-a-target',
      comment: 'a check that knows the emulator proves nothing about anybody else',
      severity: 'error',
      from: { path: '^tests/(conformance|support/(check|run))/' },
      to: { path: '^src/(emulator|client)/' },
    },
    {
      name: 'nothing-imports-scripts',
      comment: 'scripts are the outermost layer',
      severity: 'error',
      from: { path: '^(src|generated)/' },
      to: { path: '^(scripts|tests)/' },
    },
    {
      name: 'no-cycles',
      comment: 'a circle of values cannot be read from any end',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
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
    exclude: { path: '^(report|test-results|dist)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};

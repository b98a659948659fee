import { code, type Page, table } from './page.ts';

/** The variables that the suite reads, by who sets them. */
const VARIABLES: readonly (readonly [name: string, what: string])[] = [
  [
    'LEGACY_CONFORMANCE_BROWSER',
    'the executable of a Chromium-based browser; else one of the machine is looked for',
  ],
  [
    'LEGACY_CONFORMANCE_SANDBOX',
    "`required`: no run without the browser's sandbox, as the gate's image has it; `off`: the sandbox is not tried",
  ],
  [
    'LEGACY_CONFORMANCE_TARGET',
    'the target of the [checks as Playwright tests](../programs.md#the-checks-as-playwright-tests) where their file names none: `emulator`, or the configuration file of a live target',
  ],
  ['PACT_BROKER_BASE_URL', 'the address of the Pact Broker'],
  ['PACT_BROKER_TOKEN', 'a token for it'],
  ['PACT_BROKER_USERNAME, PACT_BROKER_PASSWORD', 'or a user and a password'],
  [
    'HTTP_PROXY, HTTPS_PROXY, ALL_PROXY',
    'the proxy for a broker, in either case of letters; a live target has `proxy` in its configuration',
  ],
  [
    'NO_PROXY',
    'the hosts, addresses and networks that the suite asks directly, of brokers and live targets alike. It reads the list as curl and Go do: `*.corp.test`, `.corp.test`, `10.0.0.0/8`, `::1`; a port exempts that port alone',
  ],
  ['SSL_CERT_FILE', 'certificates of authorities that a broker’s certificate is checked against'],
  ['NO_COLOR, FORCE_COLOR', 'whether a terminal gets colours'],
  [
    'GITHUB_STEP_SUMMARY',
    'the file that GitHub shows as a step’s summary: the report in Markdown is added to it',
  ],
  [
    'LEGACY_LIBFAKETIME',
    'the library of libfaketime, which `client --app` moves a client’s clock with; else one of the machine is looked for',
  ],
  ['LEGACY_CONFORMANCE_DRILL', 'with any value a drill: `check` alters each token response, and must be red'],
  ['PYTHONPATH', 'stays behind the folder with which `client --app` moves the clock of a Python client'],
  ['TMPDIR', 'the folder for temporary files'],
];

/** Variables of CI systems that tell version, branch and build of pacts. */
const CI: readonly (readonly [system: string, variables: string])[] = [
  [
    'GitHub',
    'GITHUB_SHA, GITHUB_REF_NAME, GITHUB_REF_TYPE, GITHUB_HEAD_REF, GITHUB_EVENT_PATH, GITHUB_EVENT_NAME, GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID',
  ],
  [
    'GitLab',
    'CI_COMMIT_SHA, CI_COMMIT_BRANCH, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA, CI_MERGE_REQUEST_SOURCE_BRANCH_NAME, CI_JOB_URL, CI_PIPELINE_URL',
  ],
  ['Jenkins', 'GIT_COMMIT, GIT_BRANCH, BRANCH_NAME, CHANGE_BRANCH, BUILD_URL'],
  [
    'Azure',
    'BUILD_SOURCEVERSION, BUILD_SOURCEBRANCH, SYSTEM_PULLREQUEST_SOURCECOMMITID, SYSTEM_PULLREQUEST_SOURCEBRANCH, SYSTEM_COLLECTIONURI, SYSTEM_TEAMPROJECT, BUILD_BUILDID',
  ],
  ['CircleCI', 'CIRCLE_SHA1, CIRCLE_BRANCH, CIRCLE_BUILD_URL'],
  ['Buildkite', 'BUILDKITE_COMMIT, BUILDKITE_BRANCH, BUILDKITE_BUILD_URL'],
  ['Bitbucket', 'BITBUCKET_COMMIT, BITBUCKET_BRANCH, BITBUCKET_GIT_HTTP_ORIGIN, BITBUCKET_BUILD_NUMBER'],
];

export function environmentPage(): Page {
  const names = (list: string) => list.split(', ').map(code).join(', ');
  return {
    file: 'environment.md',
    title: 'Environment variables',
    when: 'You need this page when you set up a build, a proxy, a browser or a Pact Broker. A configuration names further variables, for its secrets',
    body: `${table(
      ['variable', 'what'],
      VARIABLES.map(([name, what]) => [names(name), what]),
    )}

Version, branch and build page of pacts come from the CI system:

${table(
  ['CI system', 'variables'],
  CI.map(([system, list]) => [system, names(list)]),
)}`,
  };
}

export const DOCUMENTED_VARIABLES: ReadonlySet<string> = new Set(
  [...VARIABLES.map(([name]) => name), ...CI.map(([, list]) => list)].flatMap((list) => list.split(', ')),
);

import { inCheck, inFile, type Weakening } from './weakening.ts';

const REFUSED = /\.expectRefused\(\)/g;
const TABLE = 'src/evaluation/requests/wrong-requests.ts';

/** The most important checks, each weakened as by a careless change. */
export const WEAKENINGS: readonly Weakening[] = [
  inCheck('exchange.code-single-use', 'evaluates no replay', '2-2-authorization-code', [
    REFUSED,
    '.answer()',
  ]),
  inFile(
    'exchange.code-single-use',
    'replays with the same parameters only',
    'src/evaluation/checks/2-2-authorization-code.ts',
    ['address === undefined ? []', 'address !== "never" ? []'],
  ),
  inCheck('exchange.code-single-use', 'has no accepted twin', '2-2-authorization-code', [
    /await token\.exchange\(\{ code: await given\.code\(\) \}\)\.expectTwinAccepted\(\);/g,
    '',
  ]),
  inFile(
    'exchange.code-single-use-parallel',
    'sends one request instead of five',
    'src/evaluation/checks/2-2-authorization-code.ts',
    ['const AT_ONCE = 5', 'const AT_ONCE = 1'],
  ),
  inFile(
    'exchange.client-secret-checked',
    'evaluates a refusal by its status',
    'src/evaluation/language/token-actions.ts',
    [
      'if (accessToken !== undefined || refreshToken !== undefined) {',
      'if (answer.response.status < 300 && (accessToken !== undefined || refreshToken !== undefined)) {',
    ],
  ),
  inFile('exchange.client-secret-checked', 'tries one wrong secret', TABLE, [
    '...wrongSecrets(application.clientSecret),',
    '',
  ]),
  inFile('exchange.requires-client-secret', 'leaves the empty secret out', TABLE, [
    "absent('client_secret')",
    "each('client_secret', () => [OMITTED])",
  ]),
  inFile('exchange.redirect-uri-same', 'tries a stranger’s address only', TABLE, [
    /`\$\{redirectUri\}(?:\/deeper|x)`,|redirectUri\.slice\(0, -1\),/g,
    '',
  ]),
  inFile('exchange.token-type-bearer', 'ignores letter case', 'src/evaluation/language/token-response.ts', [
    "value === 'bearer'",
    "String(value).toLowerCase() === 'bearer'",
  ]),
  inFile('exchange.expires-in-7200', 'takes text for a number', 'src/evaluation/language/token-response.ts', [
    'written === String(LIFETIME))',
    'Number(value) === LIFETIME)',
  ]),
  inFile('refresh.new-refresh-token', 'looks at one refresh', 'src/evaluation/checks/2-1-token-response.ts', [
    'const ROUNDS = 3',
    'const ROUNDS = 1',
  ]),
  inFile('refresh.token-unknown-refused', 'tries a token that resembles none', TABLE, [
    ', ...alterations(credential)]',
    ']',
  ]),
  inFile('refresh.client-secret-checked', 'tries no wrong secret', TABLE, [
    /wrongSecret(, .*\n.*mixedWithOther, 'client-secret-checked')/g,
    '() => []$1',
  ]),
  inCheck('refresh.after-expiry', 'does not wait', '3-states-and-transitions', ['LIFETIME + SLACK', '1']),
  inCheck('lifetime.dead-after-7200', 'looks at the list alone', '8-limits', [
    /await users\.(?:assign|unassign)\(\{.*token: accessToken \}\)\.expectRefused\(\);/g,
    '',
  ]),
  inCheck('lifetime.alive-until-7200', 'looks after a minute', '8-limits', [
    /\.after\((?:NEARLY_OVER|LIFETIME - LAST_SECOND)/g,
    '.after(60',
  ]),
  inCheck('authorize.redirect-uri-authorized', 'tries one address', '4-1-authorization-request', [
    'unauthorizedAddressesOf(target)',
    'unauthorizedAddressesOf(target).slice(0, 1)',
  ]),
  inFile('authorize.grant-needed', 'does not deny', 'src/evaluation/language/stories.ts', [
    'await request().denied().expectNoCode();',
    '',
  ]),
  inCheck('authorize.state-echoed', 'sends a plain state', '4-1-authorization-request', [
    'of STATES',
    "of ['plain']",
  ]),
  inCheck('assign.adds-user', 'does not look into the list', '4-4-assigned-users', [
    /await expectEffect\(given, 'assign', \w+\);/g,
    'void 0;',
  ]),
  inCheck('unassign.leaves-others', 'does not look at the others', '4-4-assigned-users', [
    /await expectAllListed\([^;]*;/g,
    '',
  ]),
  inCheck('list.fresh', 'evaluates nothing', '4-4-assigned-users', [/await expectFresh\([^;]*;/g, '']),
  inFile('list.token-invalid-refused', 'tries a token that resembles none', TABLE, [
    '[neverIssued(accessToken), ...alterations(accessToken)]',
    '[neverIssued(accessToken)]',
  ]),
  inFile(
    'assign.unknown-project-refused',
    'evaluates a refusal by its status',
    'src/evaluation/language/user-actions.ts',
    [
      'if (effect !== undefined) throw hadEffect(this.purpose, answer, effect);',
      'if (effect !== undefined && answer.response.status < 300) throw hadEffect(this.purpose, answer, effect);',
    ],
    [
      'if (effect === undefined) return;',
      'if (effect === undefined || !answers.some(({ response }) => isSuccess(response))) return;',
    ],
  ),
  inFile('resource.odd-ids-contained', 'leaves the NUL out', 'src/evaluation/language/odd-ids.ts', [
    /`\$\{id\}\\u0000x?`,/g,
    '',
  ]),
];

import { inCheck, inFile, type Weakening } from './weakening.ts';

const REFUSED = /\.expectRefused\(\)/g;
/** The checks that matter most, each weakened in the way that a careless change would. */
export const WEAKENINGS: readonly Weakening[] = [
  inCheck('exchange.code-single-use', 'judges no replay', '2-2-authorization-code', [REFUSED, '.answer()']),
  inCheck('exchange.code-single-use', 'replays with the same parameters only', '2-2-authorization-code', [
    /if \(other !== undefined\)/g,
    'if (other === "never")',
  ]),
  inCheck('exchange.code-single-use', 'has no accepted twin', '2-2-authorization-code', [
    /await token\.exchange\(\{ code: await given\.code\(\) \}\)\.expectTwinAccepted\(\);/g,
    '',
  ]),
  inFile(
    'exchange.code-single-use-parallel',
    'sends one request instead of five',
    'src/conformance/2-2-authorization-code.ts',
    ['const AT_ONCE = 5', 'const AT_ONCE = 1'],
  ),
  inFile('exchange.client-secret-checked', 'judges a refusal by its status', 'src/checks/token-acts.ts', [
    'if (accessToken !== undefined || refreshToken !== undefined) {',
    'if (answer.response.status < 300 && (accessToken !== undefined || refreshToken !== undefined)) {',
  ]),
  inCheck('exchange.client-secret-checked', 'tries one wrong secret', '4-2-exchange', [
    'wrongSecrets(clientSecret)',
    'wrongSecrets(clientSecret).slice(0, 1)',
  ]),
  inFile(
    'exchange.requires-client-secret',
    'leaves the empty secret out',
    'src/conformance/4-2-exchange.ts',
    ["variantsOf(parameter, [OMITTED, ''])", 'variantsOf(parameter, [OMITTED])'],
  ),
  inCheck('exchange.redirect-uri-same', 'tries a stranger’s address only', '4-2-exchange', [
    /\$\{uri\}\/deeper|\$\{uri\}x|\.\.\.variantsOfAddress\(uri\),|uri\.slice\(0, -1\),/g,
    '',
  ]),
  inFile('exchange.token-type-bearer', 'ignores letter case', 'src/checks/token-response.ts', [
    "value === 'bearer'",
    "String(value).toLowerCase() === 'bearer'",
  ]),
  inFile('exchange.expires-in-7200', 'takes text for a number', 'src/checks/token-response.ts', [
    'value === 7200',
    'Number(value) === 7200',
  ]),
  inFile('refresh.new-refresh-token', 'looks at one refresh', 'src/conformance/2-1-token-response.ts', [
    'const ROUNDS = 3',
    'const ROUNDS = 1',
  ]),
  inCheck('refresh.token-unknown-refused', 'tries a token that resembles none', '4-3-refresh', [
    '[neverIssued(refreshToken), ...wrongTokens(refreshToken)]',
    '[neverIssued(refreshToken)]',
  ]),
  inCheck('refresh.client-secret-checked', 'tries no wrong secret', '4-3-refresh', [
    'wrongSecrets(application.clientSecret)',
    '[]',
  ]),
  inCheck('refresh.after-expiry', 'does not wait', '3-states-and-transitions', ['LIFETIME + SLACK', '1']),
  inCheck('lifetime.dead-after-7200', 'looks at the list alone', '8-limits', [
    "['list', 'assign', 'unassign']",
    "['list']",
  ]),
  inCheck('lifetime.alive-until-7200', 'looks after a minute', '8-limits', [
    /\.after\((?:NEARLY_OVER|LIFETIME - LAST_SECOND)/g,
    '.after(60',
  ]),
  inCheck('authorize.redirect-uri-authorized', 'tries one address', '4-1-authorization-request', [
    'unauthorizedAddresses(target)',
    'unauthorizedAddresses(target).slice(0, 1)',
  ]),
  inCheck('authorize.grant-needed', 'does not deny', '4-1-authorization-request', [
    /await authorize\.request\([^)]*\)\.denied\(\)\.expectNoCode\(\);/g,
    '',
  ]),
  inCheck('authorize.state-echoed', 'sends a plain state', '4-1-authorization-request', [
    'of STATES',
    "of ['plain']",
  ]),
  inCheck('assign.adds-user', 'does not look into the list', '4-4-assigned-users', [
    /await expectEffect\(given, 'assign', \w+\);/g,
    '',
  ]),
  inCheck('unassign.leaves-others', 'does not look at the others', '4-4-assigned-users', [
    /await expectAllListed\(given, others, 'unassign'\);/g,
    'void others;',
  ]),
  inCheck('list.fresh', 'judges nothing', '4-4-assigned-users', [/await expectFresh\([^;]*;/g, '']),
  inFile('list.token-invalid-refused', 'tries a token that resembles none', 'src/checks/refused-calls.ts', [
    '[neverIssued(issued), ...alterations(issued)]',
    '[neverIssued(issued)]',
  ]),
  inFile('assign.unknown-project-refused', 'judges a refusal by its status', 'src/checks/user-acts.ts', [
    'if (effect !== undefined) throw hadEffect(this.purpose, answer, effect);',
    'if (effect !== undefined && answer.response.status < 300) throw hadEffect(this.purpose, answer, effect);',
  ]),
  inFile('resource.odd-ids-contained', 'leaves the NUL out', 'src/checks/odd-ids.ts', [
    /`\$\{id\}\\u0000x?`,/g,
    '',
  ]),
];

/** A verb that ends before its verdict is 2 while a module of the user is loaded, and 4 afterwards. */

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { runCommand } from '../support/command.ts';
import { type OnLoopback, onLoopback } from '../support/on-loopback.ts';
import { firstInTest, PROVE } from '../support/prove.ts';

test.describe.configure({ mode: 'parallel' });

/** Stands in what a module throws; nothing that is printed may hold it. */
const CANARY = 'canary-5f2a9c';

/** Ways in which a module may end the process, as text that runs in it. */
const WAYS = {
  'process.exit': 'process.exit(0);',
  'an exit code that is set again at the end':
    "process.on('exit', () => { process.exitCode = 0; }); process.exit(0);",
  'an exception': `setTimeout(() => { throw new TypeError('${CANARY}'); });`,
  'a rejection': `Promise.reject({ message: '${CANARY}' });`,
} as const;

/** Verbs that read the configuration of a target. */
const ON_A_TARGET = [
  ['check', '--target'],
  ['observe', '--target'],
  ['doctor', '--target'],
  ['sweep', '--target'],
  ['sign-in', '--save', '--target'],
  ['contracts', 'verify', '--target'],
] as const;

const NEVER_LOADS = {
  ...WAYS,
  'a wait that never ends': 'await new Promise(() => {});',
} as const;

/** The guard is one for all verbs: `npm test` tries one pair, `npm run prove` all. */
function pairs<V, W>(verbs: readonly V[], ways: readonly W[]) {
  return verbs.flatMap((verb, v) => ways.map((way, w) => [verb, way, v + w === 0 ? {} : PROVE] as const));
}

for (const [verb, [way, text], details] of pairs(ON_A_TARGET, Object.entries(NEVER_LOADS))) {
  test(`${verb.join(' ')}: a configuration that ends the process by ${way} is 2`, details, async () => {
    const file = test.info().outputPath('ends.config.mjs');
    writeFileSync(
      file,
      `${text}\nawait new Promise((resolve) => setTimeout(resolve, 1_000));\nexport default {};`,
    );
    const { code, stdout, stderr } = await runCommand([...verb, file]);
    expect(stderr).toContain(`${file}: expected a module that loads`);
    expect(stdout + stderr).not.toContain(CANARY);
    expect(code).toBe(2);
  });
}

const CONFIGURATION = {
  name: 'silent',
  application: {
    clientId: 'a1b2c3',
    clientSecret: { env: 'EARLY_CLIENT_SECRET' },
    redirectUris: ['https://client.example/callback'],
  },
  owner: { login: 'owner@staging.example', password: { env: 'EARLY_PASSWORD' } },
  projects: ['4711'],
  users: ['1001'],
  lock: false,
  signIn: { form: '#login', steps: [{ fill: '#login', with: 'login' }, { click: '#next' }] },
  consent: { grant: '#grant', shown: 'once' },
  // `sweep` and `contracts verify` end what is under way before they end.
  pacing: { deadlineMs: 5_000 },
};
const SECRETS = { EARLY_CLIENT_SECRET: 'a secret of the client', EARLY_PASSWORD: 'a password of the owner' };

/** Resolves once somebody has connected; never answers. */
async function silentServer(): Promise<OnLoopback & { met: Promise<void> }> {
  const server = createServer();
  const met = new Promise<void>((resolve) => server.once('connection', () => resolve()));
  return { ...(await onLoopback(server)), met };
}

const SENDING = ON_A_TARGET.filter(([name]) => name !== 'sign-in');

for (const [verb, [way, text], details] of pairs(SENDING, Object.entries(WAYS))) {
  test(`${verb.join(' ')}: ${way} once something was sent is 4`, details, async () => {
    const { close, origin, met } = await silentServer();
    const flag = test.info().outputPath('flag');
    const file = test.info().outputPath('ends.config.mjs');
    const configuration = { ...CONFIGURATION, authUrl: origin, baseUrl: origin };
    writeFileSync(
      file,
      `import { existsSync } from 'node:fs';
const look = setInterval(() => {
  if (!existsSync(${JSON.stringify(flag)})) return;
  clearInterval(look);
  ${text}
}, 10);
export default ${JSON.stringify(configuration)};`,
    );
    const running = runCommand([...verb, file, ...reportOf(verb[0])], SECRETS);
    await Promise.race([met, running]);
    writeFileSync(flag, '');
    const { code, stdout, stderr } = await running;
    await close();
    expect(stderr).toMatch(/ended before there was a verdict|The suite itself failed/);
    expect(stdout + stderr).not.toContain(CANARY);
    expect(code, `${stdout}${stderr}`).toBe(4);
  });
}

function reportOf(verb: string): readonly string[] {
  return verb === 'check' ? ['--report', test.info().outputPath('report')] : [];
}

/** Every verb, with whatever it needs to get to work. */
const EVERY_VERB: readonly (readonly string[])[] = [
  ['check'],
  ['emulate', '--port', '0', '--api-port', '0'],
  ['observe'],
  ['compare', 'doorkeeper-5', 'adversarial'],
  ['explain'],
  ['contracts', 'verify'],
  ['contracts', 'states'],
  ['contracts', 'publish', 'contracts/pacts', '--consumer-app-version', '1'],
  ['client', '--', 'node', '--version'],
  ['init', '--out', join(tmpdir(), 'early-ends', 'conformance.config.json'), '--force'],
  ['doctor', '--target', 'nowhere.json'],
  ['sign-in', '--save', '--target', 'nowhere.json'],
  ['sweep', '--target', 'nowhere.json'],
];

for (const [verb, details] of firstInTest(EVERY_VERB, 1)) {
  test(
    `${verb.slice(0, 2).join(' ')}: ended by what was loaded before it is 4, and not 0`,
    details,
    async () => {
      const preload = test.info().outputPath('preload.mjs');
      // With the first word that the verb says.
      writeFileSync(
        preload,
        `if (process.argv[1]?.endsWith('legacy-conformance.js')) {
  for (const stream of [process.stdout, process.stderr]) stream.write = () => process.exit(0);
}`,
      );
      const { code, stderr } = await runCommand(verb, { NODE_OPTIONS: `--import=${pathToFileURL(preload)}` });
      expect(stderr).toContain('ended before there was a verdict');
      expect(code).toBe(4);
    },
  );
}

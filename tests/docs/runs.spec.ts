/** The documentation's commands, run as they stand, page by page; and what a page shows of their output. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { singleQuoted } from '../../src/document/input/shell-quotes.ts';
import { startBrokerDouble } from '../support/broker-double/start.ts';
import { COMMAND, COMPILED } from '../support/command.ts';
import { blocksOf, commandsOf, notPrinted } from '../support/documentation/blocks.ts';
import { PAGES, ROOT, textOf } from '../support/documentation/pages.ts';
import { startIndependentService } from '../support/independent-service/start.ts';
import { independentServiceConfiguration, independentServiceSecrets } from '../support/live-config.ts';
import { PROVE } from '../support/prove.ts';

/** Prerequisites of a page: files, services, variables. */
interface Scene {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Commands of what the reader does in front of a documented one, such as filling in a file. */
  readonly before?: readonly (readonly [documented: RegExp, commands: string])[];
  /** Exit codes that the page does not tell, where they are others than 0: the scene's service differs from the page's. */
  readonly ends?: readonly (readonly [documented: RegExp, code: number])[];
}

/** Between the output of two commands; no command prints it. */
const SEPARATOR = '\u0001';

/** Runs the commands of a page's blocks in one shell, with the checkout's command; what is not as the page says. */
async function runPage(markdown: string, scene: Scene): Promise<readonly string[]> {
  const blocks = blocksOf(markdown).filter(
    ({ language, mark }) => (language === 'sh' && mark === undefined) || mark?.kind === 'output',
  );
  const commands = blocks.flatMap((block) => (block.language === 'sh' ? commandsOf(block) : []));
  const ended = await inShell(commands, scene);
  const problems = ended.flatMap(({ command, code, output }) => {
    const wanted = expectedEnd(command, scene);
    return code === wanted
      ? []
      : [`${command}: expected exit ${wanted}, got ${code}: ${output.slice(-1_500)}`];
  });
  let printed = '';
  for (const block of blocks) {
    if (block.language === 'sh')
      printed += ended
        .splice(0, commandsOf(block).length)
        .map(({ output }) => output)
        .join('');
    else
      problems.push(
        ...notPrinted(block.text, printed).map(
          (line) =>
            `line ${block.line}: shown and not printed: ${line}\n--- printed:\n${printed.slice(-4_000)}`,
        ),
      );
  }
  return problems;
}

/** The exit code of a documented command: as its own comment says, else 0. */
function expectedEnd(command: string, { ends = [] }: Scene): number {
  const reported = ends.find(([documented]) => documented.test(command));
  return reported?.[1] ?? Number(/#.*\bexit (\d)/.exec(command)?.[1] ?? 0);
}

interface Ended {
  readonly command: string;
  readonly code: number;
  readonly output: string;
}

async function inShell(commands: readonly string[], scene: Scene): Promise<Ended[]> {
  const bin = join(scene.folder, '.bin');
  mkdirSync(bin, { recursive: true });
  const [node, ours] = [process.execPath, COMMAND].map(singleQuoted);
  const own = `#!/bin/sh\nexec ${node} -- ${ours} "$@"\n`;
  const npx = `#!/bin/sh\nwhile [ "$1" != legacy-conformance ]; do case $1 in -*) shift;; *) exec ${node} "node_modules/.bin/$@";; esac; done\nshift\nexport npm_command=exec\n${own.split('\n')[1]}\n`;
  for (const [name, text] of [
    ['legacy-conformance', own],
    ['npx', npx],
  ] as const)
    writeFileSync(join(bin, name), text, { mode: 0o755 });
  const lines = commands.flatMap((command) => [
    ...(scene.before ?? []).flatMap(([documented, prepared]) => (documented.test(command) ? [prepared] : [])),
    `printf '${SEPARATOR}'`,
    command,
    `printf '${SEPARATOR}%s${SEPARATOR}' $?`,
  ]);
  const shell = spawn('bash', ['-c', ['exec 2>&1', ...lines].join('\n')], {
    cwd: scene.folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      HOME: process.env.HOME,
      NO_COLOR: '1',
      ...COMPILED,
      ...scene.env,
      PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`,
    },
  });
  let output = '';
  shell.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await once(shell, 'close');
  const parts = output.split(SEPARATOR);
  return commands.map((command, index) => ({
    command,
    output: parts[index * 3 + 1] ?? '',
    code: Number(parts[index * 3 + 2] ?? Number.NaN),
  }));
}

/** Ends the services of a scene. */
type Ending = () => Promise<unknown>;

/** Sets a scene in a folder. */
type Setting = (folder: string, endings: Ending[]) => Promise<Omit<Scene, 'folder'>>;

/** A client's own tests: the flow once, with what the environment says. */
const OWN_TESTS = `
const { LEGACY_AUTH_URL: auth, LEGACY_BASE_URL: api, LEGACY_REDIRECT_URI: redirect_uri, LEGACY_PROJECT_ID: project } = process.env;
const client = { client_id: process.env.LEGACY_CLIENT_ID, client_secret: process.env.LEGACY_CLIENT_SECRET };
const query = new URLSearchParams({ client_id: client.client_id, redirect_uri, response_type: 'code', scope: 'read', state: crypto.randomUUID() });
const { headers } = await fetch(auth + '/oauth/authorize?' + query, { redirect: 'manual' });
const code = new URL(headers.get('location')).searchParams.get('code');
const token = async (fields) => (await fetch(auth + '/oauth/token', { method: 'POST', body: new URLSearchParams({ ...client, ...fields }) })).json();
const pair = await token({ grant_type: 'authorization_code', code, redirect_uri });
const { access_token } = await token({ grant_type: 'refresh_token', refresh_token: pair.refresh_token });
await fetch(api + '/v2/projects/' + project + '/assigned_users', { headers: { Authorization: 'Bearer ' + access_token } });`;

/** A service of the reader's own: the independent one, with its configuration wherever pages have it. */
const ownService: Setting = async (folder, endings) => {
  const service = await startIndependentService({});
  endings.push(() => service.stop());
  const written = JSON.stringify(independentServiceConfiguration(service.ready), null, 2);
  const secrets = Object.entries(independentServiceSecrets(service.ready)).map(
    ([name, value]) => `${name}=${value}\n`,
  );
  mkdirSync(join(folder, 'filled-in'));
  for (const file of ['filled-in/conformance.config.json', 'staging.config.json', 'shim.config.json'])
    writeFileSync(join(folder, file), written);
  for (const file of ['filled-in/.env', '.env']) writeFileSync(join(folder, file), secrets.join(''));
  return {
    env: {},
    // The reader fills the starter in, or has done so long ago.
    before: [[/--target staging\/conformance/, 'mkdir -p staging; cp -r filled-in/. staging/']],
  };
};

/** An emulator that consents by itself, with a pair of tokens, and the variables that it prints. */
const emulatorOfPages: Setting = async (folder) => {
  writeFileSync(join(folder, 'test.mjs'), OWN_TESTS);
  const start =
    'legacy-conformance emulate --port 0 --api-port 0 --control 0 --auto-consent --dotenv .env.control >/dev/null & EMULATOR=$!\n' +
    'until [ -f .env.control ]; do sleep 0.1; done; set -a; . ./.env.control; set +a\n' +
    'trap "kill $EMULATOR" EXIT\n' +
    'node test.mjs';
  return { env: {}, before: [[/^control\(\)/, start]] };
};

/** A broker with what `my-app` has published, and the service. */
const broker: Setting = async (folder, endings) => {
  const service = await ownService(folder, endings);
  const double = await startBrokerDouble();
  for (const name of ['legacy-authorization-server', 'legacy-resource-api'])
    double.store.ensurePacticipant(name);
  double.store.publish('shop', '1', 'legacy-resource-api', JSON.parse(pactOf('shop')), 'main');
  endings.push(() => double.close());
  mkdirSync(join(folder, 'build/pacts'), { recursive: true });
  writeFileSync(join(folder, 'build/pacts/my-app.json'), pactOf('my-app'));
  return {
    ...service,
    env: { PACT_BROKER_BASE_URL: double.url, COMMIT: '4f2a9c1', BRANCH: 'main', PROVIDER: 'observed-1' },
  };
};

const pactOf = (consumer: string) =>
  readFileSync(
    join(ROOT, 'contracts/pacts/legacy-api-reference-client-legacy-resource-api.json'),
    'utf8',
  ).replaceAll('legacy-api-reference-client', consumer);

/** A service, and a repository beside it with a pact. */
const besideShop: Setting = (folder, endings) => {
  mkdirSync(join(folder, '../shop/pacts'), { recursive: true });
  writeFileSync(join(folder, '../shop/pacts/shop.json'), pactOf('shop'));
  return ownService(folder, endings);
};

/** Prerequisites of each page. No test runs a command of a page that is not here. */
const SCENES: Readonly<Record<string, Setting>> = {
  'README.md': async (folder, endings) => {
    await client(folder);
    return besideShop(folder, endings);
  },
  'docs/check-a-service.md': ownService,
  'docs/check-your-client.md': async (folder) => {
    await client(folder);
    return { env: {} };
  },
  'docs/client-application.md': async (folder) => {
    await client(folder);
    return {
      env: {},
      // `init` writes an example; the reader's own file is already there.
      before: [
        [/init --client/, 'mv app.config.json own.json'],
        [/--only flow/, 'mv own.json app.config.json'],
      ],
    };
  },
  'docs/ci-every-night.md': async (folder, endings) => {
    const service = await ownService(folder, endings);
    return {
      ...service,
      before: [
        ...(service.before ?? []),
        [/--history/, 'set -a; . staging/.env; set +a'],
        [/compare before/, 'mkdir before; cp conformance-report/results.json before/'],
      ],
    };
  },
  'docs/by-curl.md': emulatorOfPages,
  'docs/emulator-control.md': emulatorOfPages,
  'docs/emulator.md': async () => ({ env: {} }),
  'docs/exploration.md': async () => ({ env: {} }),
  'docs/known-deviations.md': async () => ({ env: {} }),
  'docs/pact-broker-service.md': broker,
  'docs/pact-broker.md': broker,
  'docs/pacts.md': besideShop,
  'docs/record-before-retirement.md': async (folder, endings) => {
    const service = await ownService(folder, endings);
    return {
      ...service,
      before: [...(service.before ?? []), [/--target shim/, 'set -a; . ./.env; set +a']],
      // The same service as before has not drifted, and its answers have not changed.
      ends: [[/^npx legacy-conformance compare frozen/, 0]],
    };
  },
  'examples/gate/README.md': ownService,
};

/** A client with tests of its own, and as a running application. */
async function client(folder: string): Promise<void> {
  writeFileSync(join(folder, 'test.mjs'), OWN_TESTS);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', scripts: { test: 'node test.mjs' } }),
  );
  const APPS = join(ROOT, 'tests/support/client-apps');
  const { start, ...app } = JSON.parse(readFileSync(join(APPS, 'reference.json'), 'utf8'));
  const command = start.command.replace('reference-app.ts', singleQuoted(join(APPS, 'reference-app.ts')));
  const written = JSON.stringify({ ...app, start: { ...start, command } });
  writeFileSync(join(folder, 'app.config.json'), written);
}

test('every block says how it is tried: run, run by another test, compared, or not run for a reason', () => {
  const wrong = PAGES.flatMap((page) =>
    blocksOf(textOf(page)).flatMap(({ line, language, mark }) => {
      const at = `${page}:${line}`;
      if (mark?.kind === 'run by' || mark?.kind === 'excerpt of')
        return existsSync(join(ROOT, mark.why)) ? [] : [`${at}: there is no ${mark.why}`];
      if (mark?.kind === 'not run') return mark.why === '' ? [`${at}: not run, and why?`] : [];
      if (language === 'sh') return page in SCENES ? [] : [`${at}: no scene runs its commands`];
      if (language === '' || language === 'console') {
        if (mark === undefined) return [`${at}: is it output?`];
        return mark.kind === 'output' && !(page in SCENES) ? [`${at}: no scene makes its output`] : [];
      }
      return [];
    }),
  );
  expect(wrong).toEqual([]);
});

/** Pages whose commands take a second or two. Those of another page take half a minute. */
const QUICK = ['docs/by-curl.md', 'docs/emulator-control.md', 'docs/emulator.md'];

for (const page of Object.keys(SCENES))
  test(
    `${page}: its commands end as it says, and print what it shows`,
    QUICK.includes(page) ? {} : PROVE,
    async () => {
      test.setTimeout(300_000);
      const folder = test.info().outputPath('project');
      mkdirSync(folder, { recursive: true });
      const endings: Ending[] = [];
      try {
        const scene = await SCENES[page]?.(folder, endings);
        if (scene === undefined) throw new Error(`there is no scene for ${page}`);
        expect(await runPage(textOf(page), { folder, ...scene })).toEqual([]);
      } finally {
        for (const end of endings.toReversed()) await end();
      }
    },
  );

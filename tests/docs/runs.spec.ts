/** The documentation's commands, run as they stand, page by page; and what a page shows of their output. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startBrokerDouble } from '../support/broker-double/start.ts';
import { blocksOf } from '../support/documentation/blocks.ts';
import { PAGES, ROOT, textOf } from '../support/documentation/pages.ts';
import { runPage, type Scene } from '../support/documentation/run-page.ts';
import { standInConfiguration, standInSecrets } from '../support/live-config.ts';
import { PROVE } from '../support/prove.ts';
import { startStandIn } from '../support/stand-in/start.ts';

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
  const service = await startStandIn({});
  endings.push(() => service.stop());
  const written = JSON.stringify(standInConfiguration(service.ready), null, 2);
  const secrets = Object.entries(standInSecrets(service.ready)).map(([name, value]) => `${name}=${value}\n`);
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

/** What each page takes for granted; a page that is not here has no command that is run. */
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
  const app = readFileSync(join(APPS, 'reference.json'), 'utf8').replace(
    'node reference-app.ts',
    `node ${APPS}/reference-app.ts`,
  );
  writeFileSync(join(folder, 'app.config.json'), app);
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

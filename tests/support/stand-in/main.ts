/**
 * A service that is not ours: what staging is to the suite, made of `oidc-provider` and a small resource API. It is
 * a process of its own and is configured by environment variables only (`settings.ts` lists them):
 *
 *     STAND_IN_CONSENT=always node tests/support/stand-in/main.ts
 *
 * It prints one line of JSON (`ready.ts`) on standard output and ends on SIGTERM, or when its parent goes away. Its parent
 * may ask it over IPC which requests it has received, and which secrets it has issued, and tell it to
 * fall silent.
 * Exit code 2 means that a setting is wrong.
 */
import type { IncomingMessage } from 'node:http';
import { makeCertificates } from './certificates.ts';
import { makePages } from './interactions.ts';
import { type Listener, listen } from './listener.ts';
import { makeProvider, PAGES_PATH } from './provider.ts';
import type { ReadyLine } from './ready.ts';
import { makeResourceApi } from './resource-api.ts';
import { makeSeeds } from './seeds.ts';
import { readSettings, type Settings, SettingsError } from './settings.ts';
import { issued } from './store.ts';

// Standard output is for the ready line alone; `oidc-provider` writes its notices there.
console.info = console.error;

/** Method and path of every request to any port, in the order of arrival. */
const received: string[] = [];

async function start(settings: Settings): Promise<{ ready: ReadyLine; listeners: Listener[] }> {
  const seeds = makeSeeds(settings);
  const identity =
    settings.tls && settings.directory !== undefined ? makeCertificates(settings.directory) : undefined;

  const count = (req: IncomingMessage) => received.push(`${req.method} ${req.url?.split('?')[0]}`);
  const auth = await listen(identity, count);
  const api = await listen(identity, count);
  const own = settings.twoOrigins ? await listen(identity, count) : undefined;
  const pagesUrl = own?.origin ?? auth.origin;

  const provider = makeProvider(auth.origin, pagesUrl, settings, seeds);
  const authorization = provider.callback();
  const pages = makePages(provider, seeds, PAGES_PATH, settings);
  const isPage = (url: string | undefined) => url?.startsWith(`${PAGES_PATH}/`) === true;

  auth.serve((req, res) =>
    own === undefined && isPage(req.url) ? pages(req, res) : authorization(req, res),
  );
  own?.serve(pages);
  api.serve(makeResourceApi(provider, seeds, settings.demands, settings.defect));

  const [firstProject = '', secondProject = ''] = Object.keys(seeds.assigned);
  const [one = '', two = '', three = ''] = seeds.freeUsers;
  const { login, password } = seeds.owner;
  return {
    listeners: own === undefined ? [auth, api] : [auth, api, own],
    ready: {
      kind: 'stand-in-ready',
      pid: process.pid,
      authUrl: auth.origin,
      baseUrl: api.origin,
      pagesUrl,
      caFile: identity?.caFile ?? null,
      mode: settings.mode,
      defect: settings.defect ?? null,
      demands: [...settings.demands],
      consent: settings.consent,
      interstitial: settings.interstitial,
      application: seeds.application,
      secondApplication: seeds.secondApplication,
      owner: { login, password },
      projects: [firstProject, secondProject],
      users: [one, two, three],
      assigned: seeds.assigned,
    },
  };
}

try {
  const { ready, listeners } = await start(readSettings(process.env));
  const stop = async () => {
    await Promise.all(listeners.map((listener) => listener.close()));
    if (process.connected) process.disconnect();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.once('disconnect', stop);
  process.on('message', (question) => {
    if (question === 'received') process.send?.(received);
    if (question === 'issued') process.send?.(issued);
    if (question === 'fall silent') for (const listener of listeners) listener.fallSilent();
  });
  process.stdout.write(`${JSON.stringify(ready)}\n`);
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(`stand-in: ${error.message}`);
  process.exitCode = 2;
  if (process.connected) process.disconnect();
}

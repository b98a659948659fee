/**
 * A service that is not ours: what staging is to the suite, made of `oidc-provider` and a small resource API. It is
 * a process of its own and is configured by environment variables only (`settings.ts` lists them):
 *
 *     STAND_IN_CONSENT=always node tests/support/stand-in/main.ts
 *
 * It prints one line of JSON (`ready.ts`) on standard output and ends on SIGTERM, or when its parent goes away.
 * Exit code 2 means that a setting is wrong.
 */
import { makeCertificates } from './certificates.ts';
import { makePages } from './interactions.ts';
import { type Listener, listen } from './listener.ts';
import { makeProvider, PAGES_PATH } from './provider.ts';
import type { ReadyLine } from './ready.ts';
import { makeResourceApi } from './resource-api.ts';
import { makeSeeds } from './seeds.ts';
import { readSettings, type Settings, SettingsError } from './settings.ts';

// Standard output is for the ready line alone; `oidc-provider` writes its notices there.
console.info = console.error;

async function start(settings: Settings): Promise<{ ready: ReadyLine; listeners: Listener[] }> {
  const seeds = makeSeeds(settings);
  const identity =
    settings.tls && settings.directory !== undefined ? makeCertificates(settings.directory) : undefined;

  const auth = await listen(identity);
  const api = await listen(identity);
  const own = settings.twoOrigins ? await listen(identity) : undefined;
  const pagesUrl = own?.origin ?? auth.origin;

  const provider = makeProvider(auth.origin, pagesUrl, settings, seeds);
  const authorization = provider.callback();
  const pages = makePages(provider, seeds, PAGES_PATH, settings.interstitial);
  const isPage = (url: string | undefined) => url?.startsWith(`${PAGES_PATH}/`) === true;

  auth.serve((req, res) =>
    own === undefined && isPage(req.url) ? pages(req, res) : authorization(req, res),
  );
  own?.serve(pages);
  api.serve(makeResourceApi(provider, seeds, settings.demands.has('no-v2') ? '' : '/v2', settings.defect));

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
  process.stdout.write(`${JSON.stringify(ready)}\n`);
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(`stand-in: ${error.message}`);
  process.exitCode = 2;
  if (process.connected) process.disconnect();
}

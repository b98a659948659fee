import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startIndependentService } from '../tests/support/independent-service/start.ts';
import { writeLiveConfiguration } from '../tests/support/live-config.ts';

/**
 * `npm run independent-service -- DIR`: starts an independent service (oidc-provider and a small resource API) to try features for live
 * targets. Writes its configuration and its secrets into a folder. `INDEPENDENT_SERVICE_…` variables change its behaviour.
 */
const [directory] = process.argv.slice(2);
if (directory === undefined || directory.startsWith('-')) {
  console.error(
    'independent-service: expected the folder to write the configuration to: npm run independent-service -- staging',
  );
  process.exit(2);
}
const given = Object.entries(process.env).filter(([name]) => name.startsWith('INDEPENDENT_SERVICE_'));
// The same ports each time, so that a configuration that was written before stays right.
const settings = {
  INDEPENDENT_SERVICE_PORT: '8760',
  ...(Object.fromEntries(given) as Record<string, string>),
};
const running = await startIndependentService(settings).catch((error: unknown) => {
  if (!String(error).includes('EADDRINUSE')) throw error;
  const port = settings.INDEPENDENT_SERVICE_PORT;
  console.error(
    `independent-service: port ${port} or the one behind it is taken: stop what listens there, or set INDEPENDENT_SERVICE_PORT=8770`,
  );
  process.exit(2);
});
mkdirSync(directory, { recursive: true });
const { file, env } = writeLiveConfiguration(running.ready, resolve(directory));
const secrets = join(directory, '.env');
writeFileSync(
  secrets,
  Object.entries(env)
    .map(([name, value]) => `${name}=${value}\n`)
    .join(''),
  { mode: 0o600 },
);
writeFileSync(join(directory, '.gitignore'), '*\n');
console.log(`an independent service, at ${running.ready.authUrl} and ${running.ready.baseUrl}
configuration  ${file}
secrets        ${resolve(secrets)}

Stop with Ctrl+C.`);
const stop = async () => {
  await running.stop();
  process.exit(0);
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** `npm run contracts:write`: runs the consumer tests and replaces the committed pacts with what they write. */

const cli = fileURLToPath(new URL('../node_modules/@playwright/test/cli.js', import.meta.url));
const { status } = spawnSync(
  process.execPath,
  [cli, 'test', '--project=contracts', 'tests/contracts/consumer'],
  { stdio: 'inherit', env: { ...process.env, LEGACY_CONFORMANCE_WRITE_PACTS: '1' } },
);
process.exitCode = status ?? 1;

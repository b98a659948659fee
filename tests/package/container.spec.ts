/** The image of examples/container: built from the packed package and run, where a container engine runs. It downloads `node:24-slim`. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ROOT } from '../support/documentation/pages.ts';
import { buildAndPack } from '../support/package/project.ts';
import { PROVE } from '../support/prove.ts';

const ENGINE = ['docker', 'podman'].find((name) => spawnSync(name, ['info']).status === 0);

test('the image starts, is healthy, answers, and ends with 0 at SIGTERM', PROVE, async () => {
  test.skip(ENGINE === undefined, 'needs a container engine that runs');
  test.setTimeout(600_000);
  const folder = test.info().outputPath('image');
  cpSync(join(ROOT, 'examples/container'), folder, { recursive: true });
  const packed = buildAndPack(test.info().outputPath('.'));
  const name = basename(packed.file);
  copyFileSync(packed.file, join(folder, name));
  const engine = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(ENGINE ?? '', args, { cwd: folder, encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
    return stdout.trim();
  };
  const image = 'legacy-emulator-test';
  engine('build', '-f', 'Containerfile', '-t', image, '--build-arg', `PACKAGE=/tmp/${name}`, '.');
  const container = engine('run', '--detach', '--publish', '127.0.0.1::8700', image);
  try {
    const health = () => engine('inspect', '--format', '{{.State.Health.Status}}', container);
    await expect.poll(health, { timeout: 60_000 }).toBe('healthy');
    const address = engine('port', container, '8700').split('\n')[0];
    expect((await fetch(`http://${address}/healthz`)).status).toBe(200);
    engine('stop', container);
    expect(engine('inspect', '--format', '{{.State.ExitCode}}', container)).toBe('0');
  } finally {
    spawnSync(ENGINE ?? '', ['rm', '--force', container]);
  }
});

/** Behind a gateway that asks for a header, HTTP Basic and a client certificate: each verb gets through, and none writes what it sent there. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { findCanaries } from '../../support/canary/find-canaries.ts';
import { AWKWARD_SECRETS, canariesOf } from '../../support/canary/independent-service-canaries.ts';
import { COMPILED, type CommandEnd, startCommand } from '../../support/command.ts';
import { PASSPHRASE } from '../../support/guarded/certificates.ts';
import {
  BASIC,
  GATEWAY_KEY,
  type GuardedStaging,
  HEADER,
  startGuardedStaging,
} from '../../support/guarded/staging.ts';
import { PROVE } from '../../support/prove.ts';

test.setTimeout(240_000);
test.skip(spawnSync('openssl', ['version']).error !== undefined, 'needs the program openssl');

const TALKATIVE = { DEBUG: '*', NODE_DEBUG: 'http,https,net,tls,fetch', DEBUG_FILE: undefined };

function edgeCanaries({ certificates }: GuardedStaging) {
  const key = readFileSync(certificates?.keyFile ?? '', 'utf8');
  const encrypted = readFileSync(certificates?.encryptedKeyFile ?? '', 'utf8');
  const lines = [...key.split('\n'), ...encrypted.split('\n')].filter((line) => /^[\w+/=]{20,}$/.test(line));
  return [
    { kind: 'key of the gateway', value: GATEWAY_KEY },
    { kind: 'password of the edge', value: BASIC.password },
    { kind: 'Basic pair', value: Buffer.from(`${BASIC.user}:${BASIC.password}`).toString('base64') },
    { kind: 'passphrase', value: PASSPHRASE },
    ...lines.map((value) => ({ kind: 'line of the private key', value })),
  ];
}

async function run(
  verbs: readonly ((file: string, out: string) => readonly string[])[],
  wrong: Readonly<Record<string, string>> = {},
): Promise<{ readonly ends: readonly CommandEnd[]; readonly finds: readonly string[] }> {
  const [out, temporary] = [test.info().outputPath('out'), test.info().outputPath('tmp')];
  for (const folder of [out, temporary]) mkdirSync(folder, { recursive: true });
  const guarded = { ...HEADER, certificate: 'tls' } as const;
  const staging = await startGuardedStaging(
    test.info().outputPath('staging'),
    { ...guarded, basic: BASIC },
    guarded,
    { https: true, env: { ...AWKWARD_SECRETS } },
  );
  try {
    const { file, env } = staging.configure();
    const all = { ...env, ...wrong, ...TALKATIVE, TMPDIR: temporary, ...COMPILED };
    const ends: CommandEnd[] = [];
    for (const verb of verbs) ends.push(await startCommand(verb(file, out), all).end);
    const canaries = [...(await canariesOf(staging.independentService)), ...edgeCanaries(staging)];
    const printed = ends.map(({ stdout, stderr }, i) => [`command ${i + 1}`, stdout + stderr]);
    return {
      ends,
      finds: findCanaries(canaries, { paths: [out, temporary], printed: Object.fromEntries(printed) }),
    };
  } finally {
    await staging.stop();
  }
}

const target = (file: string) => ['--target', file];

test('each verb that talks to a live target gets through, and nothing of it is found', PROVE, async () => {
  const { ends, finds } = await run([
    (file) => ['doctor', ...target(file), '--walk'],
    (file, out) => [
      'check',
      ...target(file),
      '--report',
      `${out}/check`,
      '--only',
      '2.1,4.4',
      '--explore',
      '0',
    ],
    (file, out) => ['observe', ...target(file), '--out', `${out}/observed.yaml`, '--report', out],
    (file, out) => ['contracts', 'verify', ...target(file), '--report', out],
    (file, out) => ['explore', ...target(file), '--requests', '30', '--report', out],
    (file) => ['sweep', ...target(file), '--yes'],
  ]);
  const codes = ends.map(({ code }) => code);
  expect(codes, ends.map(({ stdout, stderr }) => stdout + stderr).join('\n')).toEqual(codes.map(() => 0));
  expect(finds).toEqual([]);
});

for (const [what, wrong] of [
  ['header', { STAGING_GATEWAY_KEY: 'canary-wrong-key-of-the-gateway' }],
  ['password of Basic', { STAGING_EDGE_PASSWORD: 'canary-wrong-password' }],
] as const) {
  test(`a wrong ${what}: nothing of it is found in doctor's and check's words`, {
    tag: '@prove',
  }, async () => {
    const { ends, finds } = await run(
      [
        (file) => ['doctor', ...target(file)],
        (file, out) => ['check', ...target(file), '--report', `${out}/check`],
      ],
      wrong,
    );
    expect(ends.map(({ code }) => code)).toEqual([3, 3]);
    expect(finds).toEqual([]);
    for (const { stdout, stderr } of ends) expect(stdout + stderr).not.toContain('canary-wrong');
  });
}

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { findCanaries } from '../../support/canary/find-canaries.ts';
import { SHAPES, shaping, UNREADABLE } from '../../support/canary/token-shapes.ts';
import type { CommandEnd } from '../../support/command.ts';
import { runHere } from '../../support/command-here.ts';
import { withHeaders } from '../../support/faulty-service/faults.ts';
import { startFaultyService } from '../../support/faulty-service/service.ts';
import { firstInTest, PROVE } from '../../support/prove.ts';

/** In any shape of a token response, no output of a verb holds its values, and no run is broken by them. */

type Verb = (file: string, out: string) => readonly string[];

async function ranOn(
  shape: keyof typeof SHAPES,
  verbs: readonly Verb[],
  change: (settings: ConfigurationFile) => Partial<ConfigurationFile> = () => ({}),
): Promise<{ readonly ends: readonly CommandEnd[]; readonly finds: readonly string[] }> {
  const out = test.info().outputPath('out');
  mkdirSync(out, { recursive: true });
  const service = await startFaultyService();
  try {
    const { fault, canaries } = shaping(shape);
    service.suffer(fault);
    const { file, env } = service.configure(test.info().outputPath('in'), change(service.settings));
    const ends: CommandEnd[] = [];
    for (const verb of verbs)
      ends.push(await runHere(verb(file, out), { ...env, PASSPHRASE: 'a passphrase of the test' }));
    const printed = Object.fromEntries(
      ends.map(({ stdout, stderr }, at) => [`output of command ${at + 1}`, stdout + stderr]),
    );
    expect(canaries.length).toBeGreaterThan(5);
    return { ends, finds: findCanaries(canaries, { paths: [out], printed }) };
  } finally {
    await service.close();
  }
}

const check: Verb = (file, out) => [
  ...['check', '--target', file, '--report', out, '--explore', '0'],
  ...['--only', 'exchange.token-response', '--only', '2.1', '--only', 'refresh.scope-kept'],
];

for (const [shape, details] of firstInTest(Object.keys(SHAPES).reverse(), 3)) {
  test(`check: ${shape}`, details, async () => {
    const { ends, finds } = await ranOn(shape, [check]);
    expect(finds).toEqual([]);
    const codes = shape in UNREADABLE || shape === 'wrong' ? [1] : [0];
    expect(codes, ends[0]?.stdout).toContain(ends[0]?.code);
  });
}

test('a header of every answer: masked in earlier evidence too, and no run is broken by it', async () => {
  const out = test.info().outputPath('out');
  const service = await startFaultyService();
  try {
    service.suffer(
      withHeaders({
        'X-Served-By': 'cache-fra-etou8220042-FRA',
        'X-Remote-User': 'jane.roe@corp.example',
        'Strict-Transport-Security': 'max-age=63072000; includeSubDomains; preload',
        Link: `<${service.settings.authUrl}/oauth/authorize?client_id=${service.settings.application.clientId}>; rel="help"`,
      }),
    );
    const { file, env } = service.configure(test.info().outputPath('in'));
    const { code, stdout } = await runHere([...check(file, out), '--only', 'list.returns-assigned'], env);
    expect(code, stdout).toBe(0);
    const text = readFileSync(join(out, 'results.json'), 'utf8');
    expect(text).toContain('max-age=63072000; includeSubDomains; preload');
    expect(text).toContain('<21 characters>');
    for (const value of ['cache-fra-etou', 'jane.roe']) expect(text).not.toContain(value);
  } finally {
    await service.close();
  }
});

const target = (file: string) => ['--target', file];

const OTHER_VERBS: Readonly<Record<string, readonly Verb[]>> = {
  'check of everything': [(file, out) => ['check', ...target(file), '--report', out]],
  doctor: [(file, out) => ['doctor', ...target(file), '--walk', '--report', out]],
  observe: [
    (file, out) => [
      ...['observe', ...target(file), '--verbose', '--report', out, '--out', `${out}/observed.yaml`],
    ],
  ],
  explore: [(file, out) => ['explore', ...target(file), '--requests', '80', '--seed', '1', '--report', out]],
  'contracts verify': [(file, out) => ['contracts', 'verify', ...target(file), '--verbose', '--report', out]],
  handover: ['before', 'after', 'clean'].map((step) => (file) => [
    ...['handover', step, ...target(file), '--json', ...(step === 'after' ? ['--back'] : [])],
  ]),
  beside: [
    (file, out) => [
      ...['explore', ...target(file), '--requests', '60', '--seed', '1', '--report', out],
      ...['--beside', 'by-the-rfc'],
    ],
  ],
  sweep: [(file) => ['sweep', ...target(file), '--yes']],
};

for (const [verb, runs] of Object.entries(OTHER_VERBS)) {
  for (const shape of ['camel', 'extra', 'wrong', 'beside']) {
    test(`${verb}: ${shape}`, PROVE, async () => {
      const { ends, finds } = await ranOn(shape, runs, ({ users }) => {
        const [first = '', second = '', other = ''] = users;
        if (verb !== 'handover') return {};
        const file = test.info().outputPath('in', 'handover.jwe');
        return {
          users: [first, second],
          handover: { user: other, file, passphrase: { env: 'PASSPHRASE' } },
        };
      });
      expect(finds).toEqual([]);
      for (const { code, stdout, stderr } of ends) expect(code, stdout + stderr).not.toBe(4);
    });
  }
}

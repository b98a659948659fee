/** The independent service behind a reverse proxy that asks for a header or HTTP Basic: all verbs reach it, and nobody else gets either. */
import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { runHere } from '../support/command-here.ts';
import type { Demands } from '../support/guarded/edge.ts';
import { BASIC, GATEWAY_KEY, HEADER, startGuardedStaging } from '../support/guarded/staging.ts';
import { PROVE } from '../support/prove.ts';

test.setTimeout(120_000);

const ONLY = ['--only', 'authorize.redirects-with-code,exchange.form-encoded,list.returns-assigned'];

const CERTIFICATE = { certificate: 'tls' } as const;

const GUARDS: readonly (readonly [name: string, atAuth: Demands, atApi: Demands])[] = [
  ['a header', HEADER, HEADER],
  ['HTTP Basic before pages and token endpoint', { basic: BASIC }, {}],
  ['a client certificate', CERTIFICATE, CERTIFICATE],
  [
    'a header, HTTP Basic and a client certificate',
    { ...HEADER, basic: BASIC, ...CERTIFICATE },
    { ...HEADER, ...CERTIFICATE },
  ],
];

for (const [guard, atAuth, atApi] of GUARDS) {
  test(`${guard}: doctor --walk and check get through`, PROVE, async () => {
    const https = atAuth.certificate !== undefined;
    test.skip(https && spawnSync('openssl', ['version']).error !== undefined, 'needs the program openssl');
    const staging = await startGuardedStaging(test.info().outputPath('staging'), atAuth, atApi, { https });
    try {
      const { file, env: secrets } = staging.configure();
      const env = secrets;
      const doctor = await runHere(['doctor', '--walk', '--target', file], env);
      expect(doctor.code, doctor.stdout + doctor.stderr).toBe(0);
      // docs/guarded-staging.md shows this line.
      expect(doctor.stdout).toContain('the service itself answers at `authUrl` and `baseUrl`');
      const report = test.info().outputPath('report');
      const check = await runHere(['check', '--target', file, '--report', report, ...ONLY], env);
      expect(check.code, check.stdout + check.stderr).toBe(0);
      expect(staging.auth.refused.length + staging.api.refused.length).toBe(0);
      if ('header' in atAuth) {
        expect([...staging.api.seen('x-gateway-key')]).toEqual([GATEWAY_KEY]);
        expect([...staging.auth.seen('x-source')]).toContain('conformance');
      }
    } finally {
      await staging.stop();
    }
  });
}

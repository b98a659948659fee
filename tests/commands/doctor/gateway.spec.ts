/** `doctor` and `check` behind a gateway: a refusal of the gateway is told from one of the service, with the key that is missing or wrong. */
import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { runHere } from '../../support/command-here.ts';
import type { Demands } from '../../support/guarded/edge.ts';
import { BASIC, type GuardedStaging, HEADER, startGuardedStaging } from '../../support/guarded/staging.ts';

test.setTimeout(120_000);

/** Keys that are left out are written as JSON has no word for them. */
const NONE = undefined as unknown as Record<string, never>;

interface Case {
  readonly title: string;
  readonly atAuth: Demands;
  readonly atApi: Demands;
  readonly change: (staging: GuardedStaging) => Partial<ConfigurationFile>;
  /** The text of `doctor`, whose step `gateway` fails. */
  readonly says: string;
  /** The text of `check`, if it differs. */
  readonly checkSays?: string;
}

const LOGIN = { ...HEADER, login: 'https://login.gateway.example.test/cdn-cgi/access/login' };
const TLS = { certificate: 'tls' } as const;
const STATUS = { certificate: 'status' } as const;
const tls = (client: (staging: GuardedStaging) => object | undefined) => (staging: GuardedStaging) =>
  ({ tls: { caFile: staging.certificates?.caFile, client: client(staging) } }) as Partial<ConfigurationFile>;
const stranger = ({ certificates: c }: GuardedStaging) => ({
  certFile: c?.strangerCertFile,
  keyFile: c?.strangerKeyFile,
});

const CASES: readonly Case[] = [
  {
    title: 'no header',
    atAuth: HEADER,
    atApi: HEADER,
    change: () => ({ requests: NONE }),
    says: 'answers 403 to every path',
    checkSays: 'name the header that it asks for in `requests.headers`',
  },
  {
    title: 'no header at the API alone',
    atAuth: {},
    atApi: HEADER,
    change: () => ({ requests: NONE }),
    says: 'answers 403 to every path',
  },
  {
    title: 'a login page of the gateway',
    atAuth: LOGIN,
    atApi: LOGIN,
    change: () => ({ requests: NONE }),
    says: 'redirects to https://login.gateway.example.test, which is neither the service nor a client',
  },
  {
    title: 'no Basic',
    atAuth: { basic: BASIC },
    atApi: {},
    change: () => ({ edge: NONE }),
    says: 'add `edge.basic`',
  },
  {
    title: 'Basic before the API',
    atAuth: { basic: BASIC },
    atApi: { basic: BASIC },
    change: () => ({}),
    says: 'have the gateway accept a header of its own, and name it in `requests.headers`',
  },
  {
    title: 'no client certificate, refused in the handshake',
    atAuth: TLS,
    atApi: TLS,
    change: tls(() => undefined),
    says: 'asks for a client certificate: name it in `tls.client`',
  },
  {
    title: 'a client certificate of another authority',
    atAuth: TLS,
    atApi: TLS,
    change: tls(stranger),
    says: '`tls.client`',
  },
  {
    title: 'no client certificate, answered with 400',
    atAuth: STATUS,
    atApi: STATUS,
    change: tls(() => undefined),
    says: 'add `tls.client`',
  },
];

/** Tried in each run of the tests; the others before a release. */
const ALWAYS = ['no client certificate, refused in the handshake'];

for (const { title, atAuth, atApi, change, says, checkSays = says } of CASES) {
  test(`${title}: exit 3, and the key`, { tag: ALWAYS.includes(title) ? [] : '@prove' }, async () => {
    const https = atAuth.certificate !== undefined;
    test.skip(https && spawnSync('openssl', ['version']).error !== undefined, 'needs the program openssl');
    const staging = await startGuardedStaging(test.info().outputPath('staging'), atAuth, atApi, { https });
    try {
      const written = staging.configure(change(staging));
      const variables = written.env;
      const doctor = await runHere(['doctor', '--target', written.file], variables);
      expect(doctor.stdout).toContain(says);
      expect(/^ {2}FAIL {2}(\S+(?: \S+)?)/m.exec(doctor.stdout)?.[1], doctor.stdout).toBe('gateway');
      expect(doctor.code).toBe(3);
      const report = test.info().outputPath('report');
      const check = await runHere(['check', '--target', written.file, '--report', report], variables);
      expect(check.stdout).toContain(checkSays);
      expect(check.code, check.stdout).toBe(3);
    } finally {
      await staging.stop();
    }
  });
}

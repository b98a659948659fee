/** The abilities of a live target follow from its configuration; a missing one comes with its remedy. */

import { createServer } from 'node:http';
import { expect, test } from '@playwright/test';
import { type AbilityId, abilityIds } from '../../generated/ids.ts';
import { type Configuration, DEFAULTS } from '../../src/service/configuration/configuration.ts';
import { liveTarget } from '../../src/service/live.ts';
import { liveAbilities } from '../../src/service/live-abilities.ts';
import { onLoopback } from '../support/on-loopback.ts';

const LEAST: Configuration = {
  file: 'conformance.config.json',
  name: 'staging',
  authUrl: 'https://auth.staging.example',
  baseUrl: 'https://api.staging.example',
  application: { clientId: 'a', clientSecret: 'b', redirectUris: ['https://client.example/callback'] },
  owner: { login: 'c', password: 'd' },
  projects: ['1'],
  users: ['2'],
  lock: false,
  signIn: { form: '#form', origins: [], steps: [{ wait: '#later' }] },
  consent: { grant: '#grant', shown: 'once' },
  abilities: [],
  requireAbilities: [],
  skewSeconds: DEFAULTS.skewSeconds,
  maxAgeDays: DEFAULTS.maxAgeDays,
  care: DEFAULTS.care,
  pacing: DEFAULTS.pacing,
  budget: DEFAULTS.budget,
  secrets: [],
};

const SUPPLIED: readonly [AbilityId, Partial<Configuration>, string][] = [
  ['clock', { clock: { advanceUrl: 'http://127.0.0.1:1/' } }, '--wait-expiry'],
  ['second-application', { secondApplication: LEAST.application }, '`secondApplication`'],
  [
    'second-redirect-uri',
    { application: { ...LEAST.application, redirectUris: ['https://a.example', 'https://b.example'] } },
    '`application.redirectUris` has 1 of the 2',
  ],
  ['second-project', { projects: ['1', '2'] }, '`projects` has 1 of the 2'],
  ['three-users', { users: ['1', '2', '3'] }, '`users` has 1 of the 3'],
  ['create-application', { abilities: ['create-application'] }, 'add it to `abilities`'],
  ['fresh-consent', { consent: { grant: '#g', deny: '#d', shown: 'always' } }, '`consent.shown`'],
  ['destructive-ids', { abilities: ['destructive-ids'] }, 'add it to `abilities`'],
];

for (const [ability, change, remedy] of SUPPLIED) {
  test(`${ability} is missing with a remedy, and there once it is supplied`, () => {
    const without = liveAbilities(LEAST);
    expect(without.abilities.has(ability)).toBe(false);
    expect(without.missing.get(ability)).toContain(remedy);
    const { abilities, missing } = liveAbilities({ ...LEAST, ...change });
    expect(abilities.has(ability)).toBe(true);
    expect(missing.has(ability)).toBe(false);
  });
}

test('every ability is either there or missing with a reason', () => {
  const { abilities, missing } = liveAbilities(LEAST);
  expect([...abilities, ...missing.keys()].sort()).toEqual([...abilityIds].sort());
});

test('consent that is asked for every time does not count while nobody knows how to deny', () => {
  const { missing } = liveAbilities({ ...LEAST, consent: { grant: '#g', shown: 'always' } });
  expect(missing.get('fresh-consent')).toContain('`consent.deny`');
});

test('what is configured is what the target says', async () => {
  const target = await liveTarget({
    ...LEAST,
    token: { presentation: { query: 'access_token' } },
    list: { userId: '/data/*/id' },
    requests: {
      assign: { headers: { 'X-Revision': '2' }, body: { role: 'viewer' } },
      unassign: { body: 'x' },
    },
    signIn: {
      form: '#form',
      origins: [],
      steps: [{ fill: { label: 'Who' }, with: { text: 'me' } }, { click: { button: 'Go' } }],
    },
  });
  expect(target).toMatchObject({
    kind: 'live',
    presentation: { in: 'query', name: 'access_token' },
    userIdPointer: '/data/*/id',
    assignRequest: {
      headers: [
        ['X-Revision', '2'],
        ['Content-Type', 'application/json'],
      ],
      body: '{"role":"viewer"}',
    },
    unassignRequest: { headers: [], body: 'x' },
    pages: {
      signInForm: '#form',
      signIn: [{ fill: { label: 'Who' }, with: { text: 'me' } }, { click: { button: 'Go' } }],
      grant: '#grant',
      consentShown: 'once',
      settleMs: 3_000,
    },
  });
});

test('a clock that is configured is told how far to go, by whoever may', async () => {
  const asked: unknown[] = [];
  const server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (text) => {
      body += text;
    });
    req.on('end', () => {
      asked.push([req.method, req.url, req.headers.authorization, body]);
      res.writeHead(asked.length === 1 ? 204 : 403).end();
    });
  });
  const { origin, close } = await onLoopback(server);
  const clock = { advanceUrl: `${origin}/advance`, token: 'letmein' };
  const target = await liveTarget({ ...LEAST, clock });
  try {
    await target.clock?.advance(7_200);
    expect(asked).toEqual([['POST', '/advance', 'Bearer letmein', '{"seconds":7200}']]);
    await expect(target.clock?.advance(1)).rejects.toThrow('status 403, expected 2xx');
  } finally {
    await target.close();
    await close();
  }
});

/** Failures on live targets that a gate once hid, or that were blamed on something else. */
import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { ConfigurationFile } from '../../generated/schemas.d.ts';
import { loadProfile } from '../../src/emulator/policy/load-profile.ts';
import type { Results } from '../../src/report/results.ts';
import { verdictOf } from '../../src/report/verdict.ts';
import { anyDefectsById } from '../proof/second-order/index.ts';
import { checkLive, checkOpened, idsWith } from '../support/check-live.ts';
import { emulatorAsLiveTarget } from '../support/emulator-as-live.ts';
import { answer, at } from '../support/faulty-service/faults.ts';
import { startFaultyService } from '../support/faulty-service/service.ts';
import type { GatewayHooks, OwnAnswer } from '../support/gateway.ts';
import { firstInTest, PROVE } from '../support/prove.ts';
import { type Behind, type BehindGateway, idsIn, SERVICES } from '../support/two-services.ts';

const LIST = /\/assigned_users$/;

function troubles({ troubles }: Results): string {
  return troubles.map(({ kind, message }) => `${kind}: ${message}`).join('\n');
}

for (const [[name, start], details] of firstInTest(Object.entries(SERVICES), 1)) {
  test.describe(`on ${name}:`, details, () => {
    /** Checks some requirements through a gateway. */
    async function evaluate(
      only: readonly string[],
      hooks: (service: () => BehindGateway) => GatewayHooks,
      { behind = {}, change = () => ({}) }: Evaluating = {},
    ): Promise<{
      readonly results: Results;
      readonly seen: readonly string[];
      readonly users: readonly string[];
    }> {
      let service: BehindGateway | undefined;
      service = await start(
        hooks(() => service as BehindGateway),
        behind,
      );
      try {
        const results = await checkLive(service.configure(change()), { only });
        return { results, seen: service.gateway.seen, users: service.users };
      } finally {
        await service.close();
      }
    }

    const assigns = (seen: readonly string[]) => seen.filter((request) => request.startsWith('PUT '));

    test.describe('a service that unassigns nobody', () => {
      const ONLY = ['exchange.expires-in-7200', 'assign.adds-user', 'unassign.removes-user', 'list.fresh'];
      const unassignsNobody = (from: number) => () => {
        let seen = 0;
        return {
          before: ({ method }: { method: string }) => {
            if (method !== 'DELETE') return undefined;
            seen += 1;
            return seen >= from ? { status: 204, body: '' } : undefined;
          },
        };
      };

      test('fails for that; nobody else is assigned, and a failure elsewhere stays', async () => {
        const behind = { independentService: 'expires-in-3600', emulator: 'exchange-expires-in-3600' };
        const { results, seen, users } = await evaluate(ONLY, unassignsNobody(1), { behind });
        expect(idsWith(results, 'fail')).toEqual(['exchange.expires-in-7200', 'unassign.removes-user']);
        expect(idsWith(results, 'blocked')).toEqual(['assign.adds-user', 'list.fresh']);
        // The lock and one user.
        expect(assigns(seen)).toHaveLength(2);
        expect(results.leftBehind[0]).toContain(
          `still assigned and to be unassigned by hand: user ${users[0]}`,
        );
        expect(results.exitCode, troubles(results)).toBe(1);
      });

      test('and begins with that after its own check', PROVE, async () => {
        // Behind those of the walk and of the check itself, more where there is a second application: nobody is left after them.
        const first = name === 'the independent service' ? 14 : 12;
        const { results, seen } = await evaluate(
          ['unassign.removes-user', 'list.project-scoped', 'list.safe'],
          unassignsNobody(first),
        );
        expect(idsWith(results, 'fail')).toEqual(['unassign.removes-user']);
        expect(results.requirements.find(({ id }) => id === 'unassign.removes-user')?.reason).toContain(
          'not in its own check',
        );
        const begun = seen.findIndex((_, at) => deletes(seen.slice(0, at + 1)) >= first);
        expect(assigns(seen.slice(begun))).toEqual([]);
        expect(results.leftBehind.join()).toContain('still assigned');
        expect(results.exitCode, troubles(results)).toBe(1);
      });

      test('sends no more requests than a service that works', PROVE, async () => {
        const { results, seen } = await evaluate([], unassignsNobody(1));
        expect(idsWith(results, 'fail')).toEqual(['unassign.removes-user']);
        // The lock and one user.
        expect(assigns(seen)).toHaveLength(2);
        // Twice in the smoke flow's clean-up, and twice at the end.
        expect(deletes(seen)).toBeLessThan(20);
        expect(results.used?.requests).toBeLessThan(1_400);
        expect(results.exitCode, troubles(results)).toBe(1);
      });

      test('but shows no list after the last check is not said to have left anybody', async () => {
        let unassigned = 0;
        const { results, users } = await evaluate(['assign.idempotent'], () => ({
          before: ({ method, path }) => {
            if (method === 'DELETE') unassigned += 1;
            // The first is the smoke flow's.
            return method === 'GET' && LIST.test(path) && unassigned > 1 ? { status: 302 } : undefined;
          },
        }));
        expect(troubles(results)).toContain(`user ${users[0]} in project`);
        const said = 'may still be assigned, because the list could not be read (status 302); when';
        expect(troubles(results)).toContain(said);
        expect(troubles(results)).not.toContain('still assigned and to be unassigned');
        expect(results.exitCode).toBe(3);
      });

      test('for a moment only: nobody is left, and everything is checked', async () => {
        let refused = 0;
        const { results } = await evaluate(['assign.adds-user', 'list.fresh'], () => ({
          before: ({ method }) => {
            if (method !== 'DELETE' || refused >= 1) return undefined;
            refused += 1;
            return { status: 503 };
          },
        }));
        expect(idsWith(results, 'pass')).toEqual(['assign.adds-user', 'list.fresh']);
        expect(results.exitCode, troubles(results)).toBe(0);
      });
    });

    test('a service without refresh tokens is cleaned up after, and all that needs none is checked', async () => {
      const behind = { independentService: 'no-refresh-tokens', emulator: 'exchange-refresh-token-missing' };
      const only = [
        'exchange.token-response',
        'assign.adds-user',
        'unassign.removes-user',
        'refresh.scope-kept',
      ];
      const { results } = await evaluate(only, () => ({}), { behind });
      expect(idsWith(results, 'fail')).toEqual(['exchange.token-response']);
      expect(idsWith(results, 'pass')).toEqual(['assign.adds-user', 'unassign.removes-user']);
      expect(results.troubles).toEqual([]);
      expect(results.exitCode).toBe(1);
    });

    test.describe('a list', () => {
      const ONLY = ['assign.adds-user', 'unassign.removes-user', 'list.returns-assigned', 'list.fresh'];
      const EMPTY: readonly (readonly [what: string, answer: OwnAnswer])[] = [
        ['null', { status: 200, body: 'null' }],
        ['no content', { status: 204, body: '' }],
        ['{}', { status: 200, body: '{}' }],
        ['[]', { status: 200, body: '[]' }],
        ['an envelope with null', { status: 200, body: '{"data":null,"meta":{"total":0}}' }],
        ['an envelope without anybody', { status: 200, body: '{"data":[],"meta":{"total":0}}' }],
      ];
      /** Everybody who is not the suite's own is left out, so that the list is empty now and then. */
      const ownOnly =
        (
          service: () => BehindGateway,
          form: (ids: readonly string[]) => OwnAnswer,
        ): GatewayHooks['instead'] =>
        ({ method, path }, { status, body }) => {
          if (method !== 'GET' || !LIST.test(path) || status !== 200) return undefined;
          const { users, lockUser } = service();
          return form(idsIn(body).filter((id) => users.includes(id) || id === lockUser));
        };

      for (const [[what, empty], details] of firstInTest(EMPTY, 1)) {
        const records = (ids: readonly string[]) => {
          const data = ids.map((id) => ({ id, name: 'N. N.' }));
          return JSON.stringify(empty.body?.includes('data') ? { data, meta: { total: ids.length } } : data);
        };
        test(`of nobody may be ${what}`, async () => {
          const { results } = await evaluate(ONLY, (service) => ({
            instead: ownOnly(service, (ids) =>
              ids.length === 0 ? empty : { status: 200, body: records(ids) },
            ),
          }));
          expect(idsWith(results, 'pass')).toEqual(ONLY);
          expect(results.exitCode, troubles(results)).toBe(0);
        });

        test(`that stays ${what} after assign means that assign does nothing`, details, async () => {
          const { results } = await evaluate(ONLY, (service) => ({
            before: ({ method }) => (method === 'PUT' ? { status: 204, body: '' } : undefined),
            instead: ownOnly(service, () => empty),
          }));
          expect(idsWith(results, 'fail')).toEqual(['assign.adds-user']);
          expect(idsWith(results, 'blocked')).toEqual([
            'unassign.removes-user',
            'list.returns-assigned',
            'list.fresh',
          ]);
          expect(results.exitCode, troubles(results)).toBe(1);
        });
      }

      const FORMS: readonly (readonly [what: string, form: (ids: readonly string[]) => OwnAnswer])[] = [
        [
          'keyed by id',
          (ids) => ({
            status: 200,
            body: JSON.stringify(Object.fromEntries(ids.map((id) => [id, { on: true }]))),
          }),
        ],
        [
          'in XML',
          (ids) => ({
            status: 200,
            type: 'application/xml',
            body: `<users>${ids.map((id) => `<user ref="${id}"/>`).join('')}</users>`,
          }),
        ],
      ];
      for (const [what, form] of FORMS) {
        test(`${what} is 3, names \`list.userId\`, and nobody stays assigned`, async () => {
          const { results, seen } = await evaluate(ONLY, (service) => ({ instead: ownOnly(service, form) }));
          expect(idsWith(results, 'fail')).toEqual([]);
          expect(verdictOf(results).because.join()).toContain('`list.userId`');
          expect(results.exitCode).toBe(3);
          expect(deletes(seen)).toBeGreaterThanOrEqual(assigns(seen).length);
        });

        test(`${what} is read by a configured module`, async () => {
          const reader = test.info().outputPath('read-list.mjs');
          const { results } = await evaluate(ONLY, (service) => ({ instead: ownOnly(service, form) }), {
            change: () => {
              writeFileSync(reader, READER);
              return { list: { reader: './read-list.mjs' } };
            },
          });
          expect(idsWith(results, 'pass')).toEqual(ONLY);
          expect(results.exitCode, troubles(results)).toBe(0);
        });
      }
    });

    for (const [what, ending, reason] of [
      ['in the second project fails', '/', /expected the list to hold the user after assign; got [^(]*$/],
      [
        'to one user in the second project fails, although its own check assigns another there',
        '/assigned_users/FIRST',
        /expected the list to hold the user after assign.*seen by the check of/s,
      ],
    ] as const) {
      test(`assign that does nothing ${what}`, async () => {
        const { results } = await evaluate(
          ['assign.adds-user', 'list.project-scoped', 'unassign.project-scoped', 'assign.project-scoped'],
          (service) => ({
            // Acknowledges and does nothing.
            before: ({ method, path }) => {
              const { projects, users } = service();
              const idle = `/${projects[1]}${ending.replace('FIRST', users[0] ?? '')}`;
              return method === 'PUT' && path.includes(idle) ? { status: 204, body: '' } : undefined;
            },
          }),
        );
        expect(idsWith(results, 'fail')).toEqual(['assign.adds-user']);
        const [failed] = results.requirements.filter(({ result }) => result === 'fail');
        expect(failed?.reason).toMatch(reason);
        expect(failed?.evidence.length).toBeGreaterThan(0);
        expect(results.exitCode, troubles(results)).toBe(1);
      });
    }

    test('a list that lacks a user once in five times is the service, and no other client', async () => {
      let lists = 0;
      const only = [
        'assign.adds-user',
        'list.returns-assigned',
        'list.safe',
        'list.fresh',
        'unassign.idempotent',
      ];
      const { results } = await evaluate(only, () => ({
        instead: ({ method, path }, { status, body }) => {
          if (method !== 'GET' || !LIST.test(path) || status !== 200) return undefined;
          lists += 1;
          return lists % 5 === 0 ? { status: 200, body: without(body) } : undefined;
        },
      }));
      expect(troubles(results)).not.toContain('another client');
      // Which of them meets the fifth list depends on how many lists the checks before it have read.
      expect(['list.returns-assigned', 'list.fresh']).toEqual(
        expect.arrayContaining([...idsWith(results, 'fail')]),
      );
      expect(idsWith(results, 'fail')).not.toEqual([]);
      expect(idsWith(results, 'not-run')).toEqual([]);
      expect(results.exitCode, troubles(results)).toBe(1);
    });
  });
}

test('a second redirect address whose codes are never exchanged fails the exchange', async () => {
  const service = await startFaultyService();
  try {
    const [, second = ''] = service.settings.application.redirectUris;
    const sent = new URLSearchParams({ redirect_uri: second }).toString();
    service.suffer(
      at(
        /^POST \/oauth\/token/,
        (...call) =>
          service.tokenRequests.at(-1)?.includes(sent) === true &&
          answer(400, '{"error":"invalid_grant"}', { 'Content-Type': 'application/json' })(...call),
      ),
    );
    const only = ['exchange.form-encoded', 'exchange.redirect-uri-same-among-authorized'];
    const results = await checkLive(service.configure(test.info().outputPath('.')), { only });
    expect(idsWith(results, 'fail')).toEqual(['exchange.form-encoded']);
    expect(results.requirements[0]?.reason).toContain('requested with');
    expect(idsWith(results, 'blocked')).toEqual(['exchange.redirect-uri-same-among-authorized']);
    expect(results.exitCode).toBe(1);
  } finally {
    await service.close();
  }
});

interface Evaluating {
  readonly behind?: Behind;
  /** Replaces top-level keys of the configuration. */
  readonly change?: () => Partial<ConfigurationFile>;
}

const READER = `export const readList = ({ body }) =>
  body.startsWith('<') ? [...body.matchAll(/ref="([^"]+)"/g)].map(([, id]) => id) : Object.keys(JSON.parse(body));
`;

function deletes(seen: readonly string[]): number {
  return seen.filter((request) => request.startsWith('DELETE ')).length;
}

/** A list without its last user. */
function without(body: string): string {
  const json = JSON.parse(body) as { data?: unknown[] } | unknown[];
  if (Array.isArray(json)) return JSON.stringify(json.slice(0, -1));
  return JSON.stringify({ ...json, data: json.data?.slice(0, -1) });
}

test('without a lock, a failure about lists says who keeps other runs away, and another failure does not', async () => {
  const profile = await loadProfile('by-the-rfc');
  const defects = anyDefectsById(['assign-not-stored', 'exchange-expires-in-3600']);
  const open = () => emulatorAsLiveTarget(profile, defects, (one) => ({ ...one, lock: false }));
  const results = await checkOpened(open, { only: ['assign.adds-user', 'exchange.expires-in-7200'] });
  const reasons = results.requirements
    .filter(({ result }) => result === 'fail')
    .map(({ id, reason }) => [id, reason.includes('unless the pipeline keeps runs apart')]);
  expect(reasons).toEqual([
    ['exchange.expires-in-7200', false],
    ['assign.adds-user', true],
  ]);
});

import { expect, test } from '@playwright/test';
import { ownerOfAbsence } from '../../src/evaluation/language/outcome.ts';
import { answerViewFor } from '../../src/evaluation/run/answer-view.ts';
import { textOf } from '../../src/http/bodies.ts';
import { jsonOf, type WireResponse } from '../../src/http/exchange.ts';
import { emulatorTarget } from '../../src/service/emulator.ts';
import { idPointers, idsAt, setOf } from '../../src/service/flow/assigned-list.ts';

const users = Array.from({ length: 10_000 }, (_, i) => ({ id: 100_001 + i, name: `User ${i}` }));

function answered(list: readonly unknown[]): WireResponse {
  const bytes = Buffer.from(JSON.stringify(list));
  return { status: 200, headers: [], body: textOf([bytes]), bytes: bytes.length };
}

test('a long list that comes again is read once', () => {
  const [one, other] = [answered(users), answered(users)];
  expect(Object.is(jsonOf(one), jsonOf(other))).toBe(true);
  const [ids, again] = [idsAt(one, '/*/id') ?? [], idsAt(other, '/*/id') ?? []];
  expect(ids).toHaveLength(10_000);
  expect(Object.is(ids, again)).toBe(true);
  expect(Object.is(setOf(ids), setOf(again))).toBe(true);
});

test('what came in several parts is the same list', () => {
  const bytes = Buffer.from(JSON.stringify(users));
  const [one, other] = [textOf([bytes]), textOf([bytes.subarray(0, 70_000), bytes.subarray(70_000)])];
  expect(other === one).toBe(true);
  expect(textOf([bytes.subarray(1), bytes.subarray(0, 1)])).not.toBe(one);
});

test('users are looked for in a list in one walk, however many they are', () => {
  // Each user compared with each other one would take minutes.
  const ids = Array.from({ length: 300_000 }, (_, i) => String(i));
  expect(ownerOfAbsence(ids, ids.toReversed(), ['1'])).toBeUndefined();
  expect(idPointers(answered(users), new Set(ids)).size).toBe(1);
  expect(idPointers(answered(users), setOf(ids.slice(0, 5))).size).toBe(0);
});

test('a long list that differs in one user is another list', () => {
  const one = answered(users);
  const other = answered([...users.slice(1), { id: 100_000, name: 'User 0' }]);
  expect(idsAt(one, '/*/id')).toContain('100001');
  expect(idsAt(other, '/*/id')).not.toContain('100001');
  expect(idsAt(other, '/*/name')).toContain('User 0');
  expect(idsAt(other, '/*/email')).toBeUndefined();
});

test('evidence shows of a long list its first records, the configured ids, its length and a digest, and no people', async () => {
  const target = await emulatorTarget({ profile: 'doorkeeper-5', defects: [], sockets: false });
  const live = { ...target, isLive: true, users: ['105000'], projects: ['1041'] } as unknown as typeof target;
  const request = { method: 'GET', url: `${live.baseUrl}/v2/projects/1041/assigned_users`, headers: [] };
  const shown = answerViewFor(live)(request, answered(users)).body;
  const person = { id: '<number>', name: '<string>' };
  expect(JSON.parse(shown)).toEqual([
    person,
    person,
    person,
    { id: 105_000, name: '<string>' },
    expect.stringMatching(/^10000 records, sha256 [0-9a-f]{16}$/),
  ]);
  await target.close();
});

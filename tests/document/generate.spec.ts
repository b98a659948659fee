import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { computeOutputs, findDrift, writeOutputs } from '../../scripts/generate/outputs.ts';
import { generateSchemaTypes } from '../../scripts/generate/schema-types.ts';
import { generateValidators } from '../../scripts/generate/validators.ts';
import { PROVE } from '../support/prove.ts';

test('generating twice yields the same bytes, and each file that drifts is named', PROVE, async () => {
  const folder = test.info().outputPath('generated');
  const outputs = await computeOutputs();
  expect(writeOutputs(outputs, folder)).toEqual([...outputs.keys()]);
  expect(findDrift(await computeOutputs(), folder)).toEqual([]);
  expect(writeOutputs(outputs, folder), 'nothing to write the second time').toEqual([]);

  appendFileSync(join(folder, 'ids.ts'), '\n');
  rmSync(join(folder, 'validators.js'));
  writeFileSync(join(folder, 'stray.ts'), '');
  expect(findDrift(outputs, folder)).toEqual([
    { file: 'ids.ts', why: 'differs' },
    { file: 'validators.js', why: 'missing' },
    { file: 'stray.ts', why: 'not generated' },
  ]);
  writeOutputs(outputs, folder);
  expect(readFileSync(join(folder, 'ids.ts'), 'utf8')).toBe(outputs.get('ids.ts'));
});

test('the validators load as an ES module and know formats', async () => {
  const schema = {
    $id: 'visit.schema.json',
    type: 'object',
    properties: { at: { type: 'string', format: 'date-time' } },
  };
  const { javascript, runtime } = generateValidators(undefined, [
    { name: 'visit', file: 'visit.schema.json', schema },
  ]);
  expect(javascript).not.toContain('require(');
  const path = test.info().outputPath('visit.mjs');
  writeFileSync(path, javascript);
  for (const [name, text] of runtime) writeFileSync(test.info().outputPath(name), text);
  const { validateVisit } = (await import(path)) as { validateVisit: (value: unknown) => boolean };
  expect(validateVisit({ at: '2026-01-31T12:00:00Z' })).toBe(true);
  expect(validateVisit({ at: 'noon' })).toBe(false);
});

test('a schema that Ajv refuses is named', () => {
  const files = [{ name: 'visit', file: 'visit.schema.json', schema: { type: 'strnig' } }];
  expect(() => generateValidators(undefined, files)).toThrow(/visit\.schema\.json/);
});

test('definitions of the same name in two files stay apart', async () => {
  const schema = (type: string) => ({
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: { $ref: '#/$defs/id' } },
    $defs: { id: { type } },
  });
  const text = await generateSchemaTypes([
    { name: 'guest', file: 'guest.schema.json', schema: schema('string') },
    { name: 'host', file: 'host.schema.json', schema: schema('number') },
  ]);
  expect(text).toContain('export type GuestId = string;');
  expect(text).toContain('export type HostId = number;');
});

test('two files that declare the same type are refused', async () => {
  const schema = { title: 'Visit', type: 'object' };
  const files = ['guest', 'host'].map((name) => ({ name, file: `${name}.schema.json`, schema }));
  await expect(generateSchemaTypes(files)).rejects.toThrow(
    /host\.schema\.json: declares Visit, which spec\/guest\.schema\.json/,
  );
});

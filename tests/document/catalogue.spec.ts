import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { clauseIds, noteIds, openPointAspects, openPointIds, requirementIds } from '../../generated/ids.ts';
import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import type { RequirementId } from '../../src/document/types.ts';
import { readCatalogue } from '../support/catalogue/read-catalogue.ts';

const spec = fileURLToPath(new URL('../../spec/', import.meta.url));

test('the catalogue has every clause of the document, in its order', () => {
  const expected = ['1', '2.1', '2.2', '2.3', '3', '4.1', '4.2', '4.3', '4.4', '5', '6', '7', '8', '9'];
  expect(loadCatalogue().clauses.map(({ clause }) => clause)).toEqual(expected);
});

test('the generated ids are those of the catalogue', () => {
  const catalogue = loadCatalogue();
  expect(catalogue.clauses.map(({ clause }) => clause)).toEqual([...clauseIds]);
  expect(catalogue.requirements.map(({ id }) => id)).toEqual([...requirementIds]);
  expect(catalogue.notes.map(({ id }) => id)).toEqual([...noteIds]);
  expect(catalogue.openPoints.map(({ id }) => id)).toEqual([...openPointIds]);
  for (const { id, aspects } of catalogue.openPoints) {
    expect(aspects.map(({ name }) => name)).toEqual([...openPointAspects[id]]);
  }
});

test('a requirement says what it rests on', () => {
  const catalogue = loadCatalogue();
  expect(catalogue.requirement('exchange.expires-in-7200')).toMatchObject({
    clause: '2.1',
    clauses: ['2.1', '8'],
    level: 'documented',
    basis: 'stated',
    needs: [],
  });
  expect(catalogue.requirement('exchange.code-bound-to-client')).toMatchObject({
    level: 'standard',
    basis: 'rfc',
    rfc: 'RFC 6749 section 4.1.3',
    needs: ['second-application'],
  });
});

test('an id that the catalogue lacks is refused with advice', () => {
  const stranger = 'exchange.no-such' as RequirementId;
  expect(() => loadCatalogue().requirement(stranger)).toThrow(/exchange\.no-such.*npm run generate/);
});

test('what is generated is what `spec/` says, held against its schemas', () => {
  const read = readCatalogue(fileURLToPath(new URL('../../spec/', import.meta.url)));
  expect(JSON.stringify(loadCatalogue())).toBe(JSON.stringify(read));
  expect(loadCatalogue().requirements.length).toBeGreaterThan(100);
});

test('entries cannot be changed', () => {
  const entry = loadCatalogue().requirement('version.prefix');
  expect(() => Object.assign(entry, { statement: 'something else' })).toThrow(TypeError);
  expect(() => Object.assign(entry.needs, ['clock'])).toThrow(TypeError);
});

test('the digest stays when files are only rearranged, and moves when a demand does', () => {
  const folder = test.info().outputPath('spec');
  cpSync(spec, folder, { recursive: true });
  const file = join(folder, 'requirements', '9-versioning.yaml');
  const text = readFileSync(file, 'utf8');
  const digest = loadCatalogue().digest;

  writeFileSync(
    file,
    `# a comment\n${text.replace('level: documented\n    basis: stated', 'basis: stated\n    level: documented')}`,
  );
  expect(readCatalogue(folder).digest).toBe(digest);

  writeFileSync(file, text.replace('answer under', 'may answer under'));
  expect(readCatalogue(folder).digest).not.toBe(digest);
});

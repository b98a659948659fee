/** A reader who meets a type's name knows which type is meant: no two modules of `src` export different types by the same name. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

test('no two exported types of src share a name', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const places = files.flatMap((file) => {
    const text = readFileSync(SRC + file, 'utf8');
    const declared = text.matchAll(/^export (?:declare |abstract )*(?:interface|type|class|enum) (\w+)/gm);
    return [...declared].map(([, name]) => ({ name, file }));
  });
  const shared = [...Map.groupBy(places, ({ name }) => name)].filter(([, named]) => named.length > 1);
  expect(shared.map(([name, named]) => `${name}: ${named.map(({ file }) => file).join(', ')}`)).toEqual([]);
  expect(places.length).toBeGreaterThan(300);
});

import { readFileSync } from 'node:fs';
import { buildCatalogue } from './build-catalogue.ts';
import type { Catalogue } from './types.ts';

/** Generated from `spec/` by `npm run generate`, because parsing YAML takes 0.2 s at each start. */
const OWN = new URL('../../generated/catalogue.json', import.meta.url);

let own: Catalogue | undefined;

export function loadCatalogue(): Catalogue {
  own ??= buildCatalogue(JSON.parse(readFileSync(OWN, 'utf8')));
  return own;
}

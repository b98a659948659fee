import { readFileSync } from 'node:fs';
import { buildCatalogue } from './build-catalogue.ts';
import type { Catalogue } from './types.ts';

/** Made of `spec/` by `npm run generate`: parsing YAML takes a fifth of a second, at every start of every verb. */
const OWN = new URL('../../generated/catalogue.json', import.meta.url);

let own: Catalogue | undefined;

/** The package's own catalogue, read once. Frozen. */
export function loadCatalogue(): Catalogue {
  own ??= buildCatalogue(JSON.parse(readFileSync(OWN, 'utf8')));
  return own;
}

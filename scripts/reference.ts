import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { validateClientRequirements } from '../generated/development-validators.js';
import { loadYaml, SpecFileError } from '../src/document/load-yaml.ts';
import { readCatalogue } from '../tests/support/catalogue/read-catalogue.ts';
import { bringUpToDate, type Outputs } from './generate/outputs.ts';
import { namesIn } from './generate/spec-files.ts';
import { asShippedPages } from './reference/as-shipped.ts';
import { commandPages } from './reference/commands.ts';
import { configurationPage } from './reference/configuration.ts';
import { documentPage } from './reference/document.ts';
import { environmentPage } from './reference/environment.ts';
import { type Page, pageText } from './reference/page.ts';
import { clientRequirementPages, requirementPages } from './reference/requirements.ts';
import { situationsByHttpPage } from './reference/situations.ts';
import { controlPortPage, exitCodesPage, providerStatesPage, wrongRequestsPage } from './reference/tables.ts';

/**
 * `node scripts/reference.ts` writes `docs/reference/` from the catalogue, the schemas and the command line. With `--check` it
 * writes nothing and exits 1 if a page differs. Wrong usage, or a file of `spec/` that does not fit its schema, exits 2.
 */
const SPEC = fileURLToPath(new URL('../spec/', import.meta.url));
const CLIENTS = join(SPEC, 'client-requirements');
const FOLDER = fileURLToPath(new URL('../docs/reference/', import.meta.url));

async function pages(): Promise<Outputs> {
  const all = [
    documentPage(),
    ...commandPages(),
    configurationPage(),
    environmentPage(),
    exitCodesPage(),
    controlPortPage(),
    providerStatesPage(),
    wrongRequestsPage(),
    ...(await requirementPages()),
    ...clientRequirementPages(),
    situationsByHttpPage(),
    ...asShippedPages(),
  ];
  return new Map([...all, index(all)].map((page) => [page.file, pageText(page)]));
}

function index(all: readonly Page[]): Page {
  return {
    file: 'README.md',
    title: 'Reference',
    when: 'You need these pages when you know what you look for; the pages one folder above go by task',
    body: all.map(({ file, title }) => `- [${title}](${file})`).join('\n'),
  };
}

try {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  readCatalogue(SPEC);
  for (const name of namesIn(CLIENTS, '.yaml'))
    loadYaml(join(CLIENTS, `${name}.yaml`), validateClientRequirements);
  process.exitCode = bringUpToDate(await pages(), FOLDER, 'docs/reference/', values.check);
} catch (error) {
  if (!(error instanceof SpecFileError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

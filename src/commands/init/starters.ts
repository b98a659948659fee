import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandFor } from '../../document/input/program-name.ts';
import { unlessPlain } from '../../document/input/shell-quotes.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import { schemaFile } from '../../service/configuration/schema-notes.ts';
import { requireWritableFile } from '../shared/write-files.ts';
import { filled, template, writeNew } from './new-files.ts';

interface StarterRequest {
  /** The extension chooses a module or JSON. */
  readonly out: string | undefined;
  readonly force: boolean;
}

const STARTERS = new URL('../../../generated/starters.json', import.meta.url);

/** Node loads `export default` from a `.mts` file in every package, from `.ts` not in one of CommonJS. */
export const STARTER = 'conformance.config.mts';

/** Writes a configuration to fill in. Returns what to do next. @throws UsageError if it exists */
export function writeStarter({ out: file = STARTER, force }: StarterRequest): string {
  const isJson = isJsonFile(file);
  const env = join(dirname(file), '.env.example');
  const toSchema = relative(resolve(dirname(file)), schemaFile);
  const { module, moduleEnv, json, jsonEnv } = JSON.parse(readFileSync(STARTERS, 'utf8'));
  const whole = `${JSON.stringify({ $schema: toSchema, ...json }, null, 2)}\n`;
  const files = isJson ? { [file]: whole, [env]: jsonEnv } : { [file]: module, [env]: moduleEnv };
  writeNew(files, force);
  ignore(dirname(file), ['.env', 'report/']);
  ignore('.', ['report/']);
  return `wrote ${file} and ${env}

Next
  1. fill in ${file}${isJson ? '' : '; keys in comments are optional'}
  2. copy ${env} to ${join(dirname(file), '.env')}, fill it in; .gitignore keeps it and reports out of version control
  3. ${commandFor('doctor --walk --propose', file)}
     (it finds signIn and consent, and grants nothing)
  4. ${commandFor('doctor --walk', file)}
     (it grants consent: record first, if the record matters, by docs/record-before-retirement.md)
  5. ${commandFor('check --smoke', file)}
  6. ${commandFor('check', file)}
`;
}

/** Adds what Git must not keep to the folder's `.gitignore`. */
function ignore(folder: string, names: readonly string[]): void {
  const file = join(folder, '.gitignore');
  requireWritableFile('--out', file);
  const written = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = written.split('\n').map((line) => line.trim());
  const missing = names.filter((line) => !lines.includes(line) && !lines.includes(`/${line}`));
  const before = lines.at(-1) === '' ? '' : '\n';
  if (missing.length > 0) appendFileSync(file, `${before}${missing.join('\n')}\n`);
}

const ENDINGS = ['.mts', '.ts', '.js', '.mjs', '.json'];

/** @throws UsageError for a file that is neither JSON nor a module */
function isJsonFile(file: string): boolean {
  if (!ENDINGS.includes(extname(file)))
    throw new UsageError(`--out: expected a file that ends in ${ENDINGS.join(' or ')}, got ${file}`);
  return extname(file) === '.json';
}

const SCHEMA = fileURLToPath(new URL('../../../spec/app.schema.json', import.meta.url));

/**
 * Writes the file that says how to drive a client. Returns what to do next.
 *
 * @throws UsageError if it exists
 */
export function writeAppStarter({ out: file = 'app.config.json', force }: StarterRequest): string {
  const starter = template('app.json');
  const $schema = relative(resolve(dirname(file)), SCHEMA);
  const text = isJsonFile(file)
    ? `${JSON.stringify({ $schema, ...JSON.parse(starter) }, null, 2)}\n`
    : filled('app.txt', { starter: [starter.trim()] });
  writeNew({ [file]: text }, force);
  ignore('.', ['report/']);
  return `wrote ${file}; .gitignore keeps reports out of version control

Next
  1. write down the command that starts your client, the address that begins a sign-in, and your client's variables
     (a client without a server: leave out start, and give commands for connect, callback and calls;
     an application in Node: "clock": "node" moves its clock, so that nothing waits for an expiry;
     PHP_CLI_SERVER_WORKERS=6, puma -t 5:5 and the like: without workers, no race can be checked)
  2. ${commandFor('client --app')} ${unlessPlain(file)} --only flow
  3. ${commandFor('client --app')} ${unlessPlain(file)}
`;
}

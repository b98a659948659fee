import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { schemaFile } from '../config/schema-notes.ts';
import { jsonStarter, moduleStarter } from '../config/starter.ts';
import { programName } from '../input/program-name.ts';
import { UsageError } from '../input/usage-error.ts';

export interface InitRequest {
  /** Default: by the extension of `out`, else a module that the integrator's package can load. */
  readonly format: 'json' | 'ts' | undefined;
  readonly out: string | undefined;
  readonly force: boolean;
}

export function starterFile({ format, out }: Pick<InitRequest, 'format' | 'out'>): string {
  return out ?? `conformance.config.${format === 'json' ? 'json' : moduleEnding(process.cwd())}`;
}

export function writeStarter({ format, out, force }: InitRequest): string {
  const file = starterFile({ format, out });
  const ending = extname(file).slice(1);
  const chosen = format ?? (ending === 'json' ? 'json' : 'ts');
  if (!ENDINGS[chosen].includes(ending)) {
    throw new UsageError(
      `--out: expected a file that ends in ${ENDINGS[chosen].map((one) => `.${one}`).join(' or ')}, got ${file}`,
    );
  }
  const env = join(dirname(file), '.env.example');
  const there = [file, env].filter((one) => existsSync(one));
  if (there.length > 0 && !force) {
    throw new UsageError(
      `init: ${there.join(' and ')} ${there.length === 1 ? 'is' : 'are'} there already; nothing was written (--force overwrites)`,
    );
  }
  const toSchema = relative(resolve(dirname(file)), schemaFile);
  const starter = chosen === 'json' ? jsonStarter(toSchema) : moduleStarter();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, starter.configuration);
  writeFileSync(env, starter.env);
  return `wrote ${file} and ${env}

Next
  1. fill in ${file}${/\.json$/.test(file) ? '' : '; what is commented out may stay so'}
  2. copy ${env} to ${join(dirname(file), '.env')}, fill it in, and keep it out of version control
  3. ${programName()} doctor --walk --target ${file}
`;
}

/** In a CommonJS package (the default of `npm init`) Node loads `export default` only from `.mts`. */
function moduleEnding(folder: string): 'ts' | 'mts' {
  const file = join(folder, 'package.json');
  if (existsSync(file)) {
    const { type } = JSON.parse(readFileSync(file, 'utf8')) as { type?: unknown };
    return type === 'module' ? 'ts' : 'mts';
  }
  const above = dirname(folder);
  return above === folder ? 'ts' : moduleEnding(above);
}

const ENDINGS: Readonly<Record<'json' | 'ts', readonly string[]>> = {
  json: ['json'],
  ts: ['ts', 'mts', 'js', 'mjs'],
};

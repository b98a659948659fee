import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigurationError } from './configuration-error.ts';
import type { Environment } from './resolve-references.ts';

/**
 * The environment with the variables of an env file added. A variable that is set already keeps its value, as with
 * Node's `--env-file`: what the build server says counts more than a file.
 *
 * @param file `NAME=value` lines; quotes and `#` comments as Node reads them
 * @returns a new environment; the one given is left as it is
 * @throws ConfigurationError when the file cannot be read
 */
export function withEnvFile(file: string, env: Environment): Environment {
  const set = Object.entries(env).filter(([, value]) => value !== undefined);
  return { ...parseEnv(readText(file)), ...Object.fromEntries(set) };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const came = missing ? 'no such file' : (error as Error).message;
    throw new ConfigurationError(file, [{ path: [], expected: 'an env file that can be read', came }]);
  }
}

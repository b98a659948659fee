import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigurationError } from './configuration-error.ts';
import type { Environment } from './resolve-references.ts';

/**
 * Returns the environment with the variables of an env file added. An existing variable keeps its value: the build server's has
 * precedence.
 *
 * @param file `NAME=value` lines; quotes and `#` comments as Node reads them
 * @throws ConfigurationError if the file cannot be read
 */
export function withEnvFile(file: string, env: Environment): Environment {
  const set = Object.entries(env).filter(([, value]) => value !== undefined);
  return { ...parseEnv(readText(file)), ...Object.fromEntries(set) };
}

export function withEnvBeside(configuration: string, env: Environment): Environment {
  const file = join(dirname(configuration), '.env');
  return existsSync(file) ? withEnvFile(file, env) : env;
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

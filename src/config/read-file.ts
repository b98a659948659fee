import { existsSync, readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { ConfigurationError, type ConfigurationProblem } from './configuration-error.ts';
import { loadModule } from './loading.ts';

const MODULES = ['.js', '.mjs', '.ts', '.mts'];

/**
 * Reads a configuration file: JSON, or a module whose default export is the configuration.
 *
 * @returns whatever it holds, not yet validated
 * @throws ConfigurationError when it is missing, cannot be read, or has another ending
 */
export async function readConfigurationFile(file: string): Promise<unknown> {
  const refuse = (problem: Omit<ConfigurationProblem, 'path'>) =>
    new ConfigurationError(file, [{ path: [], ...problem }]);
  if (!existsSync(file)) {
    throw refuse({
      expected: 'a configuration file',
      came: 'no such file',
      advice: `looked at ${resolve(file)}`,
    });
  }
  const ending = extname(file);
  if (ending === '.json') {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch (error) {
      throw refuse({
        expected: 'JSON',
        came: `text that is none: ${withoutExcerpt((error as Error).message)}`,
      });
    }
  }
  if (!MODULES.includes(ending)) {
    throw refuse({
      expected: `a file that ends in .json, ${MODULES.join(', ')}`,
      came: ending === '' ? 'no ending' : ending,
    });
  }
  let module: { readonly default?: unknown };
  try {
    module = await loadModule(resolve(file));
  } catch (error) {
    throw refuse({ expected: 'a module that can be loaded', came: `an error: ${(error as Error).message}` });
  }
  if (module.default === undefined) {
    throw refuse({
      expected: 'a module with the configuration as its default export',
      came: 'none',
      example: 'export default { name: "staging", ... }',
    });
  }
  return unwrapped(module.default);
}

/** Who compiles modules to CommonJS before they are loaded, as test runners do, has the default export one level down. */
function unwrapped(exported: unknown): unknown {
  const compiled = typeof exported === 'object' && exported !== null && '__esModule' in exported;
  return compiled && 'default' in exported ? exported.default : exported;
}

/** The parser quotes the text around the fault, and somebody may have put a secret there. */
function withoutExcerpt(message: string): string {
  return message.replace(/,? (?:\.\.\.)?"[\s\S]*" is not valid JSON/, '');
}

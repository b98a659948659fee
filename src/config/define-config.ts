import type { ConfigurationFile } from '../../generated/schemas.d.ts';

/**
 * The configuration of a live target, for modules: `export default defineConfig({ … })` lets the compiler and the editor check
 * it.
 */
export function defineConfig(configuration: ConfigurationFile): ConfigurationFile {
  return configuration;
}

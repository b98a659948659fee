import type { ConfigurationFile } from '../../generated/schemas.d.ts';

/** A live target's configuration, as a module has it: `export default defineConfig({ … })` lets the compiler and the editor check it. */
export function defineConfig(configuration: ConfigurationFile): ConfigurationFile {
  return configuration;
}

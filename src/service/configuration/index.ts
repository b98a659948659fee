import type { ConfigurationFile } from '../../../generated/schemas.d.ts';

export type { ConfigurationFile as Configuration } from '../../../generated/schemas.d.ts';
export type { SignInCredentials, SignInModule } from './user-modules.ts';

/** The configuration of a live target, for modules: with `export default defineConfig({ … })` compiler and editor check it. */
export function defineConfig(configuration: ConfigurationFile): ConfigurationFile {
  return configuration;
}

export type { ConfigurationFile as Configuration } from '../../generated/schemas.d.ts';
export { defineConfig } from './define-config.ts';
export type { SignInCredentials, SignInModule } from './sign-in-module.ts';

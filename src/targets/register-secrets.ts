import type { SecretRegistry } from '../secrets/registry.ts';
import type { Target } from './target.ts';

export function registerTargetSecrets(
  { application, secondApplication, owner }: Pick<Target, 'application' | 'secondApplication' | 'owner'>,
  secrets: SecretRegistry,
): void {
  secrets.register('client_secret', application.clientSecret);
  if (secondApplication) secrets.register('client_secret', secondApplication.clientSecret);
  secrets.register('login', owner.login);
  if (owner.password) secrets.register('password', owner.password);
  if (owner.totpSecret) secrets.register('totp_secret', owner.totpSecret);
}

import type { Target } from '../../targets/target.ts';
import type { RecordedIdentities } from './recording.ts';

export type PlaceholderKind = 'code' | 'access-token' | 'refresh-token';

/**
 * Replaces values by placeholders. Equal values share one, and the numbers follow the order of appearance, so that
 * recordings are reproducible.
 */
export class Placeholders {
  readonly cast: RecordedIdentities;
  readonly #byValue = new Map<string, string>();
  readonly #counts = new Map<PlaceholderKind, number>();
  readonly #ids = new Map<string, string>();

  constructor({ application, projects, users }: Pick<Target, 'application' | 'projects' | 'users'>) {
    const [project, user] = [projects[0], users[0]];
    this.cast = {
      clientId: 'client-id',
      clientSecret: 'client-secret',
      redirectUri: 'https://client.example/callback',
      project: isNumber(project) ? '2001' : 'project-1',
      user: isNumber(user) ? '1001' : 'user-1',
    };
    this.alias(application.clientId, this.cast.clientId);
    this.alias(application.clientSecret, this.cast.clientSecret);
    this.alias(application.redirectUris[0], this.cast.redirectUri);
    this.#ids.set(project, this.cast.project);
    this.#ids.set(user, this.cast.user);
  }

  alias(value: string, placeholder: string): void {
    this.#byValue.set(value, placeholder);
  }

  /** Gives an invented id a placeholder derived from a known id, prefixed with nines. */
  aliasId(id: string, like: 'project' | 'user'): void {
    const known = this.cast[like];
    this.#ids.set(id, isNumber(known) ? `999${known}` : `unknown-${like}`);
  }

  secret(kind: PlaceholderKind, value: string): string {
    const known = this.#byValue.get(value);
    if (known !== undefined) return known;
    const number = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, number);
    const placeholder = `${kind}-${number}`;
    this.#byValue.set(value, placeholder);
    return placeholder;
  }

  of(value: string): string | undefined {
    return this.#byValue.get(value);
  }

  id(value: string): string | undefined {
    return this.#ids.get(value);
  }
}

function isNumber(id: string): boolean {
  return /^\d+$/.test(id);
}

import type { CookieJar } from '../../service/agent/cookie-jar.ts';
import type { ActResult, Asked, SessionName } from '../evaluate/episode.ts';
import type { BrowserRequest } from './browse.ts';

export interface UserSession {
  readonly name: SessionName;
  /** Email of the owner who decides. */
  readonly owner: string;
  readonly jar: CookieJar;
  readonly host?: string;
  /** True to wait longer than the deadline, and to see whether an answer comes at all. */
  readonly isPatient?: true;
  /** Aborted when the user leaves the page while it loads. */
  readonly leaves?: AbortSignal | undefined;
}

export interface ServiceSide {
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly projectId: string;
  readonly userId: string;
}

export interface Connected extends ActResult {
  readonly address?: string;
  /** The application's form, where it goes to the service itself. */
  readonly form?: BrowserRequest;
}

export type Call = Omit<Asked, 'named'>;

export class ClientUndrivable extends Error {
  override readonly name = 'ClientUndrivable';
}

/** The file of the client is wrong, in whatever situation it is seen. */
export class StartedInBackground extends Error {
  override readonly name = 'StartedInBackground';
}

export interface Variables extends ServiceSide {
  readonly ownerEmail?: string;
  readonly ownerPassword?: string;
  readonly controlUrl?: string;
  readonly controlToken?: string;
  readonly port?: string;
  readonly state?: string;
  readonly session?: string;
}

/**
 * Returns a command's environment: this process's own, `LEGACY_AUTH_URL` and its like, and the application's names.
 * @param mapped the application's own names; their values may contain placeholders such as `{authUrl}`
 */
export function environmentFor(
  variables: Variables,
  mapped: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  const ours = Object.entries(variables).map(([name, value]) => [
    `LEGACY_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
    value,
  ]);
  const theirs = mapValues(mapped, (text) => fillPlaceholders(text, variables));
  return { ...process.env, ...Object.fromEntries(ours), ...theirs };
}

export function fillPlaceholders(text: string, values: object): string {
  return text.replaceAll(/\{([A-Za-z]+)\}/g, (whole, name: string) => {
    const value: unknown = Object.hasOwn(values, name)
      ? (values as Record<string, unknown>)[name]
      : undefined;
    return typeof value === 'string' ? value : whole;
  });
}

export function mapValues(
  record: Readonly<Record<string, string>>,
  map: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

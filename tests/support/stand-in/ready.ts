import type { SeedApplication } from './seeds.ts';
import type { Settings } from './settings.ts';

/** The one line that the stand-in prints, as JSON, once it takes requests. It holds secrets: they are this run's only. */
export interface ReadyLine {
  readonly kind: 'stand-in-ready';
  readonly pid: number;
  /** Address of the authorization server, without a slash at the end. */
  readonly authUrl: string;
  /** Address of the resource API, without a slash at the end and without `/v2`. */
  readonly baseUrl: string;
  /** Origin of the pages: `authUrl`, or its own. */
  readonly pagesUrl: string;
  /** Path of the private authority's certificate (PEM), with HTTPS; otherwise null. */
  readonly caFile: string | null;
  readonly mode: Settings['mode'];
  readonly defect: string | null;
  readonly demands: readonly string[];
  readonly consent: Settings['consent'];
  readonly interstitial: boolean;
  readonly application: SeedApplication;
  readonly secondApplication: SeedApplication;
  readonly owner: { readonly login: string; readonly password: string };
  readonly projects: readonly [string, string];
  /** Users that a suite may call its own: assigned nowhere at the start. */
  readonly users: readonly [string, string, string];
  /** Assigned users at the start, by project. */
  readonly assigned: Readonly<Record<string, readonly string[]>>;
}

/**
 * Reads a ready line.
 *
 * @throws {Error} when the text is not one
 */
export function parseReadyLine(text: string): ReadyLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'stand-in-ready') {
    return value as ReadyLine;
  }
  throw new Error(`the stand-in's first line must be its ready line (JSON), but is: ${text}`);
}

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ClientAdapter } from './adapter.ts';
import reference from './reference.ts';
import simpleOauth2 from './simple-oauth2.ts';

const VARIABLE = 'LEGACY_CONFORMANCE_CLIENT';

/** Path of the adapter that was asked for, or undefined where the project's own two are to run. */
export const chosenPath: string | undefined = process.env[VARIABLE] || undefined;

/** The clients to run the scenarios on. */
export const adapters: readonly ClientAdapter[] =
  chosenPath === undefined ? [reference, simpleOauth2] : [await load(chosenPath)];

async function load(path: string): Promise<ClientAdapter> {
  const module: { readonly default?: unknown } = await import(pathToFileURL(resolve(path)).href);
  const adapter = module.default as Partial<ClientAdapter> | undefined;
  if (
    typeof adapter?.name !== 'string' ||
    typeof adapter.createClient !== 'function' ||
    typeof adapter.explain !== 'function'
  ) {
    throw new Error(
      `${VARIABLE}: expected ${path} to have a client adapter as its default export: an object with name, createClient and explain`,
    );
  }
  return adapter as ClientAdapter;
}

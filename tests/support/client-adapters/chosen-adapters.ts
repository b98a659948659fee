import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ClientAdapter } from './adapter.ts';

const VARIABLE = 'LEGACY_CONFORMANCE_CLIENT';

/** Path of the adapter that was asked for, or undefined where the project's own two are to run. */
export const chosenPath: string | undefined = process.env[VARIABLE] || undefined;

/** The project's own two; the package has neither, nor the library that one of them is for. */
const own = () => ['reference.ts', 'simple-oauth2.ts'].map((name) => new URL(name, import.meta.url));

/** The clients to run the scenarios on. */
export const adapters: readonly ClientAdapter[] = await Promise.all(
  chosenPath === undefined ? own().map((url) => load(fileURLToPath(url))) : [load(chosenPath)],
);

async function load(path: string): Promise<ClientAdapter> {
  const adapter = await exportedBy(path);
  if (isAdapter(adapter)) return adapter;
  throw new Error(
    `${VARIABLE}: expected ${path} to have a client adapter as its default export: an object with name, createClient and explain`,
  );
}

async function exportedBy(path: string): Promise<unknown> {
  const url = pathToFileURL(resolve(path)).href;
  const module: { readonly default?: unknown } = await import(url).catch((cause: unknown) => {
    throw new Error(`${VARIABLE}: ${path} (from ${process.cwd()}) cannot be loaded: ${cause}`, { cause });
  });
  // A module that was compiled to CommonJS has its default export one level down.
  const { default: exported } = module;
  return isRecord(exported) && '__esModule' in exported ? exported.default : exported;
}

function isAdapter(value: unknown): value is ClientAdapter {
  return (
    isRecord(value) &&
    typeof value.name === 'string' &&
    typeof value.createClient === 'function' &&
    typeof value.explain === 'function'
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

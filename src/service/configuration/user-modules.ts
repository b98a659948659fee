import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { isPromise } from 'node:util/types';
import type { Locator, Page } from 'playwright-core';
import { NotPlain } from '../../document/input/plain-data.ts';
import { describeThrown } from '../../document/input/thrown.ts';
import { withoutMark } from '../../http/bodies.ts';
import type { WireResponse } from '../../http/exchange.ts';
import { orElse } from '../../http/or-else.ts';

const LONGEST_SECONDS = 60;

const files: string[] = [];

export function moduleBeingLoaded(): string | undefined {
  return files.at(-1);
}

type Exports = Readonly<Record<string, unknown>>;

export async function loadModule(file: string): Promise<Exports> {
  files.push(file);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const why = new NotPlain(`one that did not load within ${LONGEST_SECONDS} s`);
    timer = setTimeout(() => reject(why), LONGEST_SECONDS * 1_000);
    // Otherwise a process that waits for nothing else would stay alive for the timer.
    timer.unref();
  });
  try {
    return await Promise.race([exportsIn(file), late]);
  } finally {
    clearTimeout(timer);
    files.splice(files.indexOf(file), 1);
  }
}

/** A promise that is exported by default counts as its value. */
async function exportsIn(file: string): Promise<Exports> {
  const loaded = unwrapped(await import(pathToFileURL(file).href));
  const { default: promised } = loaded;
  return isPromise(promised) ? { ...loaded, default: await promised } : loaded;
}

/** Compilers to CommonJS, as in test runners, put all exports under `default`, marked. */
function unwrapped(loaded: Exports): Exports {
  const read = (): Exports => {
    const inner = loaded.default;
    return typeof inner === 'object' && inner !== null && '__esModule' in inner ? { ...inner } : loaded;
  };
  // A proxy may throw: the next reader reports it.
  return orElse(read, loaded);
}

/** Credentials that a sign-in module may type. */
export interface SignInCredentials {
  readonly login: string;
  /** Empty when `owner.password` is not configured. */
  readonly password: string;
  /** Returns an unused one-time code (`owner.totpSecret`); waits for the next period if necessary. */
  totp(): Promise<string>;
  /** Types into a field without leaving the value in the runner's logs, as `fill` would. */
  type(field: Locator, value: string): Promise<void>;
}

export interface SignInModule {
  /** Signs in on the page that shows `signIn.form`, and resolves once the page has been submitted. */
  readonly signIn: (page: Page, credentials: SignInCredentials) => Promise<void>;
  /** Grants or denies on the consent page if clicking `consent.grant` or `consent.deny` is not enough. */
  readonly consent?: (page: Page, decision: 'grant' | 'deny') => Promise<void>;
}

type ListAnswer = Pick<WireResponse, 'status' | 'headers' | 'body'>;

/** A configured reader of lists (`list.reader`). Returns undefined for an unreadable list. */
export type ReadsList = (answer: ListAnswer) => readonly string[] | undefined;

/** Loads a module with one of the functions, by its absolute path. Returns a text that completes "got …" if it cannot be used. */
export async function loadSignInModule(file: string): Promise<Partial<SignInModule> | string> {
  const exported = await exportsOf(file, 'signIn', 'consent');
  if (typeof exported === 'string') return exported;
  const { signIn, consent } = exported;
  for (const [name, value] of Object.entries({ signIn, consent }))
    if (value !== undefined && typeof value !== 'function') return `one whose \`${name}\` is no function`;
  return { signIn, consent } as Partial<SignInModule>;
}

/**
 * Loads a module that reads lists, by its absolute path. If it throws or returns no array of ids, the list counts as unreadable.
 * Returns a text that completes "got …" if it cannot be used.
 */
export async function loadListReader(file: string): Promise<ReadsList | string> {
  const exported = await exportsOf(file, 'readList');
  if (typeof exported === 'string') return exported;
  const readList = exported.readList as (answer: ListAnswer) => unknown;
  return ({ status, headers, body }) =>
    orElse(() => idsOf(readList({ status, headers, body: withoutMark(body) })), undefined);
}

function idsOf(read: unknown): readonly string[] | undefined {
  if (!Array.isArray(read)) return undefined;
  return read.every((id) => typeof id === 'string' || typeof id === 'number') ? read.map(String) : undefined;
}

/** Returns a module's exports, one of which is one of the functions, or why it cannot be used. */
async function exportsOf(file: string, ...names: readonly string[]): Promise<Exports | string> {
  if (!existsSync(file)) return 'no such file';
  try {
    const whole = await loadModule(file);
    const loaded = names.some((name) => name in whole) ? whole : ((whole.default ?? {}) as Exports);
    if (names.some((name) => typeof loaded[name] === 'function')) return loaded;
    const exported = Object.keys(whole).filter((one) => one !== '__esModule');
    return `one that exports ${exported.join(', ') || 'nothing'}`;
  } catch (error) {
    return describeThrown(error, file);
  }
}

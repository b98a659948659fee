import { existsSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { describeThrown } from '../input/thrown.ts';
import { loadModule } from './loading.ts';

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

/** A module named by `signIn.module`. */
export interface SignInModule {
  /** Signs in on the page that shows `signIn.form`, and resolves once the page has been submitted. */
  readonly signIn: (page: Page, credentials: SignInCredentials) => Promise<void>;
  /** Grants or denies on the consent page if clicking `consent.grant` or `consent.deny` is not enough. */
  readonly consent?: (page: Page, decision: 'grant' | 'deny') => Promise<void>;
}

/** A sign-in module cannot be used. The message completes "got …". */
export class ModuleUnusable extends Error {
  override readonly name = 'ModuleUnusable';
}

/**
 * Loads a sign-in module.
 *
 * @param file absolute path
 * @throws ModuleUnusable if it is missing, cannot be loaded, or exports something else
 */
export async function loadSignInModule(file: string): Promise<SignInModule> {
  if (!existsSync(file)) throw new ModuleUnusable('no such file');
  let loaded: Record<string, unknown>;
  try {
    loaded = await loadModule(file);
  } catch (error) {
    throw new ModuleUnusable(describeThrown(error, file));
  }
  const exported = withNames(loaded);
  const { signIn, consent } = exported;
  if (typeof signIn !== 'function') {
    const names = Object.keys(exported).filter((name) => name !== '__esModule');
    throw new ModuleUnusable(`one that exports ${names.join(', ') || 'nothing'}`);
  }
  if (consent !== undefined && typeof consent !== 'function') {
    throw new ModuleUnusable('one whose `consent` is no function');
  }
  return { signIn, consent } as SignInModule;
}

/** Compilers to CommonJS, as in test runners, put all exports under `default`. */
export function withNames(loaded: Record<string, unknown>, name = 'signIn'): Record<string, unknown> {
  const inner = loaded.default;
  if (name in loaded || typeof inner !== 'object' || inner === null) return loaded;
  return inner as Record<string, unknown>;
}

import type { SignInModule } from '../config/sign-in-module.ts';

/**
 * How to find something on a page: a CSS selector, the text of a field's label, or the name of a button or link.
 * Written alike for the browser and for the form agent.
 */
export type Selector = { readonly css: string } | { readonly label: string } | { readonly button: string };

/** What is typed into a field: a value that never changes, or a credential by name. */
export type FillValue = { readonly credential: 'login' | 'password' | 'totp' } | { readonly text: string };

export type SignInStep =
  | { readonly do: 'fill'; readonly field: Selector; readonly value: FillValue }
  | { readonly do: 'click'; readonly on: Selector }
  | { readonly do: 'wait'; readonly for: Selector };

/** When the consent page is shown: at every authorization, only until it was granted once, or never. */
export type ConsentShown = 'always' | 'once' | 'never';

/** The account area's form for a new application (clauses 1 and 5.2), for targets that let the suite use it. */
export interface AccountAreaPages {
  readonly path: string;
  readonly open: Selector;
  readonly name: Selector;
  readonly redirectUris: Selector;
  readonly submit: Selector;
  readonly clientId: Selector;
  readonly clientSecret: Selector;
}

export interface FormPages {
  /** What shows that a page asks to sign in; signing in starts when it is there. */
  readonly signInForm: Selector;
  readonly signIn: readonly SignInStep[];
  /** Signs in, and may decide on consent, in place of steps and clicks. */
  readonly signInModule?: SignInModule;
  /** True if the browser starts as a saved session: then being asked to sign in means that it has ended. */
  readonly savedSession?: boolean;
  /** Origins, beside that of the authorization server, that may get the owner's credentials. */
  readonly signInOrigins?: readonly string[];
  readonly interstitials?: readonly Selector[];
  readonly grant: Selector;
  readonly deny?: Selector;
  readonly consentShown: ConsentShown;
  /** How long a page may take, after it has loaded, until it shows a form or moves on. Milliseconds. */
  readonly settleMs: number;
  /** Longest that a page may take to load or to show what is waited for, in milliseconds; ten seconds when absent. */
  readonly pageDeadlineMs?: number;
  readonly accountArea?: AccountAreaPages;
}

import type { SignInModule } from '../config/sign-in-module.ts';
import type { EdgeHeaders } from '../exchange/edge.ts';

/**
 * Finds an element by CSS selector, a field's label, or the name of a button or link. Shared by the browser and the
 * form agent.
 */
export type Selector = { readonly css: string } | { readonly label: string } | { readonly button: string };

export type FillValue = { readonly credential: 'login' | 'password' | 'totp' } | { readonly text: string };

export type SignInStep =
  | { readonly do: 'fill'; readonly field: Selector; readonly value: FillValue }
  | { readonly do: 'click'; readonly on: Selector }
  | { readonly do: 'wait'; readonly for: Selector };

/** `always`: at every authorization; `once`: only until granted; `never`: not at all. */
export type ConsentShown = 'always' | 'once' | 'never';

/** The account area's form for a new application (clauses 1 and 5.2); only for targets that allow it. */
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
  readonly signInForm: Selector;
  readonly signIn: readonly SignInStep[];
  /** Signs in, and may decide on consent, instead of steps and clicks. */
  readonly signInModule?: SignInModule;
  /** True for a saved session: then a sign-in page means that the session has expired. */
  readonly savedSession?: boolean;
  /** Origins besides the authorization server's that may get the owner's credentials. */
  readonly signInOrigins?: readonly string[];
  readonly interstitials?: readonly Selector[];
  readonly grant: Selector;
  readonly deny?: Selector;
  readonly consentShown: ConsentShown;
  /** Maximum milliseconds after loading until a page shows a form or moves on. */
  readonly settleMs: number;
  /** Maximum milliseconds for a page to load or to show an element; default: ten seconds. */
  readonly pageDeadlineMs?: number;
  readonly accountArea?: AccountAreaPages;
  /** Headers for the browser's requests. */
  readonly edgeHeaders?: EdgeHeaders;
}

import { type Configuration, DEFAULTS } from '../config/configuration.ts';
import { edgeHeaders } from './edge.ts';
import type { AccountAreaPages, FormPages, Selector, SignInStep } from './page-actions.ts';

type WrittenSelector = Configuration['signIn']['form'];
type WrittenStep = Configuration['signIn']['steps'][number];

export function livePages(configuration: Configuration): FormPages {
  const { signIn, consent, accountArea, pacing } = configuration;
  return {
    signInForm: selector(signIn.form),
    signIn: signIn.steps.map(step),
    signInModule: signIn.module,
    ...(signIn.session === undefined ? {} : { savedSession: true }),
    signInOrigins: signIn.origins,
    ...(signIn.interstitials === undefined ? {} : { interstitials: signIn.interstitials.map(selector) }),
    grant: selector(consent.grant),
    ...(consent.deny === undefined ? {} : { deny: selector(consent.deny) }),
    consentShown: consent.shown,
    settleMs: consent.settleMs ?? DEFAULTS.settleMs,
    pageDeadlineMs: pacing.deadlineMs,
    ...(accountArea === undefined ? {} : { accountArea: account(accountArea) }),
    edgeHeaders: edgeHeaders(configuration),
  };
}

function selector(written: WrittenSelector): Selector {
  return typeof written === 'string' ? { css: written } : written;
}

function step(written: WrittenStep): SignInStep {
  if ('click' in written) return { do: 'click', on: selector(written.click) };
  if ('wait' in written) return { do: 'wait', for: selector(written.wait) };
  const value = typeof written.with === 'string' ? { credential: written.with } : written.with;
  return { do: 'fill', field: selector(written.fill), value };
}

function account(written: NonNullable<Configuration['accountArea']>): AccountAreaPages {
  return {
    path: written.path ?? DEFAULTS.accountAreaPath,
    open: selector(written.open),
    name: selector(written.name),
    redirectUris: selector(written.redirectUris),
    submit: selector(written.submit),
    clientId: selector(written.clientId),
    clientSecret: selector(written.clientSecret),
  };
}

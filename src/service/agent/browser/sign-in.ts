import type { Page } from 'playwright-core';
import { commandFor } from '../../../document/input/program-name.ts';
import { withinMs } from '../../../http/exchange.ts';
import type { SignInCredentials, SignInModule } from '../../configuration/user-modules.ts';
import type { FormPages, SignInStep } from '../../target.ts';
import {
  type CredentialSource,
  credentialValue,
  elementOf,
  type FieldPlace,
  fills,
  whatToCheck,
} from '../sign-in-values.ts';
import { ForeignOrigin } from '../trusted-origins.ts';
import { alertOn, click, pageLocation } from './click-trouble.ts';
import { firstErrorLine, PageSilent, PageTrouble, withDriverDeadline, withPageDeadline } from './deadline.ts';
import { frameWith, offeredOn } from './failed-page.ts';
import { isSelectorVisible, type, typeFor, visibleCandidates, waitForElement } from './fields.ts';
import type { Tab } from './tab.ts';

const MODULE_DEADLINE_MS = 60_000;

const ALERT_MS = 500;

const SAVED_SESSION = `sign in once by hand with \`${commandFor('sign-in --save', 'FILE')}\` and configure \`signIn.session\``;

/** Signs in by the configured steps or module. Types nothing if the page asks for a human. @throws PageTrouble */
export async function signIn(
  page: Page,
  pages: FormPages,
  credentials: CredentialSource,
  clickAway: Tab['clickAway'],
): Promise<void> {
  const { signIn: steps, signInModule, pageDeadlineMs: timeout } = pages;
  const work = signInModule?.signIn;
  if (steps.length === 0 && work === undefined) throw expired(pages);
  await refuseChallenge(page, pages);
  if (work !== undefined) {
    await runModule(page, work, credentials, timeout);
    return;
  }
  for (const [index, step] of steps.entries()) {
    const isLast = steps.slice(index + 1).every((later) => 'wait' in later);
    const key = `signIn.steps[${index}]`;
    try {
      if ('fill' in step && fills(step, 'password')) await refuseChallenge(page, pages);
      const element = await waitForElement(page, elementOf(step), key, timeout);
      if ('fill' in step)
        await typeFor(element, (place) => credentialValue(step.with, credentials, place), timeout);
      else if ('click' in step)
        await (isLast ? clickAway(step.click, key, pages.signInForm) : click(element, key, timeout));
    } catch (error) {
      if (error instanceof PageSilent) throw error;
      await refuseChallenge(page, pages);
      if (error instanceof PageTrouble || !/Timeout/.test((error as Error).message)) throw error;
      throw (
        (await cameAgain(page, steps.slice(0, index), timeout)) ??
        (await missing(key, step, page, credentials.owner.login, timeout))
      );
    }
  }
}

async function runModule(
  page: Page,
  work: SignInModule['signIn'],
  credentials: CredentialSource,
  timeout: number,
): Promise<void> {
  credentials.trusted.demand({ page: page.url(), action: page.url() });
  credentials.beforePassword?.();
  const { login, password = '' } = credentials.owner;
  const given = new Set([login, password]);
  let refused: unknown;
  const noted = async <T>(asked: Promise<T>): Promise<T> => {
    try {
      return await asked;
    } catch (error) {
      if (error instanceof ForeignOrigin) refused ??= error;
      throw error;
    }
  };
  const totp = async () => {
    const place = { page: page.url(), action: page.url() };
    const code = await noted(credentialValue('totp', credentials, place));
    given.add(code);
    return code;
  };
  const typed: SignInCredentials['type'] = (field, value) => {
    if (![...given].some((secret) => secret !== '' && value.includes(secret)))
      return type(field, value, timeout);
    const valueFor = async (place: FieldPlace) => {
      credentials.trusted.demand(place);
      return value;
    };
    return noted(typeFor(field, valueFor, timeout));
  };
  try {
    await withinModuleDeadline(work(page, { login, password, totp, type: typed }), 'signIn');
  } catch (error) {
    throw refused ?? error;
  }
  // A module that ignores a refusal has not signed in.
  if (refused !== undefined) throw refused;
}

export async function refuseFailedSignIn(page: Page, pages: FormPages): Promise<void> {
  await refuseChallenge(page, pages);
  const fields = pages.signIn.flatMap((step) => ('fill' in step ? [step.fill] : []));
  const asked = await Promise.all(
    [pages.signInForm, ...fields].map((field) => isSelectorVisible(page, field, pages.pageDeadlineMs)),
  );
  if (!asked.includes(true)) return;
  const alert = await alertOn(page);
  throw new PageTrouble(
    `signing in led to no consent and no redirect, but to a page that asks again, at ${pageLocation(page)}${alert}`,
    whatToCheck(pages),
  );
}

export async function withinModuleDeadline(
  working: Promise<void>,
  name: 'signIn' | 'consent',
): Promise<void> {
  const late = `\`${name}\` of \`signIn.module\` did not end within ${MODULE_DEADLINE_MS / 1000} s`;
  try {
    await withinMs(working, MODULE_DEADLINE_MS, () => new PageTrouble(late));
  } catch (error) {
    if (error instanceof PageTrouble) throw error;
    throw new PageTrouble(`\`${name}\` of \`signIn.module\` threw: ${firstErrorLine(error as Error)}`);
  }
}

function expired({ savedSession }: FormPages): PageTrouble {
  if (savedSession === true)
    return new PageTrouble(
      'the saved session (`signIn.session`) is not signed in any more: the sign-in page was shown',
      `save a new one with \`${commandFor('sign-in --save', 'FILE')}\`; cookies of origins that are neither \`authUrl\` nor in \`signIn.origins\` are not used`,
      'needs a person',
    );
  return new PageTrouble(
    'the sign-in page was shown, and there is neither a step nor a module to sign in with (`signIn`)',
  );
}

async function refuseChallenge(page: Page, pages: FormPages): Promise<void> {
  const { signIn: steps, signInModule, pageDeadlineMs } = pages;
  const codeExpected = signInModule?.signIn !== undefined || steps.some((step) => fills(step, 'totp'));
  const challenge = await challengeOn(page, codeExpected, pageDeadlineMs);
  if (challenge === undefined) return;
  const totp =
    challenge === 'a second factor' ? 'a code from an authenticator app can be a step (`totp`), else ' : '';
  throw new PageTrouble(
    `the sign-in page asks for ${challenge}, which the suite does not pass, at ${pageLocation(page)}`,
    `${totp}${SAVED_SESSION}`,
    'needs a person',
  );
}

/** Tells that the page of an earlier credential is still there after the click that should have led on. */
async function cameAgain(
  page: Page,
  before: readonly SignInStep[],
  timeout: number,
): Promise<PageTrouble | undefined> {
  const filled = before.findLast((step) => 'fill' in step);
  const clicked = before.findLast((step) => 'click' in step);
  if (filled === undefined || clicked === undefined || before.indexOf(clicked) < before.indexOf(filled))
    return undefined;
  if (!(await isSelectorVisible(page, filled.fill, timeout))) return undefined;
  const naming = visibleCandidates(page, clicked.click).first().innerText({ timeout: ALERT_MS });
  const name = await withDriverDeadline(naming, ALERT_MS, 'read a button').catch(() => '');
  const key = filled.with === 'totp' ? 'totpSecret' : filled.with;
  return new PageTrouble(
    `after ${name.trim() === '' ? 'the click' : `\`${name.trim()}\``} the same page came again, at ${pageLocation(page)}${await alertOn(page)}`,
    `check \`owner.${key}\``,
  );
}

/** Describes a step whose element never appeared, with what the page offers instead. */
async function missing(
  key: string,
  step: SignInStep,
  page: Page,
  login: string,
  timeout: number,
): Promise<PageTrouble> {
  const acting = 'fill' in step ? 'fill' : 'click';
  const doing = 'wait' in step ? 'appear' : acting;
  const selector = elementOf(step);
  const shown = typeof selector === 'string' ? selector : JSON.stringify(selector);
  const offered = await offeredOn(page, [login]);
  // A word alone is a CSS selector of an element that no page has.
  const label = /^[A-Z][\w ]*$/.test(shown) ? `: a label is written { "label": "${shown}" }` : '';
  const has = offered === undefined ? '' : `; the page offers ${offered}`;
  const observed = `${key}: expected ${shown} to ${doing} on the page, got none within ${timeout} ms, at ${pageLocation(page)}${has}`;
  const framed = await frameWith(page, [selector], `${observed}; `);
  return framed ?? new PageTrouble(observed, `correct the step${label}`);
}

type HumanChallenge = 'a captcha' | 'a second factor';

/** Elements of common captchas. Invisible captchas are not shown, so they do not count. */
const CAPTCHA = [
  'iframe[src*="captcha" i]',
  'iframe[src*="challenges.cloudflare.com"]',
  'img[src*="captcha" i]',
  'img[alt*="captcha" i]',
  'input[name*="captcha" i]:not([type=hidden])',
  '.g-recaptcha:not([data-size=invisible])',
  '.h-captcha',
  '.cf-turnstile',
].join(', ');

/** Fields of common one-time codes. */
const CODE = [
  '[autocomplete=one-time-code]',
  ...[
    '="otp"',
    '="totp"',
    '="mfa"',
    '="2fa"',
    '*="twofactor"',
    '*="two-factor"',
    '*="verificationcode"',
  ].flatMap((word) => [`[name${word} i]`, `[id${word} i]`]),
]
  .map((attribute) => `input${attribute}:not([type=hidden])`)
  .join(', ');

/** Returns what a page asks for that only a human can give; a code only if no step fills one. @throws PageTrouble if it is silent */
async function challengeOn(
  page: Page,
  codeExpected: boolean,
  deadlineMs: number,
): Promise<HumanChallenge | undefined> {
  const inTime = (look: Promise<boolean>) =>
    withPageDeadline(look, deadlineMs, 'looked for a captcha or a code');
  try {
    if (await inTime(page.locator(CAPTCHA).evaluateAll(anyShown))) return 'a captcha';
    if (codeExpected) return undefined;
    if (await inTime(page.locator(CODE).evaluateAll(anyShown))) return 'a second factor';
  } catch (error) {
    if (error instanceof PageTrouble) throw error;
    // The page navigated, so it asks for nothing any more.
  }
  return undefined;
}

function anyShown(elements: readonly Element[]): boolean {
  return elements.some((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 8 && height > 8 && getComputedStyle(element).visibility !== 'hidden';
  });
}

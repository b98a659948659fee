import type { Page } from 'playwright-core';
import { answered, PageTrouble } from './deadline.ts';

export type HumanChallenge = 'a captcha' | 'a second factor';

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

/**
 * Returns what a page asks for that only a human can give.
 *
 * @param codeExpected true if the sign-in steps fill one-time codes
 * @throws PageTrouble if the page does not answer
 */
export async function challengeOn(
  page: Page,
  codeExpected: boolean,
  deadlineMs: number,
): Promise<HumanChallenge | undefined> {
  const inTime = (look: Promise<boolean>) => answered(look, deadlineMs, 'looked for a captcha or a code');
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

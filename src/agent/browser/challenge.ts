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

const CODE_WORDS =
  '(^|[^a-z])(t?otp|mfa|2fa|two-?factor|one-?time|verification-?code|security-?code)([^a-z]|$)';

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
    const inputs = page.locator('input');
    if (await inTime(inputs.evaluateAll(anyForCodes, CODE_WORDS))) return 'a second factor';
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

function anyForCodes(inputs: readonly Element[], words: string): boolean {
  return inputs.some((input) => {
    const { width } = input.getBoundingClientRect();
    if (input.getAttribute('type') === 'hidden' || width === 0) return false;
    if (input.getAttribute('autocomplete') === 'one-time-code') return true;
    const names = [input.getAttribute('name') ?? '', input.id];
    return names.some((name) =>
      new RegExp(words, 'i').test(name.replace(/([a-z])([A-Z])/g, '$1-$2').replace(/_/g, '-')),
    );
  });
}

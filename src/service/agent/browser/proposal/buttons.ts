import type { SeenElement } from './seen-elements.ts';

const SUBMITS = /^(?:sign|log).?in|^(?:continue|next|submit|verify|confirm|proceed|anmelden|weiter)/i;

/** Other ways to sign in, help, and what shows the password. */
const BESIDE =
  /google|apple|microsoft|facebook|github|saml|\bsso\b|single sign|passkey|forgot|reset|cancel|back|show|hide|register|sign up|create|help|resend|cookie/i;

/** A pattern of names. */
export const GRANTS =
  '\\b(?:allow|authori[sz]e|grant|approve|accept|agree|permit|erlauben|zulassen|zustimmen)\\b';

const DENIES =
  /don.?t|do not|not (?:now|allow|agree)|^no\b|disa|deny|decline|reject|refuse|cancel|ablehnen|verweigern|abbrechen/i;

/** Returns the button that submits a form: by its name, else the first. */
export function submitOf(buttons: readonly SeenElement[], form: number): SeenElement | undefined {
  const own = buttons.filter((one) => one.form === form && !BESIDE.test(one.text));
  return own.find(({ text }) => SUBMITS.test(text)) ?? own.find(({ type }) => type === 'submit');
}

/** Returns the buttons whose names grant, and those whose names deny. */
export function decidersIn(buttons: readonly SeenElement[]) {
  const grants = new RegExp(GRANTS, 'i');
  const named = buttons.filter(({ text }) => !/cookie/i.test(text));
  return {
    grant: named.filter(({ text }) => grants.test(text) && !DENIES.test(text)),
    deny: named.filter(({ text }) => DENIES.test(text)),
  };
}

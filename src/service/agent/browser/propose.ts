import { setTimeout as pause } from 'node:timers/promises';
import { schemaNote } from '../../configuration/schema-notes.ts';
import type { FormPages, Proposal, SignInStep } from '../../target.ts';
import type { CredentialSource } from '../sign-in-values.ts';
import { pageLocation } from './click-trouble.ts';
import { PageTrouble } from './deadline.ts';
import { demandedIn, offeredOn } from './failed-page.ts';
import { FIELDS, isSelectorVisible } from './fields.ts';
import {
  type AskedField,
  askedIn,
  BUTTONS,
  decidersIn,
  elementsOn,
  GRANTS,
  type Role,
  selectorFor,
  submitOf,
} from './seen-elements.ts';
import { refuseFailedSignIn, signIn } from './sign-in.ts';
import type { Tab } from './tab.ts';

const LOOK_MS = 50;

/** Returns the pages of a service whose sign-in and consent are not known yet: any field may begin the sign-in. */
export function pagesToPropose(pages: FormPages, proposal: Proposal): FormPages {
  return {
    ...pages,
    proposal,
    // A backslash begins an escape of CSS too.
    grant: `${BUTTONS}:text-matches(${JSON.stringify(GRANTS)}, "i")`,
    get signInForm() {
      return proposal.form ?? FIELDS;
    },
    get signIn() {
      return proposal.steps;
    },
  };
}

/**
 * Signs in by what the pages ask for, and notes the steps. Types each credential once.
 * @throws PageTrouble if a page asks for something else, or for a credential that is not configured
 */
export async function proposeSignIn(
  tab: Tab,
  pages: FormPages,
  proposal: Proposal,
  credentials: CredentialSource,
): Promise<void> {
  const { page } = tab;
  const typed = new Set<Role>();
  for (;;) {
    // A banner, or a link in the footer, may have the name of a button that grants.
    const isOpen = credentials.owner.password !== undefined && !typed.has('password');
    const asked = await askedSoon(tab, pages, isOpen);
    const wanted = asked.filter(({ role }) => !typed.has(role));
    const [first] = wanted;
    // A caught redirect leaves the page as it is.
    if (tab.catcher.caught !== undefined) return;
    if (first === undefined && typed.size > 0) return refuseFailedSignIn(page, pages);
    if (first === undefined) throw await unfit(tab, proposal.steps, 'no field for a login or a password');
    for (const { role } of wanted) refuseMissing(tab, role, credentials);
    const steps = await tab.look(stepsFor(tab, wanted, proposal, credentials), 'read the sign-in form');
    proposal.steps.push(...steps);
    for (const { role } of wanted) typed.add(role);
    const stays = async () => rolesOf(await askedNow(tab)) === rolesOf(asked);
    await signIn(page, { ...pages, signIn: steps }, credentials, async (button, key) => {
      const demanded = await demandedIn(first.element.locator('xpath=ancestor::form'));
      const beforeClick = proposal.steps.slice(0, -1);
      if (demanded.length > 0)
        throw await unfit(tab, beforeClick, `a form that demands ${demanded.join(', ')}`);
      await tab.clickAway(button, key, stays);
    });
  }
}

/** Notes the buttons that grant and deny, if one each has such a name. Clicks none. */
export async function proposeConsent({ page }: Tab, proposal: Proposal, login: string): Promise<void> {
  const buttons = await elementsOn(page, BUTTONS);
  proposal.buttons = buttons.map(({ text }) => text);
  proposal.asksToTick = await page.locator('input[type=checkbox]:not(:checked)').first().isVisible();
  const deciders = decidersIn(buttons);
  for (const decision of ['grant', 'deny'] as const) {
    const [only, ...others] = deciders[decision];
    if (only && others.length === 0) proposal[decision] = await selectorFor(page, only, login);
  }
}

async function stepsFor(
  tab: Tab,
  wanted: readonly AskedField[],
  proposal: Proposal,
  { owner }: CredentialSource,
): Promise<readonly SignInStep[]> {
  const { page } = tab;
  const steps: SignInStep[] = [];
  for (const field of wanted) {
    const fill = await selectorFor(page, field, owner.login);
    if (fill === undefined)
      throw await unfit(tab, [...proposal.steps, ...steps], `no name for the field "${field.label}"`);
    proposal.form ??= fill;
    steps.push({ fill, with: field.role });
  }
  const button = submitOf(await elementsOn(page, BUTTONS), wanted[0]?.form ?? -1);
  const click = button && (await selectorFor(page, button, owner.login));
  if (click === undefined)
    throw await unfit(
      tab,
      [...proposal.steps, ...steps],
      button === undefined ? 'no button that submits the form' : `no selector of "${button.text}" alone`,
    );
  return [...steps, { click }];
}

/**
 * Waits until the page asks for a credential or for consent, at most as long as pages may draw.
 * @param isOpen the password is not typed yet, so nothing is taken for consent
 */
async function askedSoon(
  tab: Tab,
  { settleMs, grant }: FormPages,
  isOpen: boolean,
): Promise<readonly AskedField[]> {
  const until = performance.now() + settleMs;
  for (;;) {
    const asked = await askedNow(tab);
    const isOver = asked.length > 0 || tab.catcher.caught !== undefined || performance.now() >= until;
    if (isOver || (!isOpen && (await isSelectorVisible(tab.page, grant, tab.deadlineMs)))) return asked;
    await pause(LOOK_MS);
  }
}

/** A page that navigates asks for nothing. */
async function askedNow(tab: Tab): Promise<readonly AskedField[]> {
  const seen = elementsOn(tab.page, FIELDS).catch(() => []);
  return askedIn(await tab.look(seen, 'looked for a form'));
}

function rolesOf(asked: readonly AskedField[]): string {
  return asked.map(({ role }) => role).join();
}

function refuseMissing({ page }: Tab, role: Role, { owner }: CredentialSource): void {
  const key = role === 'totp' ? 'totpSecret' : role;
  if (owner[key] !== undefined) return;
  const { description, example } = schemaNote(['owner', key]);
  throw new PageTrouble(
    `the sign-in page asks for ${role === 'totp' ? 'a one-time code' : 'a password'}, at ${pageLocation(page)}, and \`owner.${key}\` is missing`,
    `add \`owner.${key}\` (${description}), for example ${example}; if only a person has it, use \`signIn.session\``,
    'needs a person',
  );
}

/** Returns the trouble of a page that the suite cannot fill in. The fix has the steps so far. */
async function unfit({ page }: Tab, steps: readonly SignInStep[], got: string): Promise<PageTrouble> {
  const offered = await offeredOn(page, []);
  const example = [...steps, { fill: { label: 'Company' }, with: { text: 'example' } }];
  return new PageTrouble(
    `expected a sign-in form, got ${got}, at ${pageLocation(page)}; the page offers ${offered}`,
    `write \`signIn.steps\` yourself, for example ${JSON.stringify(example)}`,
  );
}

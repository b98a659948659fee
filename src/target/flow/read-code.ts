import { isBusy } from '../../http/exchange.ts';
import { pageAddress } from '../agent/page-address.ts';
import { type AuthorizeOutcome, redirectParameters } from '../agent/user-agent.ts';
import type { Attempt } from './answers.ts';

export function readCode(outcome: AuthorizeOutcome): Attempt<string> {
  if (outcome.caught === undefined) {
    if (outcome.trouble !== undefined) return { ok: false, status: 'no-answer', message: outcome.trouble };
    const last = outcome.pages.at(-1);
    if (last !== undefined && isBusy(last.status))
      return { ok: false, status: 'no-answer', message: `the page answered ${last.status}` };
    const shown =
      last === undefined ? 'nothing' : `a page (${last.status}, ${last.shows}) at ${pageAddress(last.url)}`;
    return {
      ok: false,
      status: 'refused',
      message: `the browser was not redirected to the client; it was shown ${shown}`,
    };
  }
  const { query, fragment } = redirectParameters(outcome.caught);
  const code = query.get('code');
  if (code) return { ok: true, value: code };
  const error = query.get('error') ?? fragment.get('error');
  if (error) return { ok: false, status: 'refused', message: `the redirect carries error=${error}` };
  const where = fragment.get('code') ? 'the code in the fragment' : 'no code';
  return { ok: false, status: 'wrong', message: `the redirect carries ${where}` };
}

export function showsConsent({ caught, pages }: AuthorizeOutcome): boolean {
  return caught === undefined && pages.at(-1)?.shows === 'consent';
}

export function queryCode({ caught }: AuthorizeOutcome): string | undefined {
  return (caught && redirectParameters(caught).query.get('code')) || undefined;
}

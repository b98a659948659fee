import { bodyAnswer, emptyAnswer, type ServiceAnswer } from '../answer.ts';
import { errorPage } from '../pages/layout.ts';
import { CONTENT_SECURITY_POLICY } from '../pages/styles.ts';
import { formatForm } from '../parameters.ts';
import type { AnswerPolicy, AuthorizationOutcome } from '../policy.ts';
import type { Answers, PageAnswer } from '../profile.ts';
import { AUTHORIZE_REASONS } from '../refusal.ts';

const PLAIN_PAGE: PageAnswer = { kind: 'page', status: 400, error: null };

export function authorizeAnswers(
  answers: Answers,
): Pick<AnswerPolicy, 'authorization' | 'authorizeFailure' | 'page'> {
  const redirectStatus = answers['authorize-failures.redirect-status'] ?? 302;
  const spaces = answers['authorize-failures.redirect-spaces'] ?? 'plus';
  const wording = answers['authorize-failures.wording'];
  const namesScope = answers['authorize-failures.redirect-scope'] === true;
  const tokenInFragment = answers['authorize-failures.token-in-fragment'] === true;

  function page(status: number, html: string): ServiceAnswer {
    return bodyAnswer(status, 'text/html; charset=utf-8', html, [
      ['Cache-Control', 'no-store'],
      ['Content-Security-Policy', CONTENT_SECURITY_POLICY],
      ['X-Frame-Options', 'DENY'],
      ['X-Content-Type-Options', 'nosniff'],
      ['Referrer-Policy', 'no-referrer'],
    ]);
  }

  function authorization(outcome: AuthorizationOutcome, status = redirectStatus): ServiceAnswer {
    return emptyAnswer(status, [
      ['Location', redirectLocation(outcome, spaces)],
      ['Cache-Control', 'no-store'],
      ['Referrer-Policy', 'no-referrer'],
    ]);
  }

  return {
    page,
    authorization: (outcome) => authorization(outcome),
    authorizeFailure(refusal, { state, responseType = '' }, redirectUri) {
      const [aspect, usualError, text] = AUTHORIZE_REASONS[refusal.refused];
      const answer = answers[`authorize-failures.${aspect}`];
      const { kind, status, error } = typeof answer === 'object' ? answer : PLAIN_PAGE;
      if (kind === 'redirect' && redirectUri !== undefined) {
        const description = wording[aspect];
        const parameters = [
          ['error', error ?? usualError],
          ...(description === undefined ? [] : [['error_description', description] as const]),
          ...(refusal.scope === undefined || !namesScope ? [] : [['scope', refusal.scope] as const]),
        ] as const;
        const inFragment = tokenInFragment && responseType.split(' ').includes('token');
        return {
          ...authorization({ redirectUri, parameters, state, inFragment }, status ?? undefined),
          refusal,
        };
      }
      // Without an authorized address there is no redirect.
      const shown = kind === 'page' ? (status ?? 400) : 400;
      const html = errorPage({
        status: shown,
        title: refusal.refused === 'access-denied' ? 'Access denied' : 'This request cannot be authorized',
        message: text,
        detail: refusal.parameter === undefined ? usualError : `${usualError}: ${refusal.parameter}`,
      });
      return { ...page(shown, html), refusal };
    },
  };
}
/** Adds the outcome to the redirect address and keeps its existing query (RFC 6749 section 3.1.2). */
function redirectLocation(
  { redirectUri, parameters, state, inFragment }: AuthorizationOutcome,
  spaces: 'plus' | 'percent-20',
): string {
  const all = state === undefined ? parameters : [...parameters, ['state', state] as const];
  const separator = inFragment ? '#' : redirectUri.includes('?') ? '&' : '?';
  return asciiOnly(`${redirectUri}${separator}${formatForm(all, spaces)}`);
}

/** Percent-encodes everything but visible ASCII, because header values permit nothing else. */
function asciiOnly(address: string): string {
  return address.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

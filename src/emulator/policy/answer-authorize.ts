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
  function page(status: number, html: string): ServiceAnswer {
    return bodyAnswer(status, 'text/html; charset=utf-8', html, [
      ['Cache-Control', 'no-store'],
      ['Content-Security-Policy', CONTENT_SECURITY_POLICY],
      ['X-Frame-Options', 'DENY'],
      ['X-Content-Type-Options', 'nosniff'],
      ['Referrer-Policy', 'no-referrer'],
    ]);
  }

  function authorization(outcome: AuthorizationOutcome, status = 302): ServiceAnswer {
    return emptyAnswer(status, [
      ['Location', redirectLocation(outcome)],
      ['Cache-Control', 'no-store'],
      ['Referrer-Policy', 'no-referrer'],
    ]);
  }

  return {
    page,
    authorization: (outcome) => authorization(outcome),
    authorizeFailure(refusal, { state }, redirectUri) {
      const [aspect, usualError, text] = AUTHORIZE_REASONS[refusal.refused];
      const answer = answers[`authorize-failures.${aspect}`];
      const { kind, status, error } = typeof answer === 'object' ? answer : PLAIN_PAGE;
      if (kind === 'redirect' && redirectUri !== undefined) {
        const parameters = [
          ['error', error ?? usualError],
          ['error_description', text],
        ] as const;
        return { ...authorization({ redirectUri, parameters, state }, status ?? undefined), refusal };
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
function redirectLocation({ redirectUri, parameters, state }: AuthorizationOutcome): string {
  const all = state === undefined ? parameters : [...parameters, ['state', state] as const];
  const separator = redirectUri.includes('?') ? '&' : '?';
  return asciiOnly(`${redirectUri}${separator}${formatForm(all)}`);
}

/** Percent-encodes everything but visible ASCII, because header values permit nothing else. */
function asciiOnly(address: string): string {
  return address.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

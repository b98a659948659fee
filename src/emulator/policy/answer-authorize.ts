import { bodyAnswer, emptyAnswer, type ServiceAnswer } from '../answer.ts';
import { contentSecurityPolicy, errorPage } from '../pages/index.ts';
import { formatForm } from '../parameters.ts';
import type { AnswerPolicy, AuthorizationOutcome } from '../policy.ts';
import type { Answers } from '../profile.ts';

/** What browsers get: pages, and the redirect to the client (clause 4.1), by open point 7. */
export function authorizeAnswers(
  answers: Answers,
): Pick<AnswerPolicy, 'authorization' | 'authorizeFailure' | 'page'> {
  const { delivery, denial, redirectStatus, redirectSpaces, cases } = answers['authorize-failures'];
  const csp = contentSecurityPolicy();

  function page(status: number, html: string): ServiceAnswer {
    return bodyAnswer(status, 'text/html; charset=utf-8', html, [
      ['Cache-Control', 'no-store'],
      ['Content-Security-Policy', csp],
      ['X-Frame-Options', 'DENY'],
      ['X-Content-Type-Options', 'nosniff'],
      ['Referrer-Policy', 'no-referrer'],
    ]);
  }

  function authorization(outcome: AuthorizationOutcome): ServiceAnswer {
    return emptyAnswer(redirectStatus, [
      ['Location', redirectLocation(outcome, redirectSpaces)],
      ['Cache-Control', 'no-store'],
      ['Referrer-Policy', 'no-referrer'],
    ]);
  }

  return {
    page,
    authorization,
    authorizeFailure(refusal, { state }, redirectUri) {
      const { status, error, description, delivery: own } = cases[refusal.refused];
      const how = own ?? (refusal.refused === 'access-denied' ? denial : delivery);
      if (how === 'redirect' && redirectUri !== undefined) {
        const parameters = [
          ['error', error],
          ...(description === '' ? [] : [['error_description', description] as const]),
        ] as const;
        return {
          ...authorization({ redirectUri, parameters, state }),
          refusal,
        };
      }
      const html = errorPage({
        status,
        title: refusal.refused === 'access-denied' ? 'Access denied' : 'This request cannot be authorized',
        message: description,
        detail: refusal.parameter === undefined ? error : `${error}: ${refusal.parameter}`,
      });
      return { ...page(status, html), refusal };
    },
  };
}

/** The redirect address with the outcome in its query; the query that it has is kept (RFC 6749 section 3.1.2). */
function redirectLocation(
  { redirectUri, parameters, state }: AuthorizationOutcome,
  spaces: 'plus' | 'percent-20',
): string {
  const all = state === undefined ? parameters : [...parameters, ['state', state] as const];
  const separator = redirectUri.includes('?') ? '&' : '?';
  return asciiOnly(`${redirectUri}${separator}${formatForm(all, spaces)}`);
}

/** Header values are visible ASCII: whatever else a registered address holds is percent-encoded. */
function asciiOnly(address: string): string {
  return address.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}

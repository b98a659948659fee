import { type ServiceAnswer, withHeader } from '../../answer.ts';
import { formatForm } from '../../parameters.ts';
import { refuse } from '../../refusal.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';
import { redirecting, relocated } from '../redirecting.ts';

export function withStatus(status: number): Changes {
  return changing('answer.authorization', (base) => (outcome) => ({ ...base(outcome), status }));
}

export function unframed(page: ServiceAnswer): ServiceAnswer {
  return withHeader(withHeader(page, 'X-Frame-Options', undefined), 'Content-Security-Policy', undefined);
}

export const redirects: Defects = {
  'authorize-code-in-fragment': {
    summary: "The code comes in the fragment of the redirect, where the client's server never sees it.",
    breaks: ['authorize.redirects-with-code'],
    changes: changing('answer.authorization', (base) => (outcome) => {
      const redirect = base({ ...outcome, parameters: [] });
      return relocated(redirect, (address) => `${address}#${formatForm(outcome.parameters)}`);
    }),
  },

  'authorize-code-empty': {
    summary: 'The redirect has a parameter code with nothing in it.',
    breaks: ['authorize.redirects-with-code'],
    changes: redirecting((outcome) => ({ ...outcome, parameters: [['code', '']] })),
  },

  'authorize-state-demanded': {
    summary: 'An authorization request without state is refused.',
    breaks: ['authorize.redirects-with-code'],
    changes: changing('authorize.request', (base) => (parameters) => {
      const request = base(parameters);
      if ('refused' in request || request.state !== undefined) return request;
      return refuse('parameter-repeated', 'no state came, and it is demanded');
    }),
  },

  'authorize-redirect-query-dropped': {
    summary: 'The query of the authorized address is dropped when the code is added.',
    breaks: ['authorize.redirect-query-kept'],
    changes: redirecting((outcome) => ({ ...outcome, redirectUri: outcome.redirectUri.split('?')[0] ?? '' })),
  },

  'authorize-redirect-307': {
    summary:
      'The redirect after the consent form has status 307, so that the browser sends the form on to the client.',
    breaks: ['authorize.no-307'],
    changes: withStatus(307),
  },

  'authorize-pages-framable': {
    summary: 'Neither the sign-in nor the consent page says who may frame it.',
    breaks: ['authorize.not-framable'],
    changes: changing('answer.page', (base) => (status, html) => unframed(base(status, html))),
  },
  'authorize-code-unencoded': {
    summary:
      'A code with a plus sign in it is put into the redirect as it is, so that the client reads a space.',
    severity: 'subtle',
    breaks: ['exchange.form-encoded'],
    changes: (policy) => ({
      code: { value: (randomness) => `${policy.code.value(randomness)}+/=` },
      ...changing(
        'answer.authorization',
        (base) => (outcome) => relocated(base(outcome), (address) => address.replace('%2B%2F%3D', '+/=')),
      )(policy),
    }),
  },
};

import { headerOf, type ServiceAnswer, withHeader } from '../../answer.ts';
import type { Defect } from '../../defect.ts';
import { formatForm } from '../../parameters.ts';
import { refuse } from '../../refusal.ts';
import { defect } from '../define-defect.ts';

/** Faults in the redirect that brings the code to the client (clause 4.1), and in the pages on the way to it. */
export const redirects: readonly Defect[] = [
  defect('authorize-code-in-fragment', ({ answer }) => ({
    answer: {
      authorization(outcome) {
        const redirect = answer.authorization({ ...outcome, parameters: [] });
        return relocated(redirect, (address) => `${address}#${formatForm(outcome.parameters)}`);
      },
    },
  })),

  defect('authorize-code-in-query-and-fragment', ({ answer }) => ({
    answer: {
      authorization: (outcome) =>
        relocated(
          answer.authorization(outcome),
          (address) => `${address}#${formatForm(outcome.parameters.filter(([name]) => name === 'code'))}`,
        ),
    },
  })),

  defect('authorize-code-empty', ({ answer }) => ({
    answer: { authorization: (outcome) => answer.authorization({ ...outcome, parameters: [['code', '']] }) },
  })),

  defect('authorize-code-unencoded', ({ code, answer }) => ({
    code: { value: (randomness) => `${code.value(randomness)}+/=` },
    answer: {
      authorization: (outcome) =>
        relocated(answer.authorization(outcome), (address) => address.replace(/%2B%2F%3D/, '+/=')),
    },
  })),

  defect('authorize-state-demanded', ({ authorize }) => ({
    authorize: {
      request(parameters) {
        const request = authorize.request(parameters);
        if ('refused' in request || request.state !== undefined) return request;
        return refuse('parameter-repeated', 'no state came, and it is demanded');
      },
    },
  })),

  defect('authorize-redirects-to-first-address', ({ authorize, answer }) => {
    let first: string | undefined;
    return {
      authorize: {
        redirectUri(request, application) {
          first = application.redirectUris[0];
          return authorize.redirectUri(request, application);
        },
      },
      answer: {
        authorization: (outcome) =>
          answer.authorization({ ...outcome, redirectUri: first ?? outcome.redirectUri }),
      },
    };
  }),

  defect('authorize-redirect-slash-added', ({ answer }) => ({
    answer: {
      authorization(outcome) {
        const [path = '', ...query] = outcome.redirectUri.split('?');
        const redirectUri = [path.endsWith('/') ? path : `${path}/`, ...query].join('?');
        return answer.authorization({ ...outcome, redirectUri });
      },
    },
  })),

  defect('authorize-second-question-mark', ({ answer }) => ({
    answer: {
      authorization(outcome) {
        const [path = '', ...query] = outcome.redirectUri.split('?');
        if (query.length === 0) return answer.authorization(outcome);
        const redirect = answer.authorization({ ...outcome, redirectUri: path });
        return relocated(redirect, (address) => address.replace('?', `?${query.join('?')}?`));
      },
    },
  })),

  defect('authorize-remembered-consent-without-code', ({ authorize, answer }) => {
    let asked = true;
    return {
      authorize: {
        consentNeeded(question, granted) {
          asked = authorize.consentNeeded(question, granted);
          return asked;
        },
        decision(submitted) {
          asked = true;
          return authorize.decision(submitted);
        },
      },
      answer: {
        authorization: (outcome) =>
          answer.authorization(asked ? outcome : { ...outcome, parameters: [['session_state', 'known']] }),
      },
    };
  }),

  defect('authorize-redirect-query-dropped', ({ answer }) => ({
    answer: {
      authorization: (outcome) =>
        answer.authorization({ ...outcome, redirectUri: outcome.redirectUri.split('?')[0] ?? '' }),
    },
  })),

  defect('authorize-redirect-query-renamed', ({ answer }) => ({
    answer: {
      authorization: (outcome) =>
        relocated(answer.authorization(outcome), (address) =>
          address.replace(/\?(?!code=|state=)([^&]*&)/, (_, pair) => `?${pair.toUpperCase()}`),
        ),
    },
  })),

  defect('authorize-redirect-307', ({ answer }) => ({
    answer: { authorization: (outcome) => ({ ...answer.authorization(outcome), status: 307 }) },
  })),

  defect('authorize-redirect-308', ({ answer }) => ({
    answer: { authorization: (outcome) => ({ ...answer.authorization(outcome), status: 308 }) },
  })),

  defect('authorize-pages-framable', ({ answer }) => ({
    answer: {
      page: (status, html) =>
        withHeader(
          withHeader(answer.page(status, html), 'X-Frame-Options', undefined),
          'Content-Security-Policy',
          undefined,
        ),
    },
  })),

  defect('authorize-consent-framable', ({ answer }) => ({
    answer: {
      page(status, html) {
        const page = answer.page(status, html);
        if (!html.includes('name="decision"')) return page;
        return withHeader(
          withHeader(page, 'X-Frame-Options', undefined),
          'Content-Security-Policy',
          undefined,
        );
      },
    },
  })),

  defect('authorize-framing-policy-overruled', ({ answer }) => ({
    answer: {
      page: (status, html) =>
        withHeader(answer.page(status, html), 'Content-Security-Policy', 'frame-ancestors https:'),
    },
  })),
];

function relocated(redirect: ServiceAnswer, change: (address: string) => string): ServiceAnswer {
  return withHeader(redirect, 'Location', change(headerOf(redirect, 'Location') ?? ''));
}

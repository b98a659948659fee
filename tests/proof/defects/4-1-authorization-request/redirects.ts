import { type ServiceAnswer, withHeader } from '../../../../src/emulator/answer.ts';
import {
  redirecting,
  redirectingWithStatus,
} from '../../../../src/emulator/defects/4-1-authorization-request.ts';
import { type Changes, changing, type Defects } from '../../../../src/emulator/defects/define-defect.ts';
import { formatForm } from '../../../../src/emulator/parameters.ts';
import { relocating } from '../redirecting.ts';

function unframed(page: ServiceAnswer): ServiceAnswer {
  return withHeader(withHeader(page, 'X-Frame-Options', undefined), 'Content-Security-Policy', undefined);
}

function carrying(more: (code: string) => readonly [name: string, value: string]): Changes {
  return redirecting((outcome) => {
    const code = outcome.parameters.find(([name]) => name === 'code')?.[1];
    return code === undefined ? outcome : { ...outcome, parameters: [...outcome.parameters, more(code)] };
  });
}

export const redirects: Defects = {
  'authorize-code-in-query-and-fragment': {
    summary:
      "The code comes in the query and in the fragment of the redirect, where scripts of the client's page read it.",
    breaks: ['authorize.redirects-with-code'],
    changes: relocating(
      (address, { parameters }) => `${address}#${formatForm(parameters.filter(([name]) => name === 'code'))}`,
    ),
  },

  'authorize-redirects-to-first-address': {
    summary:
      'The browser goes to the address that was registered first, whichever authorized one was asked for.',
    breaks: ['authorize.redirects-with-code'],
    changes: (policy) => {
      let first: string | undefined;
      return {
        authorize: {
          redirectUri(request, application) {
            first = application.redirectUris[0];
            return policy.authorize.redirectUri(request, application);
          },
        },
        ...redirecting((outcome) => ({ ...outcome, redirectUri: first ?? outcome.redirectUri }))(policy),
      };
    },
  },

  'authorize-redirect-slash-added': {
    summary: 'The browser goes to the asked address with a slash added to its path.',
    breaks: ['authorize.redirects-with-code'],
    changes: redirecting((outcome) => {
      const [path = '', ...query] = outcome.redirectUri.split('?');
      const redirectUri = [path.endsWith('/') ? path : `${path}/`, ...query].join('?');
      return { ...outcome, redirectUri };
    }),
  },

  'authorize-second-question-mark': {
    summary:
      'To an address that has a query the code is added behind a second question mark, and is not found there.',
    breaks: ['authorize.redirects-with-code', 'application.account-area'],
    changes: relocating((address, { redirectUri }) =>
      redirectUri.includes('?') ? address.replace(`${redirectUri}&`, `${redirectUri}?`) : address,
    ),
  },

  'authorize-remembered-consent-without-code': {
    summary: 'Where consent is remembered the browser is sent back at once, and the code is forgotten.',
    breaks: ['authorize.redirects-with-code'],
    changes: ({ authorize, answer }) => {
      let asked = true;
      return {
        authorize: {
          consentNeeded(scopes, granted) {
            asked = authorize.consentNeeded(scopes, granted);
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
    },
  },

  'authorize-redirect-query-renamed': {
    summary: 'The query of the authorized address comes back in upper case.',
    breaks: ['authorize.redirect-query-kept'],
    changes: relocating((address) =>
      address.replace(/\?(?!code=|state=)([^&]*&)/, (_, pair) => `?${pair.toUpperCase()}`),
    ),
  },

  'authorize-redirect-308': {
    summary:
      'The redirect after the consent form has status 308, so that the browser sends the form on, and remembers that.',
    breaks: ['authorize.no-307'],
    changes: redirectingWithStatus(308),
  },

  'authorize-consent-framable': {
    summary: 'The sign-in page forbids framing, and the consent page, which clickjackers want, does not.',
    breaks: ['authorize.not-framable'],
    changes: changing('answer.page', (base) => (status, html) => {
      const page = base(status, html);
      return html.includes('name="decision"') ? unframed(page) : page;
    }),
  },

  'authorize-framing-policy-overruled': {
    summary:
      'X-Frame-Options forbids framing, and a frame-ancestors that allows it overrules that in every browser of today.',
    breaks: ['authorize.not-framable'],
    changes: changing(
      'answer.page',
      (base) => (status, html) =>
        withHeader(base(status, html), 'Content-Security-Policy', 'frame-ancestors https:'),
    ),
  },

  'authorize-code-beside-error': {
    summary: 'The redirect with a code has an empty parameter error too.',
    breaks: ['authorize.redirects-with-code'],
    changes: carrying(() => ['error', '']),
  },

  'authorize-code-twice': {
    summary: 'The code comes twice in the redirect.',
    breaks: ['authorize.redirects-with-code'],
    changes: carrying((code) => ['code', code]),
  },

  'authorize-code-beside-token': {
    summary: 'The redirect with a code has a parameter access_token too.',
    breaks: ['authorize.redirects-with-code'],
    changes: carrying((code) => ['access_token', code]),
  },

  'authorize-pages-framable': {
    summary: 'Neither the sign-in nor the consent page says who may frame it.',
    severity: 'blunt',
    breaks: ['authorize.not-framable'],
    changes: changing('answer.page', (base) => (status, html) => unframed(base(status, html))),
  },
};

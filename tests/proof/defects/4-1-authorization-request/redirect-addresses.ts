import {
  lenientRedirects,
  UNAUTHORIZED,
} from '../../../../src/emulator/defects/4-1-authorization-request.ts';
import {
  type Changes,
  changing,
  type Defects,
  whenever,
} from '../../../../src/emulator/defects/define-defect.ts';
import type { Policy, ReceivedAuthorizationRequest } from '../../../../src/emulator/policy/policy.ts';
import { isRefusal, refuse } from '../../../../src/emulator/refusal.ts';
import type { RegisteredApplication } from '../../../../src/emulator/store/records.ts';

/** Applies to addresses that are not authorized. */
function tellingAddress(
  error: string,
  tells: (policy: Policy, request: ReceivedAuthorizationRequest) => boolean = () => true,
): Changes {
  return (policy) => ({
    answer: {
      authorizeFailure(refusal, request, authorized) {
        const { redirectUri } = request;
        const { answer } = policy;
        if (refusal.refused !== 'redirect-uri-unauthorized' || !redirectUri || !tells(policy, request))
          return answer.authorizeFailure(refusal, request, authorized);
        return { ...answer.authorization({ redirectUri, parameters: [['error', error]] }), refusal };
      },
    },
  });
}

function lenientParts(matches: (asked: URL, known: URL) => boolean): Changes {
  return lenientRedirects((asked, known) => {
    const [one, other] = [URL.parse(asked), URL.parse(known)];
    return one !== null && other !== null && matches(one, other);
  });
}

const tail = ({ pathname, search, hash }: URL) => pathname + search + hash;

function evaluatedLate(spares: (asked: boolean) => boolean, denies = true): Changes {
  return ({ authorize, answer }) => {
    const unauthorized = new Set<string | undefined>();
    let asked = false;
    return {
      authorize: {
        redirectUri(request, application) {
          const checked = authorize.redirectUri(request, application);
          // An address authorized for one application is not authorized for another.
          if (!isRefusal(checked)) unauthorized.delete(checked);
          if (!isRefusal(checked) || request.redirectUri === undefined) return checked;
          unauthorized.add(request.redirectUri);
          return request.redirectUri;
        },
        consentNeeded(scopes, granted) {
          asked = authorize.consentNeeded(scopes, granted);
          return asked;
        },
      },
      answer: {
        authorization(outcome) {
          if (!unauthorized.has(outcome.redirectUri) || spares(asked)) return answer.authorization(outcome);
          const refusal = refuse('redirect-uri-unauthorized', 'noticed when the code was to be sent');
          return answer.authorizeFailure(refusal, {}, undefined);
        },
        authorizeFailure(refusal, request, redirectUri) {
          const follows = !unauthorized.has(redirectUri) || (denies && refusal.refused === 'access-denied');
          return answer.authorizeFailure(refusal, request, follows ? redirectUri : undefined);
        },
      },
    };
  };
}

export const redirectAddresses: Defects = {
  'authorize-redirect-prefix': {
    summary: 'An address that begins with an authorized one is accepted.',
    reference: 'openshift/osin#209',
    breaks: [...UNAUTHORIZED, 'authorize.redirect-uri-exact'],
    changes: lenientRedirects((asked, known) => asked.startsWith(known)),
  },

  'authorize-redirect-host-in-prefix': {
    summary:
      'The authorized origin is only looked for at the beginning of the address, where the host may go on.',
    breaks: UNAUTHORIZED,
    changes: lenientRedirects((asked, known) => {
      const { origin } = new URL(known);
      return asked.startsWith(origin) && asked.endsWith(known.slice(origin.length));
    }),
  },

  'authorize-redirect-host-suffix': {
    summary: 'A host that ends with the authorized one is accepted.',
    reference: 'dromara/MaxKey#269',
    breaks: UNAUTHORIZED,
    changes: lenientParts(
      (asked, known) =>
        asked.host.endsWith(known.host) && asked.protocol === known.protocol && tail(asked) === tail(known),
    ),
  },

  'authorize-redirect-host-only': {
    summary: 'Any path on the authorized host is accepted.',
    reference: 'mattbaya/ITEGA#72',
    breaks: [...UNAUTHORIZED, 'authorize.redirect-uri-exact'],
    changes: lenientParts((asked, known) => asked.origin === known.origin),
  },

  'authorize-redirect-dots-behind': {
    summary: 'An authorized address with `/..` and more behind it is accepted.',
    reference: 'CVE-2024-8883',
    breaks: UNAUTHORIZED,
    changes: lenientRedirects((asked, known) => asked.startsWith(`${known}/..`)),
  },

  'authorize-redirect-anywhere-in-it': {
    summary: 'An address that ends in an authorized one is accepted.',
    breaks: UNAUTHORIZED,
    changes: lenientRedirects((asked, known) => asked.endsWith(known)),
  },

  'authorize-redirect-user-ignored': {
    summary: 'An authorized address with a user before its host is accepted.',
    breaks: UNAUTHORIZED,
    changes: lenientRedirects((asked, known) => asked.replace(/\/\/[^/?#]*@/, '//') === known),
  },

  'authorize-redirect-userinfo': {
    summary: 'The authorized host is accepted as the user name in front of another host.',
    reference: 'spring-attic/spring-security-oauth#1566',
    breaks: UNAUTHORIZED,
    changes: lenientParts((asked, known) => asked.username === known.host && tail(asked) === tail(known)),
  },

  'authorize-redirect-scheme-ignored': {
    summary: 'An address that is authorized over TLS is accepted without it.',
    breaks: UNAUTHORIZED,
    changes: lenientParts((asked, known) => asked.host === known.host && tail(asked) === tail(known)),
  },

  'authorize-redirect-port-ignored': {
    summary: 'Any port of the authorized host is accepted.',
    breaks: UNAUTHORIZED,
    changes: lenientParts(
      (asked, known) =>
        asked.hostname === known.hostname && asked.protocol === known.protocol && tail(asked) === tail(known),
    ),
  },

  'authorize-redirect-dot-is-any-character': {
    summary:
      'The authorized address is used as a regular expression, in which a dot stands for any character.',
    breaks: UNAUTHORIZED,
    changes: lenientRedirects((asked, known) => new RegExp(`^${known.replaceAll('?', '\\?')}$`).test(asked)),
  },

  'authorize-redirect-last-segment-only': {
    summary: "On the authorized host any path that ends in the authorized one's last segment is accepted.",
    breaks: [...UNAUTHORIZED, 'authorize.redirect-uri-exact'],
    changes: lenientParts(
      (asked, known) =>
        asked.origin === known.origin &&
        asked.pathname.split('/').at(-1) === known.pathname.split('/').at(-1),
    ),
  },

  'authorize-redirect-of-any-application': {
    summary: 'An address that any application has registered is accepted for all of them.',
    breaks: UNAUTHORIZED,
    changes: ({ authorize }) => {
      let everybody: ReadonlyMap<string, RegisteredApplication> | undefined;
      return {
        authorize: {
          application(request, applications) {
            everybody = applications;
            return authorize.application(request, applications);
          },
          redirectUri(request, application) {
            for (const other of everybody?.values() ?? []) {
              const found = authorize.redirectUri(request, other);
              if (typeof found === 'string') return found;
            }
            return authorize.redirectUri(request, application);
          },
        },
      };
    },
  },

  'authorize-redirect-unchecked-once-consented': {
    summary: 'The address is checked after the consent page, and not at all if consent is remembered.',
    breaks: ['authorize.redirect-uri-authorized', 'authorize.redirect-uri-exact'],
    changes: evaluatedLate((asked) => !asked, false),
  },

  'authorize-redirect-slash-ignored': {
    summary: 'An authorized address is accepted with a slash at its end.',
    breaks: ['authorize.redirect-uri-exact'],
    changes: lenientRedirects((asked, known) => asked.replace(/\/$/, '') === known),
  },

  'authorize-redirect-case-ignored': {
    summary: 'An authorized address is accepted in another letter case.',
    breaks: ['authorize.redirect-uri-exact'],
    changes: lenientRedirects((asked, known) => asked.toLowerCase() === known.toLowerCase()),
  },

  'authorize-redirect-fragment-ignored': {
    summary: 'An authorized address is accepted with a fragment, which then swallows the code.',
    breaks: ['authorize.redirect-uri-exact'],
    changes: lenientRedirects((asked, known) => asked.split('#')[0] === known),
  },

  'authorize-redirect-empty-defaulted': {
    summary: 'A request with an empty redirect_uri is sent to the address that was registered first.',
    breaks: ['authorize.redirect-uri-required'],
    changes: whenever(
      'authorize.request',
      (sent) => sent.get('redirect_uri') === '',
      changing(
        'authorize.redirectUri',
        (base) => (request, application) => application.redirectUris[0] ?? base(request, application),
      ),
    ),
  },

  'authorize-error-redirected-before-address-check': {
    summary:
      'Response type and scope are checked before the address, and their errors go to an unchecked address.',
    reference: 'doorkeeper-gem/doorkeeper#1816',
    breaks: ['authorize.bad-redirect-uri-not-followed'],
    changes: tellingAddress('invalid_scope', ({ authorize }, request) =>
      isRefusal(authorize.responseType(request) ?? authorize.scopes(request)),
    ),
  },

  'authorize-denial-to-unauthorized-address': {
    summary: 'The address is checked only when a code is sent, so that a denial goes to any address.',
    breaks: ['authorize.bad-redirect-uri-not-followed'],
    changes: evaluatedLate(() => false),
  },

  'authorize-redirect-defaulted': {
    summary: 'A request without redirect_uri is sent to the address that was registered first.',
    severity: 'blunt',
    breaks: ['authorize.redirect-uri-required'],
    changes: changing('authorize.redirectUri', (base) => (request, application) => {
      const [first] = application.redirectUris;
      return base(
        request.redirectUri === undefined && first !== undefined
          ? { ...request, redirectUri: first }
          : request,
        application,
      );
    }),
  },

  'authorize-error-to-unauthorized-address': {
    summary: 'The error about an unauthorized address goes to that address.',
    severity: 'blunt',
    breaks: ['authorize.bad-redirect-uri-not-followed'],
    changes: tellingAddress('invalid_request'),
  },

  'authorize-redirect-query-ignored': {
    summary: 'An authorized address is accepted with any query.',
    severity: 'blunt',
    breaks: ['authorize.redirect-uri-exact'],
    changes: lenientRedirects((asked, known) => asked.split('?')[0] === known.split('?')[0]),
  },
};

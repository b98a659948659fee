import type { Defect } from '../../defect.ts';
import type { RegisteredApplication } from '../../records.ts';
import type { Lookup } from '../../store.ts';
import { defect } from '../define-defect.ts';
import { judgedLate } from './unfollowed-addresses.ts';

/** An address that is taken for an authorized one which it only resembles. */
function lenient(id: string, matches: (asked: string, known: string) => boolean): Defect {
  return defect(id, ({ authorize }) => ({
    authorize: {
      redirectUri(request, application) {
        const asked = request.redirectUri;
        if (asked !== undefined && application.redirectUris.some((known) => matches(asked, known)))
          return asked;
        return authorize.redirectUri(request, application);
      },
    },
  }));
}

/** Likewise, comparing two addresses that can be read as such, part by part. */
function lenientParts(id: string, matches: (asked: URL, known: URL) => boolean): Defect {
  return lenient(id, (asked, known) => {
    const [one, other] = [URL.parse(asked), URL.parse(known)];
    return one !== null && other !== null && matches(one, other);
  });
}

const tail = ({ pathname, search, hash }: URL) => pathname + search + hash;

/** Faults in comparing the asked address with the authorized ones (clause 4.1, RFC 9700 section 2.1). */
export const redirectAddresses: readonly Defect[] = [
  lenient('authorize-redirect-unchecked', () => true),

  lenient('authorize-redirect-prefix', (asked, known) => asked.startsWith(known)),

  lenient('authorize-redirect-host-in-prefix', (asked, known) => {
    const { origin } = new URL(known);
    return asked.startsWith(origin) && asked.endsWith(known.slice(origin.length));
  }),

  lenientParts(
    'authorize-redirect-host-suffix',
    (asked, known) =>
      asked.host.endsWith(known.host) && asked.protocol === known.protocol && tail(asked) === tail(known),
  ),

  lenientParts('authorize-redirect-host-only', (asked, known) => asked.origin === known.origin),

  lenientParts(
    'authorize-redirect-userinfo',
    (asked, known) => asked.username === known.host && tail(asked) === tail(known),
  ),

  lenientParts(
    'authorize-redirect-scheme-ignored',
    (asked, known) => asked.host === known.host && tail(asked) === tail(known),
  ),

  lenientParts(
    'authorize-redirect-port-ignored',
    (asked, known) =>
      asked.hostname === known.hostname && asked.protocol === known.protocol && tail(asked) === tail(known),
  ),

  lenient('authorize-redirect-dot-is-any-character', (asked, known) =>
    new RegExp(`^${known.replaceAll('?', '\\?')}$`).test(asked),
  ),

  lenientParts(
    'authorize-redirect-last-segment-only',
    (asked, known) =>
      asked.origin === known.origin && asked.pathname.split('/').at(-1) === known.pathname.split('/').at(-1),
  ),

  defect('authorize-redirect-of-any-application', ({ authorize }) => {
    let everybody: Lookup<RegisteredApplication> | undefined;
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
  }),

  judgedLate('authorize-redirect-unchecked-once-consented', (asked) => !asked, false),

  lenient('authorize-redirect-query-ignored', (asked, known) => asked.split('?')[0] === known.split('?')[0]),

  lenient('authorize-redirect-slash-ignored', (asked, known) => asked.replace(/\/$/, '') === known),

  lenient('authorize-redirect-case-ignored', (asked, known) => asked.toLowerCase() === known.toLowerCase()),

  lenient('authorize-redirect-fragment-ignored', (asked, known) => asked.split('#')[0] === known),

  defect('authorize-redirect-defaulted', ({ authorize }) => ({
    authorize: {
      redirectUri(request, application) {
        const [first] = application.redirectUris;
        return authorize.redirectUri(
          request.redirectUri === undefined && first !== undefined
            ? { ...request, redirectUri: first }
            : request,
          application,
        );
      },
    },
  })),

  defect('authorize-redirect-empty-defaulted', ({ authorize }) => {
    let empty = false;
    return {
      authorize: {
        request(parameters) {
          empty = parameters.get('redirect_uri') === '';
          return authorize.request(parameters);
        },
        redirectUri: (request, application) =>
          (empty ? application.redirectUris[0] : undefined) ?? authorize.redirectUri(request, application),
      },
    };
  }),
];

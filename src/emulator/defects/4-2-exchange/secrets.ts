import type { RegisteredApplication } from '../../records.ts';
import { isRefusal } from '../../refusal.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';

const HASHED_CHARACTERS = 24;

function lenient(
  accepts: (
    given: string,
    application: RegisteredApplication,
    everybody: readonly RegisteredApplication[],
  ) => boolean,
): Changes {
  return changing('client.authenticate', (base) => (credentials, applications, grantType) => {
    const authenticated = base(credentials, applications, grantType);
    if (!isRefusal(authenticated) || grantType !== 'authorization_code') return authenticated;
    const application = applications.get(credentials.clientId ?? '');
    if (application === undefined) return authenticated;
    const accepted = accepts(credentials.clientSecret ?? '', application, [...applications.values()]);
    return accepted ? application : authenticated;
  });
}

export const secrets: Defects = {
  'exchange-secret-optional': {
    summary: 'A client that sends no secret is taken for a public one and served.',
    severity: 'blunt',
    breaks: ['exchange.requires-client-secret'],
    changes: lenient((given) => given === ''),
  },

  'exchange-secret-empty-accepted': {
    summary: 'An empty secret counts as the right one, a missing one is refused.',
    breaks: ['exchange.requires-client-secret'],
    changes: ({ client }) => {
      let empty = false;
      return {
        client: {
          credentials(request, parameters) {
            empty = parameters.get('client_secret') === '';
            return client.credentials(request, parameters);
          },
          authenticate: (credentials, applications, grantType) =>
            (empty && grantType === 'authorization_code'
              ? applications.get(credentials.clientId ?? '')
              : undefined) ?? client.authenticate(credentials, applications, grantType),
        },
      };
    },
  },

  'exchange-secret-unchecked': {
    summary: 'There must be a secret, and any will do.',
    severity: 'blunt',
    reference: 'bshaffer/oauth2-server-php#131',
    breaks: ['exchange.client-secret-checked', 'exchange.client-secret-of-other-application'],
    changes: lenient((given) => given !== ''),
  },

  'exchange-secret-prefix': {
    summary: 'A secret is compared up to the length of what came.',
    breaks: ['exchange.client-secret-checked'],
    changes: lenient((given, { clientSecret }) => given !== '' && clientSecret.startsWith(given)),
  },

  'exchange-secret-longer': {
    summary: 'A secret is compared up to the length of what is stored, and may go on.',
    breaks: ['exchange.client-secret-checked'],
    changes: lenient((given, { clientSecret }) => given.startsWith(clientSecret)),
  },

  'exchange-secret-hash-cut': {
    summary: 'A secret is hashed by a function that reads only so many characters.',
    breaks: ['exchange.client-secret-checked'],
    changes: lenient(
      (given, { clientSecret }) =>
        given.slice(0, HASHED_CHARACTERS) === clientSecret.slice(0, HASHED_CHARACTERS),
    ),
  },

  'exchange-secret-case-ignored': {
    summary: 'A secret in another letter case counts.',
    breaks: ['exchange.client-secret-checked'],
    changes: lenient((given, { clientSecret }) => given.toLowerCase() === clientSecret.toLowerCase()),
  },

  'exchange-secret-padded-with-nul': {
    summary:
      'Secrets are padded with NUL before they are compared, so that NUL after the right one does no harm.',
    breaks: ['exchange.client-secret-checked'],
    changes: lenient((given, { clientSecret }) => given.replace(/\0+$/, '') === clientSecret),
  },

  'exchange-secret-of-any-application': {
    summary: 'The secret is looked for among those of all applications.',
    breaks: ['exchange.client-secret-of-other-application'],
    changes: lenient((given, _, everybody) => everybody.some(({ clientSecret }) => clientSecret === given)),
  },

  'exchange-secret-refused-with-tokens': {
    summary: 'A wrong secret is answered with status 401 and the tokens all the same.',
    breaks: ['exchange.client-secret-checked', 'exchange.client-secret-of-other-application'],
    changes: ({ client, answer }) => {
      let wrong = false;
      return {
        client: {
          authenticate(credentials, applications, grantType) {
            const authenticated = client.authenticate(credentials, applications, grantType);
            const application = applications.get(credentials.clientId ?? '');
            wrong =
              isRefusal(authenticated) &&
              authenticated.refused === 'client-secret-wrong' &&
              grantType === 'authorization_code';
            return wrong && application !== undefined ? application : authenticated;
          },
        },
        answer: {
          tokens: (issued) => (wrong ? { ...answer.tokens(issued), status: 401 } : answer.tokens(issued)),
        },
      };
    },
  },
};

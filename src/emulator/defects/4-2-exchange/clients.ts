import type { Credentials } from '../../policy.ts';
import type { RegisteredApplication } from '../../records.ts';
import { isRefusal } from '../../refusal.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';

function lookup(
  find: (
    credentials: Credentials,
    applications: readonly RegisteredApplication[],
  ) => RegisteredApplication | undefined,
): Changes {
  return changing('client.authenticate', (base) => (credentials, applications, grantType) => {
    const authenticated = base(credentials, applications, grantType);
    if (!isRefusal(authenticated) || grantType !== 'authorization_code') return authenticated;
    const found = find(credentials, [...applications.values()]);
    if (found === undefined) return authenticated;
    return base({ ...credentials, clientId: found.clientId }, applications, grantType);
  });
}

function bySecret({ clientSecret }: Credentials, applications: readonly RegisteredApplication[]) {
  return applications.find((known) => known.clientSecret === clientSecret);
}

export const clients: Defects = {
  'exchange-client-id-optional': {
    summary: 'A missing client_id is made up from the secret.',
    severity: 'blunt',
    breaks: ['exchange.requires-client-id'],
    changes: lookup((credentials, applications) =>
      credentials.clientId === undefined ? bySecret(credentials, applications) : undefined,
    ),
  },

  'exchange-client-id-empty-accepted': {
    summary: 'An empty client_id is made up from the secret, a missing one is refused.',
    breaks: ['exchange.requires-client-id'],
    changes: ({ client }) => {
      let empty = false;
      return {
        client: {
          credentials(request, parameters) {
            empty = parameters.get('client_id') === '';
            return client.credentials(request, parameters);
          },
          authenticate: (credentials, applications, grantType) =>
            (empty && grantType === 'authorization_code'
              ? bySecret(credentials, [...applications.values()])
              : undefined) ?? client.authenticate(credentials, applications, grantType),
        },
      };
    },
  },

  'exchange-client-id-unchecked': {
    summary: 'The secret alone tells the client, and the client_id may be anything.',
    severity: 'blunt',
    breaks: ['exchange.client-id-checked', 'exchange.client-secret-of-other-application'],
    changes: lookup((credentials, applications) =>
      credentials.clientId === undefined ? undefined : bySecret(credentials, applications),
    ),
  },

  'exchange-client-id-case-ignored': {
    summary: 'A client_id in another letter case is found, as some databases compare text.',
    breaks: ['exchange.client-id-checked'],
    changes: lookup(({ clientId }, applications) =>
      applications.find((known) => known.clientId.toLowerCase() === clientId?.toLowerCase()),
    ),
  },

  'exchange-client-id-cut': {
    summary: "A client_id that goes on after the right one is cut to the column's length and found.",
    breaks: ['exchange.client-id-checked'],
    changes: lookup(({ clientId = '' }, applications) =>
      applications.find((known) => clientId.startsWith(known.clientId)),
    ),
  },

  'exchange-client-id-nul-cut': {
    summary: 'A client_id is read up to the first NUL.',
    breaks: ['exchange.client-id-checked'],
    changes: lookup(({ clientId = '' }, applications) =>
      applications.find((known) => clientId.split('\0')[0] === known.clientId && clientId !== known.clientId),
    ),
  },
};

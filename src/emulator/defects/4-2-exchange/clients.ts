import type { Defect } from '../../defect.ts';
import type { Credentials } from '../../policy.ts';
import type { RegisteredApplication } from '../../records.ts';
import { isRefusal } from '../../refusal.ts';
import { defect } from '../define-defect.ts';

/** A client that is found in another way than by its whole id, at an exchange alone. Its secret is compared all the same. */
function lookup(
  id: string,
  find: (
    credentials: Credentials,
    applications: readonly RegisteredApplication[],
  ) => RegisteredApplication | undefined,
): Defect {
  return defect(id, ({ client }) => ({
    client: {
      authenticate(credentials, applications, grantType) {
        const authenticated = client.authenticate(credentials, applications, grantType);
        if (!isRefusal(authenticated) || grantType !== 'authorization_code') return authenticated;
        const found = find(credentials, [...applications.values()]);
        if (found === undefined) return authenticated;
        return client.authenticate({ ...credentials, clientId: found.clientId }, applications, grantType);
      },
    },
  }));
}

function bySecret({ clientSecret }: Credentials, applications: readonly RegisteredApplication[]) {
  return applications.find((known) => known.clientSecret === clientSecret);
}

/** Faults in telling which client asks (clauses 4.2 and 5.2). */
export const clients: readonly Defect[] = [
  lookup('exchange-client-id-optional', (credentials, applications) =>
    credentials.clientId === undefined ? bySecret(credentials, applications) : undefined,
  ),

  defect('exchange-client-id-empty-accepted', ({ client }) => {
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
  }),

  lookup('exchange-client-id-unchecked', (credentials, applications) =>
    credentials.clientId === undefined ? undefined : bySecret(credentials, applications),
  ),

  lookup('exchange-client-id-case-ignored', ({ clientId }, applications) =>
    applications.find((known) => known.clientId.toLowerCase() === clientId?.toLowerCase()),
  ),

  lookup('exchange-client-id-cut', ({ clientId = '' }, applications) =>
    applications.find((known) => clientId.startsWith(known.clientId)),
  ),

  lookup('exchange-client-id-nul-cut', ({ clientId = '' }, applications) =>
    applications.find((known) => clientId.split('\0')[0] === known.clientId && clientId !== known.clientId),
  ),
];

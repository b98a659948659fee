import type { Defect } from '../../defect.ts';
import type { RegisteredApplication } from '../../records.ts';
import { isRefusal } from '../../refusal.ts';
import { defect } from '../define-defect.ts';

/** Characters that a password hash reads before it stops. */
const HASHED_CHARACTERS = 24;

/** A secret that counts as the client's without being it, at an exchange alone. `given` is empty when there was none. */
function lenient(
  id: string,
  accepts: (
    given: string,
    application: RegisteredApplication,
    everybody: readonly RegisteredApplication[],
  ) => boolean,
): Defect {
  return defect(id, ({ client }) => ({
    client: {
      authenticate(credentials, applications, grantType) {
        const authenticated = client.authenticate(credentials, applications, grantType);
        if (!isRefusal(authenticated) || grantType !== 'authorization_code') return authenticated;
        const application = applications.get(credentials.clientId ?? '');
        if (application === undefined) return authenticated;
        const accepted = accepts(credentials.clientSecret ?? '', application, [...applications.values()]);
        return accepted ? application : authenticated;
      },
    },
  }));
}

/** Faults in comparing client secrets (clauses 4.2 and 5.2). */
export const secrets: readonly Defect[] = [
  lenient('exchange-secret-optional', (given) => given === ''),

  defect('exchange-secret-empty-accepted', ({ client }) => {
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
  }),

  lenient('exchange-secret-unchecked', (given) => given !== ''),

  lenient(
    'exchange-secret-prefix',
    (given, { clientSecret }) => given !== '' && clientSecret.startsWith(given),
  ),

  lenient('exchange-secret-longer', (given, { clientSecret }) => given.startsWith(clientSecret)),

  lenient(
    'exchange-secret-hash-cut',
    (given, { clientSecret }) =>
      given.slice(0, HASHED_CHARACTERS) === clientSecret.slice(0, HASHED_CHARACTERS),
  ),

  lenient(
    'exchange-secret-case-ignored',
    (given, { clientSecret }) => given.toLowerCase() === clientSecret.toLowerCase(),
  ),

  lenient(
    'exchange-secret-padded-with-nul',
    (given, { clientSecret }) => given.replace(/\0+$/, '') === clientSecret,
  ),

  lenient('exchange-secret-of-any-application', (given, _, everybody) =>
    everybody.some(({ clientSecret }) => clientSecret === given),
  ),

  defect('exchange-secret-refused-with-tokens', ({ client, answer }) => {
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
  }),
];

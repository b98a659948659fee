import type { Defect } from '../../defect.ts';
import type { ClientPolicy, Credentials } from '../../policy.ts';
import type { RegisteredApplication } from '../../records.ts';
import type { Lookup } from '../../store.ts';
import { defect } from '../define-defect.ts';

type Authenticate = ClientPolicy['authenticate'];

/** A defect that takes a refreshing client for one that it is not: `known` names it, or leaves it to the policy. */
function refreshingClient(
  id: string,
  known: (
    sent: Credentials,
    applications: Lookup<RegisteredApplication>,
  ) => RegisteredApplication | undefined,
): Defect {
  return defect(id, ({ client }) => ({
    client: { authenticate: inRefresh(client.authenticate, known) },
  }));
}

function inRefresh(
  authenticate: Authenticate,
  known: (
    sent: Credentials,
    applications: Lookup<RegisteredApplication>,
  ) => RegisteredApplication | undefined,
): Authenticate {
  return (sent, applications, grantType) => {
    const found = grantType === 'refresh_token' ? known(sent, applications) : undefined;
    return found ?? authenticate(sent, applications, grantType);
  };
}

/** Like {@link refreshingClient}, for credentials one of which was sent and is empty. */
function emptyAccepted(
  id: string,
  name: 'client_id' | 'client_secret',
  known: (
    sent: Credentials,
    applications: Lookup<RegisteredApplication>,
  ) => RegisteredApplication | undefined,
): Defect {
  const key = name === 'client_id' ? 'clientId' : 'clientSecret';
  return defect(id, ({ client }) => ({
    client: {
      credentials(request, parameters) {
        const sent = client.credentials(request, parameters);
        return !('refused' in sent) && parameters.get(name) === '' ? { ...sent, [key]: '' } : sent;
      },
      authenticate: inRefresh(client.authenticate, (sent, applications) =>
        sent[key] === '' ? known(sent, applications) : undefined,
      ),
    },
  }));
}

function bySecret(
  { clientSecret }: Credentials,
  applications: Lookup<RegisteredApplication>,
): RegisteredApplication | undefined {
  return (
    (clientSecret && [...applications.values()].find((a) => a.clientSecret === clientSecret)) || undefined
  );
}

function byId(
  { clientId }: Credentials,
  applications: Lookup<RegisteredApplication>,
): RegisteredApplication | undefined {
  return clientId === undefined ? undefined : applications.get(clientId);
}

/** A defect that compares the secret of a refreshing client carelessly. */
function comparingSecrets(id: string, alike: (sent: string, own: string) => boolean): Defect {
  return refreshingClient(id, (sent, applications) => {
    const own = byId(sent, applications);
    const { clientSecret } = sent;
    return own !== undefined && clientSecret !== undefined && alike(clientSecret, own.clientSecret)
      ? own
      : undefined;
  });
}

/** A defect that compares the id of a refreshing client carelessly; the secret must still fit. */
function comparingIds(id: string, alike: (sent: string, own: string) => boolean): Defect {
  return refreshingClient(id, ({ clientId, clientSecret }, applications) =>
    [...applications.values()].find(
      (own) => clientId !== undefined && own.clientSecret === clientSecret && alike(clientId, own.clientId),
    ),
  );
}

/** Characters that `crypt` compares. */
const EIGHT = 8;

const upToNul = (sent: string, own: string) => sent !== own && sent.split('\0')[0] === own;

const inAnyCase = (sent: string, own: string) => sent.toLowerCase() === own.toLowerCase();

/** Faults in telling who refreshes (clauses 4.3 and 5.2). */
export const client: readonly Defect[] = [
  refreshingClient('refresh-client-id-optional', (sent, applications) =>
    sent.clientId === undefined ? bySecret(sent, applications) : undefined,
  ),
  emptyAccepted('refresh-client-id-empty-accepted', 'client_id', bySecret),

  refreshingClient('refresh-secret-unchecked', byId),
  refreshingClient('refresh-secret-optional', (sent, applications) =>
    sent.clientSecret === undefined ? byId(sent, applications) : undefined,
  ),
  emptyAccepted('refresh-secret-empty-accepted', 'client_secret', byId),

  comparingIds('refresh-client-id-unchecked', () => true),
  comparingIds('refresh-client-id-cut-short', (sent, own) => own.startsWith(sent)),
  comparingIds('refresh-client-id-in-any-case', inAnyCase),
  comparingIds('refresh-client-id-read-up-to-nul', upToNul),

  comparingSecrets('refresh-secret-compared-as-far-as-sent', (sent, own) => own.startsWith(sent)),
  comparingSecrets(
    'refresh-secret-eight-characters',
    (sent, own) => sent.slice(0, EIGHT) === own.slice(0, EIGHT),
  ),
  comparingSecrets('refresh-secret-in-any-case', inAnyCase),
  comparingSecrets('refresh-secret-read-up-to-nul', upToNul),
];

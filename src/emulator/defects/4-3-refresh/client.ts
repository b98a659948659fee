import type { ClientPolicy, Credentials } from '../../policy.ts';
import type { RegisteredApplication } from '../../records.ts';
import type { Lookup } from '../../store.ts';
import { type Changes, changing, type Defects } from '../define-defect.ts';

type Authenticate = ClientPolicy['authenticate'];

/** Takes a refreshing client for another one: `known` returns it, or undefined to use the policy. */
function refreshingClient(
  known: (
    sent: Credentials,
    applications: Lookup<RegisteredApplication>,
  ) => RegisteredApplication | undefined,
): Changes {
  return changing('client.authenticate', (base) => inRefresh(base, known));
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

/** Like {@link refreshingClient}, for requests that send an empty credential. */
function emptyAccepted(
  name: 'client_id' | 'client_secret',
  known: (
    sent: Credentials,
    applications: Lookup<RegisteredApplication>,
  ) => RegisteredApplication | undefined,
): Changes {
  const key = name === 'client_id' ? 'clientId' : 'clientSecret';
  return ({ client }) => ({
    client: {
      credentials(request, parameters) {
        const sent = client.credentials(request, parameters);
        return !('refused' in sent) && parameters.get(name) === '' ? { ...sent, [key]: '' } : sent;
      },
      authenticate: inRefresh(client.authenticate, (sent, applications) =>
        sent[key] === '' ? known(sent, applications) : undefined,
      ),
    },
  });
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

function comparingSecrets(alike: (sent: string, own: string) => boolean): Changes {
  return refreshingClient((sent, applications) => {
    const own = byId(sent, applications);
    const { clientSecret } = sent;
    return own !== undefined && clientSecret !== undefined && alike(clientSecret, own.clientSecret)
      ? own
      : undefined;
  });
}

function comparingIds(alike: (sent: string, own: string) => boolean): Changes {
  return refreshingClient(({ clientId, clientSecret }, applications) =>
    [...applications.values()].find(
      (own) => clientId !== undefined && own.clientSecret === clientSecret && alike(clientId, own.clientId),
    ),
  );
}

const EIGHT = 8;

const upToNul = (sent: string, own: string) => sent !== own && sent.split('\0')[0] === own;

const inAnyCase = (sent: string, own: string) => sent.toLowerCase() === own.toLowerCase();

export const client: Defects = {
  'refresh-client-id-optional': {
    summary: 'A refreshing client is known by its secret where it sends no id.',
    severity: 'blunt',
    breaks: ['refresh.requires-client-id'],
    changes: refreshingClient((sent, applications) =>
      sent.clientId === undefined ? bySecret(sent, applications) : undefined,
    ),
  },
  'refresh-client-id-empty-accepted': {
    summary: 'An empty client_id counts as the one to which the secret belongs.',
    breaks: ['refresh.requires-client-id'],
    changes: emptyAccepted('client_id', bySecret),
  },

  'refresh-secret-unchecked': {
    summary: 'A refreshing client needs no secret, and a wrong one does no harm.',
    severity: 'blunt',
    reference: 'rancher/rancher#54401',
    breaks: ['refresh.requires-client-secret', 'refresh.client-secret-checked'],
    changes: refreshingClient(byId),
  },
  'refresh-secret-optional': {
    summary: 'A refreshing client that sends no secret is taken for a public one.',
    severity: 'blunt',
    breaks: ['refresh.requires-client-secret'],
    changes: refreshingClient((sent, applications) =>
      sent.clientSecret === undefined ? byId(sent, applications) : undefined,
    ),
  },
  'refresh-secret-empty-accepted': {
    summary: 'An empty secret passes where none at all does not.',
    breaks: ['refresh.requires-client-secret'],
    changes: emptyAccepted('client_secret', byId),
  },

  'refresh-client-id-unchecked': {
    summary: 'The secret of a refreshing client is looked up and its id is not compared.',
    severity: 'blunt',
    breaks: ['refresh.client-id-checked', 'refresh.client-secret-checked'],
    changes: comparingIds(() => true),
  },
  'refresh-client-id-cut-short': {
    summary: 'The id of a refreshing client is compared as far as it was sent.',
    breaks: ['refresh.client-id-checked'],
    changes: comparingIds((sent, own) => own.startsWith(sent)),
  },
  'refresh-client-id-in-any-case': {
    summary: 'The id of a refreshing client is compared without regard to letter case.',
    breaks: ['refresh.client-id-checked'],
    changes: comparingIds(inAnyCase),
  },
  'refresh-client-id-read-up-to-nul': {
    summary: "A refreshing client's id is read up to the first NUL.",
    breaks: ['refresh.client-id-checked'],
    changes: comparingIds(upToNul),
  },

  'refresh-secret-compared-as-far-as-sent': {
    summary: 'The secret of a refreshing client is compared as far as it was sent.',
    breaks: ['refresh.client-secret-checked'],
    changes: comparingSecrets((sent, own) => own.startsWith(sent)),
  },
  'refresh-secret-eight-characters': {
    summary: 'Eight characters of the secret of a refreshing client are compared, as old password hashes do.',
    breaks: ['refresh.client-secret-checked'],
    changes: comparingSecrets((sent, own) => sent.slice(0, EIGHT) === own.slice(0, EIGHT)),
  },
  'refresh-secret-in-any-case': {
    summary: 'The secret of a refreshing client is compared without regard to letter case.',
    breaks: ['refresh.client-secret-checked'],
    changes: comparingSecrets(inAnyCase),
  },
  'refresh-secret-read-up-to-nul': {
    summary: "A refreshing client's secret is read up to the first NUL.",
    breaks: ['refresh.client-secret-checked'],
    changes: comparingSecrets(upToNul),
  },
};

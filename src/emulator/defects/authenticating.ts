import type { ClientPolicy, Credentials, Policy } from '../policy.ts';
import type { RegisteredApplication } from '../records.ts';
import { isRefusal } from '../refusal.ts';
import type { Lookup } from '../store.ts';
import { type Changes, changed, changing, type PolicyChanges } from './define-defect.ts';

type GrantType = Parameters<ClientPolicy['authenticate']>[2];

/** Finds the application that a client is mistaken for; undefined for none. */
export type Identify = (
  sent: Credentials,
  applications: Lookup<RegisteredApplication>,
) => RegisteredApplication | undefined;

/** Mistakes a refused client for the application that `identify` finds. */
export function identifying(grantType: GrantType, identify: Identify): Changes {
  return changing('client.authenticate', (base) => (sent, applications, asked) => {
    const authenticated = base(sent, applications, asked);
    if (!isRefusal(authenticated) || asked !== grantType) return authenticated;
    return identify(sent, applications) ?? authenticated;
  });
}

export const bySecret: Identify = ({ clientSecret }, applications) =>
  [...applications.values()].find((one) => one.clientSecret === clientSecret);

export const byId: Identify = ({ clientId = '' }, applications) => applications.get(clientId);

/** Like {@link identifying}, for a client that sends a credential empty. */
export function identifyingEmpty(
  grantType: GrantType,
  name: 'client_id' | 'client_secret',
  identify: Identify,
): Changes {
  return (base) => {
    let empty = false;
    const policy = changed(
      base,
      identifying(grantType, (...sent) => (empty ? identify(...sent) : undefined))(base),
    );
    return {
      client: {
        ...policy.client,
        credentials(request, parameters) {
          empty = parameters.get(name) === '';
          return policy.client.credentials(request, parameters);
        },
      },
    };
  };
}

type Alike = (sent: string, own: string) => boolean;

export function comparingIds(grantType: GrantType, alike: Alike): Changes {
  return identifying(grantType, ({ clientId, clientSecret }, applications) =>
    [...applications.values()].find(
      (own) => clientId !== undefined && own.clientSecret === clientSecret && alike(clientId, own.clientId),
    ),
  );
}

export function comparingSecrets(grantType: GrantType, alike: Alike): Changes {
  return identifying(grantType, (sent, applications) => {
    const own = byId(sent, applications);
    const { clientSecret } = sent;
    return own && clientSecret !== undefined && alike(clientSecret, own.clientSecret) ? own : undefined;
  });
}

export const inAnyCase: Alike = (sent, own) => sent.toLowerCase() === own.toLowerCase();

export const upToNul: Alike = (sent, own) => sent.split('\0')[0] === own;

export function byFirstApplication(
  changes: (policy: Policy, isFirst: (application: RegisteredApplication) => boolean) => PolicyChanges,
): Changes {
  return (base) => {
    let first: string | undefined;
    const authenticate: ClientPolicy['authenticate'] = (sent, applications, grantType) => {
      first ??= [...applications.values()][0]?.clientId;
      return base.client.authenticate(sent, applications, grantType);
    };
    const policy = changed(base, { client: { authenticate } });
    return changed(
      policy,
      changes(policy, ({ clientId }) => clientId === first),
    );
  };
}

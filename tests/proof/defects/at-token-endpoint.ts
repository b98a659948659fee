import type { Meant } from '../../../src/emulator/defects/at-resource-api.ts';
import {
  type Alike,
  byId,
  bySecret,
  changingResponses,
  type GrantType,
  type Identify,
  identifying,
} from '../../../src/emulator/defects/at-token-endpoint.ts';
import { type Changes, whenever } from '../../../src/emulator/defects/define-defect.ts';
import type { ReceivedParameters } from '../../../src/emulator/parameters.ts';
import type { RegisteredApplication } from '../../../src/emulator/records.ts';

export const isExchange: Meant = ({ body }) => new URLSearchParams(body).has('code');

export const isRefresh: Meant = ({ body }) => new URLSearchParams(body).has('refresh_token');

export function isRepeated(sent: ReceivedParameters): boolean {
  const pairs = sent.entries().map(([name, value]) => JSON.stringify([name, value]));
  return new Set(pairs).size < pairs.length;
}

export const secretOfAny: Identify = (sent, applications) =>
  bySecret(sent, applications) && byId(sent, applications);

/** Like {@link identifying}, for a client that sends a credential empty. */
export function identifyingEmpty(
  grantType: GrantType,
  name: 'client_id' | 'client_secret',
  identify: Identify,
): Changes {
  return whenever(
    'client.credentials',
    (_, parameters) => parameters.get(name) === '',
    identifying(grantType, identify),
  );
}

export const inAnyCase: Alike = (sent, own) => sent.toLowerCase() === own.toLowerCase();

export const upToNul: Alike = (sent, own) => sent.split('\0')[0] === own;

export function byFirstApplication(changes: Changes): Changes {
  return whenever(
    'client.authenticate',
    ({ clientId }, applications) => clientId === firstOf(applications)?.clientId,
    changes,
  );
}

export function firstOf(
  applications: ReadonlyMap<string, RegisteredApplication>,
): RegisteredApplication | undefined {
  const [first] = applications.values();
  return first;
}

export function withTokenStatus(status: number): Changes {
  return changingResponses((answer) => ({ ...answer, status }));
}

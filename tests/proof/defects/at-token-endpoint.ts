import { setTimeout as pause } from 'node:timers/promises';
import type { RequestMatcher } from '../../../src/emulator/defects/at-resource-api.ts';
import {
  asForm,
  byId,
  changingResponses,
  FORM,
  type GrantType,
  type Identify,
  identifying,
  type ValueMatcher,
} from '../../../src/emulator/defects/at-token-endpoint.ts';
import { type Changes, changing, whenever } from '../../../src/emulator/defects/define-defect.ts';
import { formatForm, mediaTypeOf, ReceivedParameters } from '../../../src/emulator/parameters.ts';
import type { IssuedTokens } from '../../../src/emulator/policy/policy.ts';
import type { RegisteredApplication } from '../../../src/emulator/store/records.ts';
import { RACE_MS } from './at-resource-api.ts';

export const readingQuery = changing(
  'client.parameters',
  (base) => (request) => base(asForm(request, request.query)),
);

export function settling(
  settle: (sent: ReceivedParameters) => ReceivedParameters,
  meant: RequestMatcher = () => true,
): Changes {
  return changing('client.parameters', (base) => (request) => {
    const isForm = request.method === 'POST' && mediaTypeOf(request.contentType) === FORM;
    if (!isForm || !meant(request)) return base(request);
    const sent = new ReceivedParameters([...new URLSearchParams(request.body)]);
    return base({ ...request, body: formatForm(settle(sent).entries()) });
  });
}

/** Accepts a request with a code or refresh token, whatever its grant_type, if `accepts` allows that. */
export function acceptingGrantType(
  having: 'code' | 'refresh_token',
  accepts: (grantType: string | undefined) => boolean,
): Changes {
  const meant = having === 'code' ? 'authorization_code' : 'refresh_token';
  return changing(
    'client.grantType',
    (base) => (parameters) =>
      parameters.get(having) && accepts(parameters.get('grant_type')) ? meant : base(parameters),
  );
}

export function firstOfEach(
  sent: ReceivedParameters,
  counts: (name: string) => boolean = () => true,
): ReceivedParameters {
  const pairs = sent.entries();
  return new ReceivedParameters(
    pairs.filter(([name], index) => !counts(name) || pairs.findIndex(([other]) => other === name) === index),
  );
}

export const bySecret: Identify = ({ clientSecret }, applications) =>
  [...applications.values()].find((one) => one.clientSecret === clientSecret);

export const missingId: Identify = (sent, applications) =>
  sent.clientId === undefined ? bySecret(sent, applications) : undefined;

export function comparingIds(grantType: GrantType, alike: ValueMatcher): Changes {
  return identifying(grantType, ({ clientId, clientSecret }, applications) =>
    [...applications.values()].find(
      (own) => clientId !== undefined && own.clientSecret === clientSecret && alike(clientId, own.clientId),
    ),
  );
}

export const isExchange: RequestMatcher = ({ body }) => new URLSearchParams(body).has('code');

export const isRefresh: RequestMatcher = ({ body }) => new URLSearchParams(body).has('refresh_token');

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

export const inAnyCase: ValueMatcher = (sent, own) => sent.toLowerCase() === own.toLowerCase();

export const upToNul: ValueMatcher = (sent, own) => sent.split('\0')[0] === own;

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

/** Token requests that are under way at the same time all get the answer to the first. */
export function sharedAtOnce(path: 'exchange' | 'refresh'): Changes {
  return ({ code, refresh, answer }) => {
    let underWay = 0;
    let shared: IssuedTokens | undefined;
    const meeting =
      <A extends readonly unknown[], R>(act: (...asked: A) => R | Promise<R>) =>
      async (...asked: A): Promise<R> => {
        underWay += 1;
        await pause(RACE_MS);
        const done = await act(...asked);
        if (done !== undefined) underWay -= 1;
        return done;
      };
    return {
      ...(path === 'exchange'
        ? { code: { redeem: meeting(code.redeem) } }
        : { refresh: { rotate: meeting(refresh.rotate) } }),
      answer: {
        tokens(issued) {
          underWay -= 1;
          if (underWay > 0) shared ??= issued;
          const reported = shared ?? issued;
          if (underWay <= 0) [underWay, shared] = [0, undefined];
          return answer.tokens(reported);
        },
      },
    };
  };
}

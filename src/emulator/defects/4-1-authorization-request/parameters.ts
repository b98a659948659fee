import type { Defect } from '../../defect.ts';
import type { ReceivedParameters } from '../../parameters.ts';
import type { ReceivedAuthorizationRequest } from '../../policy.ts';
import type { RegisteredApplication } from '../../records.ts';
import { refuse } from '../../refusal.ts';
import type { Lookup } from '../../store.ts';
import { defect } from '../define-defect.ts';
import { firstOfEach, isRepeated } from '../first-of-each.ts';

/** Parameters of an authorization request that this service has heard of. */
const KNOWN = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
];

/** A client that is looked up in another way than by its whole id. */
function lookup(
  id: string,
  find: (
    request: ReceivedAuthorizationRequest,
    applications: readonly RegisteredApplication[],
  ) => RegisteredApplication | undefined,
): Defect {
  return defect(id, ({ authorize }) => ({
    authorize: {
      application(request: ReceivedAuthorizationRequest, applications: Lookup<RegisteredApplication>) {
        const known = authorize.application(request, applications);
        if (!('refused' in known)) return known;
        return find(request, [...applications.values()]) ?? known;
      },
    },
  }));
}

/** A response type that counts as `code` without being it. */
function responseType(id: string, accepts: (value: string | undefined) => boolean): Defect {
  return defect(id, ({ authorize }) => ({
    authorize: {
      responseType: (request) =>
        accepts(request.responseType) ? undefined : authorize.responseType(request),
    },
  }));
}

/** A repeated parameter of which one value counts. */
function repeated(id: string, settle: (sent: ReceivedParameters) => ReceivedParameters): Defect {
  return defect(id, ({ authorize }) => ({
    authorize: { request: (sent) => authorize.request(settle(sent)) },
  }));
}

/** Faults in reading the request's parameters (clause 4.1), its address and scopes apart. */
export const parameters: readonly Defect[] = [
  lookup('authorize-client-unknown-accepted', (_, applications) => applications[0]),

  lookup('authorize-client-missing-guessed', ({ clientId, redirectUri = '' }, applications) =>
    clientId === undefined
      ? applications.find(({ redirectUris }) => redirectUris.includes(redirectUri))
      : undefined,
  ),

  lookup('authorize-client-id-case-ignored', ({ clientId }, applications) =>
    applications.find((known) => known.clientId.toLowerCase() === clientId?.toLowerCase()),
  ),

  lookup('authorize-client-id-cut', ({ clientId = '' }, applications) =>
    applications.find((known) => clientId.startsWith(known.clientId)),
  ),

  responseType('authorize-response-type-unchecked', () => true),

  responseType('authorize-response-type-defaulted', (value) => value === undefined),

  responseType('authorize-response-type-case-ignored', (value) => value?.toLowerCase() === 'code'),

  responseType('authorize-hybrid-honoured', (value) => value?.split(' ').includes('code') === true),

  defect('authorize-implicit-honoured', ({ authorize, answer }) => {
    let implicit = false;
    return {
      authorize: {
        responseType(request) {
          implicit = request.responseType === 'token';
          return implicit ? undefined : authorize.responseType(request);
        },
      },
      answer: {
        authorization(outcome) {
          if (!implicit) return answer.authorization(outcome);
          const [, value = ''] = outcome.parameters[0] ?? [];
          const redirectUri = `${outcome.redirectUri}#access_token=${value}&token_type=bearer`;
          return { ...answer.authorization(outcome), headers: [['Location', redirectUri]] };
        },
      },
    };
  }),

  repeated('authorize-first-of-repeated-counts', (sent) => firstOfEach(sent)),

  repeated('authorize-last-of-repeated-counts', (sent) => firstOfEach(sent.lastFirst())),

  repeated('authorize-last-of-different-counts', (sent) =>
    isRepeated(sent) ? sent : firstOfEach(sent.lastFirst()),
  ),

  repeated('authorize-repeated-scope-tolerated', (sent) => firstOfEach(sent, (name) => name === 'scope')),

  defect('authorize-unknown-parameter-refused', ({ authorize }) => ({
    authorize: {
      request(sent) {
        const unknown = sent.entries().find(([name]) => !KNOWN.includes(name));
        if (unknown === undefined) return authorize.request(sent);
        return refuse('parameter-repeated', `${unknown[0]} is not known`, unknown[0]);
      },
    },
  })),
];

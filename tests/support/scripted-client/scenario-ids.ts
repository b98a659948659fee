import type { Fault } from './fault-server.ts';
import type { ListFault, networkFaults, OperationFault, OperationName, Success } from './operation-faults.ts';
import type { TokenFault } from './token-faults.ts';

const SINGLE = {
  'authorize.parameters': 'the authorization request has the four documented parameters and a state',
  'authorize.scope-plus': 'a plus sign, not %2B, separates the scopes',
  'authorize.state-fresh': 'each request has a state of its own, too long to guess',
  'authorize.no-secret': 'the client secret is not in the address',
  'callback.code': 'the code of a redirect with the right state is returned, decoded',
  'callback.state-different': 'a redirect with another state is refused',
  'callback.state-absent': 'a redirect without a state is refused',
  'callback.state-not-kept': 'a redirect to a browser that no state was kept for is refused',
  'callback.denied': 'a denial is told apart from an error',
  'callback.other-error': 'an error that is no denial is not called one',
  'callback.no-code': 'a redirect without a code, or with an empty one, is refused',
  'exchange.request': 'the form has the five documented parameters and nothing else',
  'exchange.credentials-once': 'the credentials are not sent as HTTP Basic besides',
  'exchange.stored': 'both tokens are stored',
  'exchange.stored-before-use': 'the pair is stored before the access token is used',
  'exchange.code-once': 'a code that was exchanged is not sent again',
  'exchange.code-once-in-parallel': 'a callback that runs twice at once sends the code once',
  'exchange.code-once-after-500': 'a code is not sent again after an error of the service',
  'exchange.store-failure': 'tokens that could not be stored are not passed over in silence',
  'exchange.token-type-any-case': 'token_type is read without regard to case',
  'exchange.extra-fields': 'fields that the clause does not list do no harm',
  'exchange.expires-in-string': 'expires_in as a text is refused or understood, not ignored',
  'exchange.error-from-body': 'the error is readable although there is a WWW-Authenticate header',
  'refresh.request': 'the form has the four documented parameters and nothing else',
  'refresh.rotation': 'each refresh sends the newest refresh token, and no older one',
  'refresh.stored-before-use': 'the new pair is stored before the access token is used',
  'refresh.single-flight': 'calls at the same time share one refresh',
  'refresh.from-store': 'after a restart the stored pair is the one that is refreshed',
  'refresh.store-failure': 'a new pair that cannot be stored is not used',
  'refresh.refused-not-sent-again': 'a refresh token that is dead is not sent again',
  'refresh.tokens-kept-after-503': 'after an outage the stored refresh token works again',
  'expiry.not-before': 'a second before the leeway begins the token is used as it is',
  'expiry.at-the-second': 'at the second when the leeway begins the token is refreshed',
  'expiry.after-restart': 'the lifetime runs from the answer on, not from the restart',
  'expiry.of-refreshed': 'a refreshed token has a lifetime of its own',
  'expiry.as-answered': 'expires_in counts, whatever lifetime was expected',
  'unauthorized.refresh-and-retry': 'a 401 leads to one refresh and one more try',
  'unauthorized.no-loop': 'a 401 that stays leads to no more than that',
  'unauthorized.shared-refresh': 'calls that get 401 at the same time share one refresh',
  'unauthorized.already-refreshed': 'a call overtaken by a refresh is tried again without another',
  'forbidden.no-refresh': 'a 403 leads to no refresh: a new token would have the same scopes',
  'token-presented': 'the three operations reach their paths with the access token',
  'ids-encoded': 'ids are percent-encoded in the path',
  'ids-stay-in-path': 'empty ids and dots, which no encoding protects, are not sent',
  'list.array': 'a list that is an array is read',
  'list.envelope': 'a list in an envelope is read',
  'list.empty': 'a list of nobody is a list',
  'secrets.errors': 'no error holds a secret, a code or a token, however deep',
  'secrets.echoed': 'an error does not repeat secrets that the service echoed',
  'secrets.addresses': 'no address holds a secret, a code or a token',
  'secrets.output': 'nothing that the client prints holds a secret',
} as const;

/** Titles of the scenarios that are played with each of several answers. */
const FAMILIES: readonly (readonly [ids: RegExp, title: string])[] = [
  [/^exchange\.fault\./, 'the exchange fails and nothing is stored'],
  [/^exchange\.code-once-after\./, 'a code is not sent again after its answer was lost'],
  [/^refresh\.fault\./, 'the call fails, the refresh is not repeated and the stored pair stands'],
  [/\.success\./, 'any 2xx is a success'],
  [/\.fault\./, 'the call fails and the tokens stay'],
];

export function titleOf(id: ScenarioId): string {
  const titles: Readonly<Record<string, string>> = SINGLE;
  return titles[id] ?? FAMILIES.find(([ids]) => ids.test(id))?.[1] ?? '';
}

/** Ids of all scenarios: what an adapter's list of expected failures may name. */
export type ScenarioId =
  | keyof typeof SINGLE
  | `exchange.fault.${TokenFault | Fault}`
  | `exchange.code-once-after.${Fault}`
  | `refresh.fault.${TokenFault | Fault}`
  | `${OperationName}.fault.${OperationFault}`
  | `list.fault.${Fault}`
  | `${'assign' | 'unassign'}.fault.${(typeof networkFaults)['assign'][number]}`
  | `list.fault.${ListFault}`
  | `${'assign' | 'unassign'}.success.${Success}`;

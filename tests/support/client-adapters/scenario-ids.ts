import { FAULTS, type Fault } from './fault-server.ts';
import {
  type ListFault,
  listFaultNames,
  networkFaults,
  type OperationFault,
  type OperationName,
  operationFaultNames,
  operationNames,
} from './operation-faults.ts';
import { type TokenFault, tokenFaultNames } from './token-faults.ts';

const singleIds = [
  'authorize.parameters',
  'authorize.scope-plus',
  'authorize.state-fresh',
  'authorize.no-secret',
  'callback.code',
  'callback.state-different',
  'callback.state-absent',
  'callback.state-not-kept',
  'callback.denied',
  'callback.other-error',
  'callback.no-code',
  'exchange.request',
  'exchange.credentials-once',
  'exchange.stored',
  'exchange.stored-before-use',
  'exchange.code-once',
  'exchange.code-once-in-parallel',
  'exchange.code-once-after-500',
  'exchange.store-failure',
  'exchange.token-type-any-case',
  'exchange.extra-fields',
  'exchange.expires-in-string',
  'exchange.error-from-body',
  'refresh.request',
  'refresh.rotation',
  'refresh.stored-before-use',
  'refresh.single-flight',
  'refresh.from-store',
  'refresh.store-failure',
  'refresh.refused-not-sent-again',
  'refresh.tokens-kept-after-503',
  'expiry.not-before',
  'expiry.at-the-second',
  'expiry.after-restart',
  'expiry.of-refreshed',
  'expiry.as-answered',
  'unauthorized.refresh-and-retry',
  'unauthorized.no-loop',
  'unauthorized.shared-refresh',
  'unauthorized.already-refreshed',
  'forbidden.no-refresh',
  'token-presented',
  'ids-encoded',
  'ids-stay-in-path',
  'list.array',
  'list.envelope',
  'list.empty',
  'secrets.errors',
  'secrets.echoed',
  'secrets.addresses',
  'secrets.output',
] as const;

/** Successes that assign and unassign may answer. */
export const SUCCESSES = ['200-json', '201-empty', '202-empty', '204-empty', '200-html'] as const;
export type Success = (typeof SUCCESSES)[number];

/** Ids of all scenarios: what an adapter's list of expected failures may name. */
export type ScenarioId =
  | (typeof singleIds)[number]
  | `exchange.fault.${TokenFault | Fault}`
  | `exchange.code-once-after.${Fault}`
  | `refresh.fault.${TokenFault | Fault}`
  | `${OperationName}.fault.${OperationFault}`
  | `list.fault.${Fault}`
  | `${'assign' | 'unassign'}.fault.${(typeof networkFaults)['assign'][number]}`
  | `list.fault.${ListFault}`
  | `${'assign' | 'unassign'}.success.${Success}`;

/** All of them at run time, for adapters that are not type-checked. */
export const scenarioIds: ReadonlySet<string> = new Set<ScenarioId>([
  ...singleIds,
  ...[...tokenFaultNames, ...FAULTS].map((fault) => `exchange.fault.${fault}` as const),
  ...FAULTS.map((fault) => `exchange.code-once-after.${fault}` as const),
  ...[...tokenFaultNames, ...FAULTS].map((fault) => `refresh.fault.${fault}` as const),
  ...operationNames.flatMap((operation) =>
    [...operationFaultNames, ...networkFaults[operation]].map(
      (fault) => `${operation}.fault.${fault}` as ScenarioId,
    ),
  ),
  ...listFaultNames.map((fault) => `list.fault.${fault}` as const),
  ...SUCCESSES.flatMap((success) => [`assign.success.${success}`, `unassign.success.${success}`] as const),
]);

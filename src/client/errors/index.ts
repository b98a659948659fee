export {
  AuthorizationDenied,
  AuthorizationFailed,
  AuthorizationNeeded,
  StateMismatch,
} from './authorization.ts';
export {
  OperationRefused,
  ServiceFailed,
  TooManyRequests,
  Unauthorized,
  UnexpectedAnswer,
  Unreachable,
  type Unreached,
} from './calls.ts';
export { ClientError, type ClientOperation } from './client-error.ts';
export {
  CodeAlreadySent,
  ExchangeLost,
  RefreshLost,
  type TokenOperation,
  type TokenRefusal,
  TokenRefused,
  TokenStoreFailed,
} from './tokens.ts';

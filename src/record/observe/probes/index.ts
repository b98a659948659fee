import type { Probe } from '../probe-context.ts';
import { authorizeFailures, idForms, loopbackPorts, pkce } from './authorization.ts';
import { clientAuthentication } from './client-authentication.ts';
import { consent } from './consent.ts';
import { codeLifetime, refreshTokenLifetime } from './lifetimes.ts';
import { listShape, operations } from './operations.ts';
import { neighbours, otherMethods } from './other-endpoints.ts';
import { grace, oldAccessToken, oldRefreshToken, replay } from './refresh-fate.ts';
import { expiredToken, resourceFailures, revokedToken } from './resource-failures.ts';
import { scopeRequests, scopes } from './scopes.ts';
import { exchangeFailures, refreshFailures } from './token-failures.ts';
import { tokenPresentation, tokenResponse } from './tokens.ts';

/** All probes in running order: harmless ones first, revoking ones late, slow ones last. A probe may use earlier answers. */
export const PROBES: readonly Probe[] = [
  idForms,
  tokenResponse,
  operations,
  listShape,
  consent,
  scopes,
  tokenPresentation,
  resourceFailures,
  neighbours,
  otherMethods,
  loopbackPorts,
  authorizeFailures,
  clientAuthentication,
  pkce,
  scopeRequests,
  oldAccessToken,
  exchangeFailures,
  refreshFailures,
  replay,
  oldRefreshToken,
  grace,
  revokedToken,
  codeLifetime,
  refreshTokenLifetime,
  expiredToken,
];

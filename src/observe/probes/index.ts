import type { Probe } from '../probe-context.ts';
import { authorizeFailures, redirects } from './authorize-failures.ts';
import { clientAuthentication } from './client-authentication.ts';
import { idForms, loopbackPorts } from './configured.ts';
import { consent } from './consent.ts';
import { codeLifetime, refreshTokenLifetime } from './lifetimes.ts';
import { listShape } from './list-shape.ts';
import { neighbours } from './neighbours.ts';
import { operations } from './operations.ts';
import { otherMethods } from './other-methods.ts';
import { pkce } from './pkce.ts';
import { oldAccessToken, oldRefreshToken } from './refresh-fate.ts';
import { replay } from './replay.ts';
import { expiredToken, resourceFailures, revokedToken } from './resource-failures.ts';
import { scopeRequests } from './scope-requests.ts';
import { scopes } from './scopes.ts';
import { exchangeFailures, refreshFailures } from './token-failures.ts';
import { tokenPresentation } from './token-presentation.ts';
import { tokenResponse } from './token-response.ts';

/** All probes in running order: harmless ones first, revoking ones late, slow ones last. A probe may use earlier answers. */
export const PROBES: readonly Probe[] = [
  idForms,
  tokenResponse,
  redirects,
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
  revokedToken,
  codeLifetime,
  refreshTokenLifetime,
  expiredToken,
];

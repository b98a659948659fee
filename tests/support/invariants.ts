import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import type { RequirementId } from '../../src/document/types.ts';

/** Requirements that their own check evaluates, and no exchange of another one. */
const BY_THEIR_CHECK: readonly RequirementId[] = [
  'application.account-area',
  'version.prefix',
  'authorize.scope-plus',
  'authorize.state-echoed-on-denial',
  'authorize.denial-redirects',
  'authorize.bad-redirect-uri-not-followed',
  'authorize.duplicate-parameter',
  'authorize.unknown-parameter-ignored',
  'authorize.not-framable',
  'exchange.code-replay-revokes',
  'exchange.code-short-lived',
  'token.not-cacheable',
  'token.post-only',
  'token.duplicate-parameter',
  'token.unknown-parameter-ignored',
  'token.error-json',
  'token.error-status',
  'token.error-invalid-grant',
  'token.error-invalid-client',
  'token.error-invalid-request',
  'token.error-unsupported-grant-type',
  'token.error-leaks-nothing',
  'refresh.scope-not-widened',
  'refresh.scope-kept',
  'resource.challenge',
];

/** Requirements evaluated on every exchange. A test ensures that a full run on the emulator has examples of each. */
export const INVARIANTS: readonly RequirementId[] = loadCatalogue()
  .requirements.map(({ id }) => id)
  .filter((id) => !BY_THEIR_CHECK.includes(id));

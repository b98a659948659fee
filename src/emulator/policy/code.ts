import { createHash } from 'node:crypto';
import { refuse } from '../refusal.ts';
import { equalSecrets } from '../store/randomness.ts';
import type { CodeChallenge } from '../store/records.ts';
import { areAlike } from './are-alike.ts';
import type { CodePolicy, GrantRevocation } from './policy.ts';
import type { Answers, Departures } from './profile.ts';

export function codePolicy(answers: Answers, { exchangedAddresses }: Departures): CodePolicy {
  const burnsCode = answers['failed-exchange.burns-code'];
  const replayRevokes = answers['failed-exchange.replay-revokes'];
  const revocation = revocationOf(answers);
  const noChallenge = isRefusedAtExchange(answers);

  return {
    value: (randomness) => randomness.token(),

    find: (value, codes) => codes.get(value) ?? refuse('code-unknown', 'no such code was issued'),

    check(code, exchange, now) {
      if (code.grant.clientId !== exchange.application.clientId) {
        return refuse('code-of-other-client', `the code was issued to ${code.grant.clientId}`);
      }
      const alike = exchangedAddresses === 'alike' && areAlike(exchange.redirectUri, code.redirectUri);
      if (code.redirectUri !== exchange.redirectUri && !alike) {
        return refuse('code-redirect-uri-different', `the code was issued for ${code.redirectUri}`);
      }
      if (now >= code.expiresAt) {
        return refuse('code-expired', `the code expired ${now - code.expiresAt} s ago`);
      }
      const { challenge } = code;
      if (challenge !== undefined && (noChallenge || !verifies(exchange.verifier, challenge))) {
        return refuse('code-verifier-wrong', 'code_verifier does not fit the code_challenge (RFC 7636)');
      }
      return undefined;
    },

    redeem(code, _exchange, now) {
      if (code.usedAt !== undefined) {
        return refuse('code-used', `the code was exchanged, or burned, ${now - code.usedAt} s ago`);
      }
      // A code that gave tokens is refused as used: a defect that forgets its use must have its effect.
      if (code.grant.revoked && code.gave === undefined)
        return refuse('code-unknown', 'the grant of the code was revoked');
      code.usedAt = now;
      return undefined;
    },

    afterRefusal(_code, refusal) {
      if (refusal.refused === 'code-used') return replayRevokes ? revocation : 'keep';
      return burnsCode ? 'burn-code' : 'keep';
    },
  };
}

export function revocationOf(answers: Answers): GrantRevocation {
  return answers['failed-exchange.revoked'] === 'application' ? 'revoke-application' : 'revoke-grant';
}

export function isRefusedAtExchange(answers: Answers): boolean {
  return answers['pkce.support'] === 'refused' && answers['token-failures.exchange.wrong-verifier'] !== null;
}

function verifies(verifier: string | undefined, challenge: CodeChallenge): boolean {
  if (verifier === undefined) return false;
  const derived =
    challenge.method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url');
  return equalSecrets(derived, challenge.value);
}

import type { RequirementId } from '../../generated/ids.ts';
import { neverIssued } from './altered.ts';
import type { CheckContext } from './context.ts';
import { Blocked } from './outcome.ts';
import { type HeardTokenAnswer, OMITTED, type TokenAct } from './token-acts.ts';

/** The codes of RFC 6749 section 5.2 that a refusal may carry. */
export const TOKEN_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
] as const;

/** Why a token request is refused, as RFC 6749 section 5.2 sorts it. */
export type RefusalReason = (typeof TOKEN_ERRORS)[number];

/** One token request that is to be refused, and the error that fits. */
export interface TokenRefusalCase {
  readonly name: string;
  readonly reason: RefusalReason;
  /** Another error that fits as well. */
  readonly orElse?: RefusalReason;
  readonly provoke: (context: CheckContext) => Promise<HeardTokenAnswer>;
}

/** Every kind of refusal at the token endpoint (clause 7), each for one reason alone. */
const TOKEN_REFUSALS: readonly TokenRefusalCase[] = [
  {
    name: 'a code that was used before',
    reason: 'invalid_grant',
    provoke: async ({ given, token }) => {
      const code = await given.code();
      await given.exchanged(code);
      return token.exchange({ code }).answer();
    },
  },
  {
    name: 'a code that was never issued',
    reason: 'invalid_grant',
    provoke: (context) => refusedWith(context, (code) => context.token.exchange({ code: neverIssued(code) })),
  },
  {
    name: 'a code with a NUL in it',
    reason: 'invalid_grant',
    // A character that no code may have (RFC 6749 appendix A.11) makes the request malformed.
    orElse: 'invalid_request',
    provoke: (context) => refusedWith(context, (code) => context.token.exchange({ code: `${code}\0` })),
  },
  {
    name: 'another redirect_uri than in the authorization request',
    reason: 'invalid_grant',
    provoke: (context) =>
      refusedWith(context, (code) =>
        context.token.exchange({ code, redirect_uri: 'https://attacker.invalid/callback' }),
      ),
  },
  {
    name: 'a refresh token that was never issued',
    reason: 'invalid_grant',
    provoke: async ({ given, token }) => {
      const { refreshToken } = await given.pair();
      return token.refresh({ refresh_token: neverIssued(refreshToken) }).answer();
    },
  },
  {
    name: 'a refresh token whose code was replayed',
    reason: 'invalid_grant',
    provoke: async ({ given, token }) => {
      const code = await given.code();
      const { refreshToken } = await given.exchanged(code);
      await given.refreshable();
      await token.exchange({ code }).answer();
      return token.refresh({ refresh_token: refreshToken }).answer();
    },
  },
  {
    name: 'a wrong client_secret',
    reason: 'invalid_client',
    provoke: (context) =>
      refusedWith(context, (code) =>
        context.token.exchange({
          code,
          client_secret: neverIssued(context.target.application.clientSecret),
        }),
      ),
  },
  {
    name: 'an unknown client_id',
    reason: 'invalid_client',
    provoke: (context) =>
      refusedWith(context, (code) =>
        context.token.exchange({ code, client_id: neverIssued(context.target.application.clientId) }),
      ),
  },
  {
    name: 'a wrong client_secret at a refresh',
    reason: 'invalid_client',
    provoke: async ({ given, token, target }) => {
      const { refreshToken } = await given.pair();
      const client_secret = neverIssued(target.application.clientSecret);
      return token.refresh({ refresh_token: refreshToken, client_secret }).answer();
    },
  },
  {
    name: 'no code',
    reason: 'invalid_request',
    provoke: async ({ token }) => token.exchange({ code: OMITTED }).answer(),
  },
  {
    name: 'no redirect_uri',
    reason: 'invalid_request',
    provoke: (context) =>
      refusedWith(context, (code) => context.token.exchange({ code, redirect_uri: OMITTED })),
  },
  {
    name: 'no client_secret',
    reason: 'invalid_client',
    // A client that does not authenticate is an invalid one, or lacks a parameter.
    orElse: 'invalid_request',
    provoke: (context) =>
      refusedWith(context, (code) => context.token.exchange({ code, client_secret: OMITTED })),
  },
  {
    name: 'no refresh_token',
    reason: 'invalid_request',
    provoke: async ({ token }) => token.refresh({ refresh_token: OMITTED }).answer(),
  },
  {
    name: 'no grant_type',
    reason: 'invalid_request',
    provoke: (context) =>
      refusedWith(context, (code) => context.token.exchange({ code, grant_type: OMITTED })),
  },
  {
    name: 'an unknown grant_type',
    reason: 'unsupported_grant_type',
    provoke: (context) =>
      refusedWith(context, (code) => context.token.exchange({ code, grant_type: 'urn:example:unknown' })),
  },
];

/** Sends an exchange that is to be refused, with a code of its own. */
async function refusedWith(
  { given }: CheckContext,
  exchange: (code: string) => TokenAct,
): Promise<HeardTokenAnswer> {
  return exchange(await given.code()).answer();
}

/** A refusal together with the answer to it. */
export interface ProvokedTokenRefusal {
  readonly refusal: TokenRefusalCase;
  readonly answer: HeardTokenAnswer;
}

/**
 * Provokes every kind of refusal, or those for one reason, and yields the answers that refuse. Requests that are honoured
 * against the document are left out: other requirements fail for them.
 */
export async function provokeTokenRefusals(
  context: CheckContext,
  reason?: RefusalReason,
): Promise<readonly [ProvokedTokenRefusal, ...ProvokedTokenRefusal[]]> {
  const provoked: ProvokedTokenRefusal[] = [];
  for (const refusal of TOKEN_REFUSALS) {
    if (reason !== undefined && refusal.reason !== reason) continue;
    const answer = await refusal.provoke(context);
    if (answer.tokens.accessToken === undefined) provoked.push({ refusal, answer });
  }
  const [first, ...rest] = provoked;
  if (first === undefined) {
    const owner = OWNER[reason ?? 'invalid_grant'];
    throw new Blocked('see a refusal', owner, 'every request that should be refused was honoured');
  }
  return [first, ...rest];
}

/** Who is broken when nothing at all is refused for a reason. */
const OWNER: Readonly<Record<RefusalReason, RequirementId>> = {
  invalid_grant: 'exchange.code-unknown-refused',
  invalid_client: 'exchange.client-secret-checked',
  invalid_request: 'exchange.requires-code',
  unsupported_grant_type: 'exchange.grant-type-checked',
  unauthorized_client: 'exchange.client-id-checked',
  invalid_scope: 'exchange.form-encoded',
};

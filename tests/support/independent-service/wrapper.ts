import type { Middleware } from 'oidc-provider';

/** The scopes of the document (clause 5.3). */
export const SCOPES = ['read', 'write', 'destroy'] as const;

export function unknownScopes(scope: string): readonly string[] {
  const known: readonly string[] = SCOPES;
  return scope.split(' ').filter((name) => name !== '' && !known.includes(name));
}

function hasTokenType(body: unknown): body is { token_type: string } {
  return (
    typeof body === 'object' && body !== null && 'token_type' in body && typeof body.token_type === 'string'
  );
}

/** Spells the token type as clause 2.1 does; `oidc-provider` has `Bearer` in its code. */
export function lowerCaseTokenType(tokenPath: string): Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.path === tokenPath && hasTokenType(ctx.body)) {
      ctx.body = { ...ctx.body, token_type: ctx.body.token_type.toLowerCase() };
    }
  };
}

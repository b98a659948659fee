import type { Context, errors as Errors, Middleware } from 'oidc-provider';
import type { DemandId } from './defects.ts';
import { unknownScopes } from './wrapper.ts';

type Demands = ReadonlySet<DemandId>;

/** Called by `oidc-provider` with one parameter of an authorization request; throws to refuse the request. */
type ParameterCheck = (ctx: Context, value: string | undefined) => void;

/** What is looked at in authorization requests beside what `oidc-provider` looks at, as its `extraParams`. */
export function authorizationDemands(
  demands: Demands,
  strictScopes: boolean,
  errors: typeof Errors,
): Record<string, ParameterCheck> {
  const scope: ParameterCheck = (ctx) => {
    // By the time that it asks, `oidc-provider` has taken the unknown ones out; the query still has them.
    const value = new URLSearchParams(ctx.querystring).get('scope') ?? '';
    const unknown = strictScopes ? unknownScopes(value) : [];
    if (unknown.length > 0) throw new errors.InvalidScope('unknown scope', unknown.join(' '));
    if (demands.has('first-scope-only') && value.includes(' ')) {
      throw new errors.InvalidScope('one scope at a time');
    }
    if (demands.has('percent20') && /(?:^|&)scope=[^&]*\+/.test(ctx.querystring)) {
      throw new errors.InvalidScope('a plus sign is no separator');
    }
  };
  const state: ParameterCheck = (_ctx, value) => {
    if (value === undefined) throw new errors.InvalidRequest('missing required parameter state');
  };
  return demands.has('state') ? { scope, state } : { scope };
}

function refuse(ctx: Context, status: number, error: string, description: string): void {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-store');
  ctx.body = { error, error_description: description };
}

const basicOnly: Middleware = async (ctx, next) => {
  if (/^basic /i.test(ctx.get('authorization'))) return next();
  ctx.set('WWW-Authenticate', 'Basic realm="token endpoint"');
  return refuse(ctx, 401, 'invalid_client', 'clients authenticate by HTTP Basic');
};

/** Takes the JSON apart and passes it on as the form that `oidc-provider` wants: its own reader steps aside for `body`. */
const jsonOnly: Middleware = async (ctx, next) => {
  const chunks: Buffer[] = [];
  for await (const chunk of ctx.req) chunks.push(chunk);
  try {
    if (!/^application\/json\b/i.test(ctx.get('content-type'))) throw new Error('not JSON');
    ctx.req.body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return refuse(ctx, 400, 'invalid_request', 'the body must be JSON');
  }
  ctx.req.headers['content-type'] = 'application/x-www-form-urlencoded';
  return next();
};

/** Takes the form apart, and passes it on: `oidc-provider`'s own reader steps aside for `body`. */
const scopeAtRefresh: Middleware = async (ctx, next) => {
  const chunks: Buffer[] = [];
  for await (const chunk of ctx.req) chunks.push(chunk);
  const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
  if (form.get('grant_type') === 'refresh_token' && !form.has('scope')) {
    return refuse(ctx, 400, 'invalid_request', 'scope is missing');
  }
  ctx.req.body = Object.fromEntries(form);
  return next();
};

/** Demands on token requests, in front of `oidc-provider`. */
export function tokenDemands(demands: Demands, tokenPath: string): readonly Middleware[] {
  const onToken =
    (middleware: Middleware): Middleware =>
    (ctx, next) =>
      ctx.method === 'POST' && ctx.path === tokenPath ? middleware(ctx, next) : next();
  return [
    ...(demands.has('basic') ? [onToken(basicOnly)] : []),
    ...(demands.has('json') ? [onToken(jsonOnly)] : []),
    ...(demands.has('scope-at-refresh') ? [onToken(scopeAtRefresh)] : []),
  ];
}

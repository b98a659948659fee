import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { errors as Errors, Middleware } from 'oidc-provider';
import { type Client, type Context, errors, type Grant, Provider } from 'oidc-provider';
import type { DemandId } from './defects.ts';
import type { Grace } from './grace.ts';
import { failurePage } from './pages.ts';
import type { SeedApplication, Seeds } from './seeds.ts';
import type { Settings } from './settings.ts';
import type { Stores } from './store.ts';
import { lowerCaseTokenType, SCOPES, unknownScopes } from './wrapper.ts';

type Demands = ReadonlySet<DemandId>;

/** Called by `oidc-provider` with one parameter of an authorization request; throws to refuse the request. */
type ParameterCheck = (ctx: Context, value: string | undefined) => void;

/** Checks of authorization requests beside those of `oidc-provider`, as its `extraParams`. */
function authorizationDemands(
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
function tokenDemands(demands: Demands, tokenPath: string): readonly Middleware[] {
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

/** Path of the authorization endpoint (clause 4.1). */
const AUTHORIZE_PATH = '/oauth/authorize';
/** Path of the token endpoint (clauses 4.2 and 4.3). */
const TOKEN_PATH = '/oauth/token';
/** Seconds. */
const FORTNIGHT = 14 * 24 * 3600;
/** Returns the address of the pages of one authorization request, on the origin that serves them. */
export const PAGES_PATH = '/signin';

function registered(application: SeedApplication): Record<string, unknown> {
  return {
    client_id: application.clientId,
    client_secret: application.clientSecret,
    client_name: application.name,
    redirect_uris: application.redirectUris,
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_post',
  };
}

/** Grants are given anew by each consent, so that the page is shown at every authorization request. */
async function grantOfThisRequest(ctx: Context): Promise<Grant | undefined> {
  const grantId = ctx.oidc.result?.consent?.grantId;
  return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId);
}

/** Grants whatever is asked for, so that the page is never shown. */
async function grantWithoutAsking(ctx: Context): Promise<Grant | undefined> {
  const { client, provider, session, requestParamOIDCScopes } = ctx.oidc;
  if (session.accountId === undefined) return undefined;
  const knownId = session.grantIdFor(client.clientId);
  const known = knownId === undefined ? undefined : await provider.Grant.find(knownId);
  const grant = known ?? new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  if (requestParamOIDCScopes.size > 0) grant.addOIDCScope([...requestParamOIDCScopes].join(' '));
  await grant.save();
  return grant;
}

function consentOptions(consent: Settings['consent']): Record<string, unknown> {
  if (consent === 'always') return { loadExistingGrant: grantOfThisRequest };
  if (consent === 'never') return { loadExistingGrant: grantWithoutAsking };
  return {};
}

/** `oidc-provider` as a plain OAuth 2.0 server, configured for the document as far as it can be. */
export function makeProvider(
  issuer: string,
  pagesUrl: string,
  settings: Settings,
  seeds: Seeds,
  stores: Stores,
  grace: Grace,
): Provider {
  const { defect, mode } = settings;
  const wrapped = mode === 'wrapped';
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  const provider = new Provider(issuer, {
    adapter: stores.adapter,
    clients: [registered(seeds.application), registered(seeds.secondApplication)],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    routes: { authorization: AUTHORIZE_PATH, token: TOKEN_PATH },
    responseTypes: ['code'],
    scopes: [...SCOPES],
    pkce: { required: () => false },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    interactions: { url: (_ctx: Context, { uid }: { uid: string }) => `${pagesUrl}${PAGES_PATH}/${uid}` },
    findAccount: async (_ctx: Context, accountId: string) =>
      accountId === seeds.owner.accountId
        ? { accountId, claims: async () => ({ sub: accountId }) }
        : undefined,
    // By default refresh tokens are for `offline_access` only, a scope of OpenID Connect.
    issueRefreshToken: async (_ctx: Context, client: Client) =>
      defect !== 'no-refresh-tokens' && client.grantTypeAllowed('refresh_token'),
    // By default tokens without `offline_access` die with the browser's session.
    expiresWithSession: async () => false,
    rotateRefreshToken: defect !== 'no-rotation',
    // Codes keep the 60 seconds that they have by default; the others are its defaults too, said to silence its notices.
    ttl: {
      AccessToken: defect === 'expires-in-3600' ? 3600 : 7200,
      RefreshToken: FORTNIGHT,
      Grant: FORTNIGHT,
      Session: FORTNIGHT,
      Interaction: 3600,
    },
    // An application with one address may leave redirect_uri out; clauses 4.1 and 4.2 require it always.
    ...(wrapped ? { allowOmittingSingleRegisteredRedirectUri: false } : {}),
    extraParams: authorizationDemands(settings.demands, wrapped, errors),
    // The page of `oidc-provider` loads a font from elsewhere.
    renderError: async (ctx: Context, out: Record<string, string>) => {
      ctx.type = 'html';
      ctx.body = await failurePage(out.error ?? 'error', out.error_description ?? '');
    },
    ...consentOptions(settings.consent),
  });

  if (defect === 'client-secret-unchecked') provider.Client.prototype.compareClientSecret = () => true;
  provider.use(grace.middleware(TOKEN_PATH));
  if (wrapped) provider.use(lowerCaseTokenType(TOKEN_PATH));
  for (const middleware of tokenDemands(settings.demands, TOKEN_PATH)) provider.use(middleware);
  return provider;
}

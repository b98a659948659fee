export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const tokensOf = (n: number) => ({
  accessToken: `access-token-${n}-9f3b`,
  refreshToken: `refresh-token-${n}-c41d`,
});

/** Secrets of the scenarios: none of them may turn up where it can be read. */
export const CLIENT_SECRET = 'client-secret-7d2e';
export const CODE = 'authorization-code-51aa';

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

/** An HTML page, as proxies and crashed services answer. */
export function html(status: number): Reply {
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8' },
    body: '<!doctype html><title>Sorry</title><p>Something went wrong.',
  };
}

/** An answer without a body. */
export function empty(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers, body: '' };
}

/** The n-th token response of clause 2.1; `changes` replaces fields, undefined removes one. */
export function tokens(n: number, changes: Readonly<Record<string, unknown>> = {}): Reply {
  const { accessToken, refreshToken } = tokensOf(n);
  const fields = {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: 7200,
    refresh_token: refreshToken,
  };
  return json(200, { ...fields, ...changes }, { 'Cache-Control': 'no-store' });
}

/** A refusal of RFC 6749 section 5.2 with the header that Doorkeeper adds, also to a 400. */
export function tokenError(status: number, error: string, description = 'It was refused.'): Reply {
  return json(
    status,
    { error, error_description: description },
    { 'WWW-Authenticate': `Bearer realm="Doorkeeper", error="${error}", error_description="${description}"` },
  );
}

/** Data of the example commands. They never contain secrets, only shell variables. */
export interface CurlExample {
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly clientId: string | undefined;
  readonly redirectUri: string | undefined;
  readonly projectId: string | undefined;
  /** Query parameter for the access token; undefined: the `Authorization` header (clause 5.6). */
  readonly tokenParameter: string | undefined;
}

export function exchangeCommand({ authUrl, clientId, redirectUri }: CurlExample): string {
  return tokenRequest(authUrl, clientId, [
    '-d grant_type=authorization_code',
    '--data-urlencode "code=$CODE"',
    parameter('redirect_uri', redirectUri, 'REDIRECT_URI'),
  ]);
}

export function refreshCommand({ authUrl, clientId }: CurlExample): string {
  return tokenRequest(authUrl, clientId, [
    '-d grant_type=refresh_token',
    '--data-urlencode "refresh_token=$REFRESH_TOKEN"',
  ]);
}

export function listCommand({ baseUrl, projectId, tokenParameter }: CurlExample): string {
  const before = `${baseUrl}/v2/projects/`;
  const after = '/assigned_users';
  const url =
    projectId === undefined
      ? `${quote(before)}"$PROJECT_ID"${quote(after)}`
      : quote(`${before}${encodeURIComponent(projectId)}${after}`);
  return tokenParameter === undefined
    ? command([`curl -s ${url}`, '-H "Authorization: Bearer $ACCESS_TOKEN"'])
    : command([`curl -s -G ${url}`, `--data-urlencode "${tokenParameter}=$ACCESS_TOKEN"`]);
}

function tokenRequest(authUrl: string, clientId: string | undefined, lines: readonly string[]): string {
  return command([
    `curl -s ${quote(`${authUrl}/oauth/token`)}`,
    parameter('client_id', clientId, 'CLIENT_ID'),
    '--data-urlencode "client_secret=$CLIENT_SECRET"',
    ...lines,
  ]);
}

function parameter(name: string, value: string | undefined, variable: string): string {
  return `--data-urlencode ${value === undefined ? `"${name}=$${variable}"` : quote(`${name}=${value}`)}`;
}

function command(lines: readonly string[]): string {
  return lines.join(' \\\n  ');
}

/** Quotes any text as one word for a POSIX shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

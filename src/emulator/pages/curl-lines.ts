/** What the example commands are made of. Secrets are never in them: the shell's variables stand for those. */
export interface CurlExample {
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly clientId: string | undefined;
  readonly redirectUri: string | undefined;
  readonly projectId: string | undefined;
  /** Name of the query parameter that presents the access token; without it the `Authorization` header does (clause 5.6). */
  readonly tokenParameter: string | undefined;
}

/** The exchange of a code (clause 4.2) as a shell command. */
export function exchangeCommand({ authUrl, clientId, redirectUri }: CurlExample): string {
  return tokenRequest(authUrl, clientId, [
    '-d grant_type=authorization_code',
    '--data-urlencode "code=$CODE"',
    parameter('redirect_uri', redirectUri, 'REDIRECT_URI'),
  ]);
}

/** A refresh (clause 4.3) as a shell command. */
export function refreshCommand({ authUrl, clientId }: CurlExample): string {
  return tokenRequest(authUrl, clientId, [
    '-d grant_type=refresh_token',
    '--data-urlencode "refresh_token=$REFRESH_TOKEN"',
  ]);
}

/** The list of a project's assigned users (clause 4.4) as a shell command. */
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

/** One word for a POSIX shell, whatever is in it. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Your own client stands in the place of these two functions. */

/** The values of a token request (clause 4.2). */
export interface CodeToExchange {
  readonly client_id: string;
  readonly client_secret: string;
  readonly code: string;
  readonly redirect_uri: string;
}

/** Exchanges a code; throws where the service refuses. */
export async function exchange(authUrl: string, values: CodeToExchange): Promise<string> {
  const body = new URLSearchParams({ ...values, grant_type: 'authorization_code' });
  const response = await fetch(`${authUrl}/oauth/token`, { method: 'POST', body });
  if (!response.ok) throw new Error(`no tokens: ${response.status}`);
  const { access_token } = (await response.json()) as { readonly access_token: string };
  return access_token;
}

/** Asks for the users of a project, and only whether that is allowed. */
export async function mayList(baseUrl: string, project: string, accessToken: string): Promise<boolean> {
  const headers = { Authorization: `Bearer ${accessToken}` };
  const response = await fetch(`${baseUrl}/v2/projects/${project}/assigned_users`, { headers });
  await response.body?.cancel();
  return response.ok;
}

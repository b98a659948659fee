import { type RunningCommand, startCommand } from '../command.ts';

/** `emulate --control`, and a client that a test makes act by plain HTTP. */
export interface WireClient {
  readonly controlUrl: string;
  readonly controlToken: string;
  readonly command: RunningCommand;
  readonly applications: readonly Application[];
  readonly ownerPassword: string;
  /** The variables that `emulate --print-env` would print. */
  readonly variables: Readonly<Record<string, string>>;
  control(method: string, path: string, body?: unknown, token?: string): Promise<Response>;
  signIn(application?: Application, credentials?: 'form' | 'basic'): Promise<Pair>;
  refresh(pair: Pair, application?: Application): Promise<Pair>;
  list(pair: Pair): Promise<number>;
}

interface Application {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
}

interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

interface Started {
  readonly authUrl: string;
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly controlToken: string;
  readonly applications: readonly [Application, Application];
  readonly owners: readonly { readonly password: string }[];
  readonly projects: readonly { readonly id: string }[];
  readonly users: readonly { readonly id: string }[];
}

export async function startWire(...more: readonly string[]): Promise<WireClient> {
  const ports = ['--port', '0', '--api-port', '0', '--control', '0'];
  const command = startCommand(['emulate', ...ports, '--auto-consent', '--json', ...more]);
  const { authUrl, baseUrl, controlUrl, controlToken, applications, owners, projects, users } = JSON.parse(
    await command.printed('\n'),
  ) as Started;
  const token = async (
    { clientId, clientSecret }: Application,
    fields: Record<string, string>,
    credentials: 'form' | 'basic' = 'form',
  ) => {
    const inForm = credentials === 'form';
    const own: Record<string, string> = inForm ? { client_id: clientId, client_secret: clientSecret } : {};
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const response = await fetch(`${authUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...own, ...fields }),
      ...(inForm ? {} : { headers: { authorization: `Basic ${basic}` } }),
    });
    return (await response.json()) as Pair;
  };
  return {
    controlUrl,
    controlToken,
    command,
    applications,
    ownerPassword: owners[0]?.password ?? '',
    variables: {
      LEGACY_AUTH_URL: authUrl,
      LEGACY_BASE_URL: baseUrl,
      LEGACY_CLIENT_ID: applications[0].clientId,
      LEGACY_CLIENT_SECRET: applications[0].clientSecret,
      LEGACY_REDIRECT_URI: applications[0].redirectUris[0] ?? '',
      LEGACY_PROJECT_ID: projects[0]?.id ?? '',
      LEGACY_USER_ID: users.at(-1)?.id ?? '',
      LEGACY_CONTROL_URL: controlUrl,
      LEGACY_CONTROL_TOKEN: controlToken,
    },
    control: (method, path, body, presented = controlToken) =>
      fetch(`${controlUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${presented}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async signIn(application = applications[0], credentials = 'form') {
      const redirect_uri = application.redirectUris[0] ?? '';
      const query = new URLSearchParams({
        client_id: application.clientId,
        redirect_uri,
        response_type: 'code',
        scope: 'read write destroy',
        state: crypto.randomUUID(),
      });
      const answer = await fetch(`${authUrl}/oauth/authorize?${query}`, { redirect: 'manual' });
      const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
      return token(application, { grant_type: 'authorization_code', code, redirect_uri }, credentials);
    },
    refresh: ({ refresh_token }, application = applications[0]) =>
      token(application, { grant_type: 'refresh_token', refresh_token }),
    async list({ access_token }) {
      const address = `${baseUrl}/v2/projects/${projects[0]?.id}/assigned_users`;
      return (await fetch(address, { headers: { Authorization: `Bearer ${access_token}` } })).status;
    },
  };
}

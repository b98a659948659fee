import type { RecordEntry } from '../exchange/recorder.ts';
import type { Target } from '../targets/target.ts';

/** Replaces the target's addresses, ids and names of people by stable placeholders, because the text may be committed. */
export function anonymous(text: string, target: Target): string {
  const { authUrl, baseUrl, projects, users, owner, application, secondApplication } = target;
  const clients = [application, ...(secondApplication === undefined ? [] : [secondApplication])];
  const known: readonly (readonly [value: string, placeholder: string])[] = [
    [authUrl, '{auth_url}'],
    [new URL(authUrl).host, '{auth_host}'],
    [baseUrl, '{base_url}'],
    [new URL(baseUrl).host, '{base_host}'],
    ...clients.flatMap(({ clientId, redirectUris }) => [
      ...redirectUris.map((uri) => [uri, '{redirect_uri}'] as const),
      [clientId, '{client_id}'] as const,
    ]),
    [owner.login, '{login}'],
    ...projects.map((id) => [id, ':id'] as const),
    ...users.map((id) => [id, ':user_id'] as const),
  ];
  const replaced = known.reduce(
    (shown, [value, placeholder]) =>
      // A short id occurs in many words and numbers.
      value.length < 3 ? shown : shown.split(value).join(placeholder),
    text,
  );
  return replaced.replace(/[^\s"'<>@]+@[^\s"'<>@]+\.[^\s"'<>@]+/g, '{email}');
}

/**
 * Renders the last exchange as `PUT {base_url}/v2/projects/:id/assigned_users/:user_id (assign): 200`, without
 * addresses, ids and parameter values, because the file may be committed.
 */
export function placeOf(entries: readonly RecordEntry[], target: Target): string {
  const last = entries.findLast((entry) => entry.kind === 'exchange');
  if (last?.kind !== 'exchange') return 'read off the configuration';
  const { request, response, purpose } = last.exchange;
  const status = response === undefined ? 'no answer' : String(response.status);
  return `${request.method} ${withoutValues(request.url, target)} (${purpose}): ${status}`;
}

const KNOWN_PATHS =
  /^(\{redirect_uri\}|\{auth_url\}\/(oauth\/[a-z/]+|\.well-known\/[a-z-]+|access-keys\/applications)|\{base_url\}(\/v2)?\/(projects\/(:id|<other>)\/assigned_users(\/(:user_id|<other>))?|no-such-path))$/;

function withoutValues(url: string, { authUrl, baseUrl, projects, users, application }: Target): string {
  const [address = '', query] = url.split('?');
  const names = query === undefined ? '' : `?${[...new URLSearchParams(query).keys()].join('&')}`;
  let path = address;
  for (const id of users)
    path = path.replace(`/assigned_users/${encodeURIComponent(id)}`, '/assigned_users/:user_id');
  for (const id of projects) path = path.replace(`/projects/${encodeURIComponent(id)}/`, '/projects/:id/');
  for (const uri of application.redirectUris) if (path === uri.split('?')[0]) path = '{redirect_uri}';
  path = path
    .replace(/\/projects\/[^/:][^/]*/, '/projects/<other>')
    .replace(/\/assigned_users\/[^/:][^/]*/, '/assigned_users/<other>');
  if (path.startsWith(`${baseUrl}/v2`) || path.startsWith(`${baseUrl}/projects`))
    path = path.replace(baseUrl, '{base_url}');
  if (path.startsWith(authUrl)) path = path.replace(authUrl, '{auth_url}');
  // Other addresses contain values, such as an interaction's id.
  return KNOWN_PATHS.test(path) ? `${path}${names}` : 'a page';
}

import type { RecordEntry } from '../../http/recorder.ts';
import type { Target } from '../../target/target.ts';

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

/** Names the last exchange: `assign: 200`. Without addresses and values, because the file may be committed. */
export function lastExchange(entries: readonly RecordEntry[]): string {
  const last = entries.findLast((entry) => entry.kind === 'exchange');
  if (last?.kind !== 'exchange') return 'read off the configuration';
  const { purpose, response } = last.exchange;
  return `${purpose}: ${response?.status ?? 'no answer'}`;
}

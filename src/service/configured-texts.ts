import { applicationsOf, type Target } from './target.ts';

/** Returns a target's addresses, ids and names of people, each with a placeholder. None is a secret of the service. */
export function configuredTexts(target: Target): readonly (readonly [value: string, placeholder: string])[] {
  const { authUrl, baseUrl, projects, users, owner } = target;
  return [
    [authUrl, '{auth_url}'],
    [new URL(authUrl).host, '{auth_host}'],
    [baseUrl, '{base_url}'],
    [new URL(baseUrl).host, '{base_host}'],
    ...applicationsOf(target).flatMap(({ clientId, redirectUris }) => [
      ...redirectUris.map((uri) => [uri, '{redirect_uri}'] as const),
      [clientId, '{client_id}'] as const,
    ]),
    [owner.login, '{login}'],
    ...projects.map((id) => [id, ':id'] as const),
    ...users.map((id) => [id, ':user_id'] as const),
  ];
}

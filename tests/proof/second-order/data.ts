import type { Defect } from '../../../src/emulator/defect.ts';
import { defect } from '../../../src/emulator/defects/define-defect.ts';
import type { ClientPolicy } from '../../../src/emulator/policy.ts';
import { refuse } from '../../../src/emulator/refusal.ts';
import { formatScopes, type Scopes } from '../../../src/emulator/scopes.ts';
import { sumOf, usersOf } from './tools/assigned.ts';
import { noted } from './tools/noted.ts';
import { keepingRefreshToken } from './tools/tokens.ts';

/** Percent-encoded characters that need no encoding (RFC 3986 section 2.3). */
const NEEDLESSLY_ENCODED = /%(2D|2E|5F|7E|3[0-9]|[46][1-9A-F]|[57][0-9A])/gi;

/** The four parameters of an authorization request. */
const DOCUMENTED = ['client_id', 'redirect_uri', 'response_type', 'scope'];

/** A token request with its grant type read in another way. */
function grantType(
  id: string,
  read: (
    has: (name: string) => boolean,
    sent: string | undefined,
  ) => ReturnType<ClientPolicy['grantType']> | undefined,
): Defect {
  return defect(id, ({ client }) => ({
    client: {
      grantType: (parameters) =>
        read((name) => Boolean(parameters.get(name)), parameters.get('grant_type')) ??
        client.grantType(parameters),
    },
  }));
}

/** Faults that show only with some ids, scopes, applications, addresses or spellings. */
export const defects: readonly Defect[] = [
  defect('assign-lost-for-some-users', ({ assignments }) => ({
    assignments: {
      assign: (all, project, user, now) =>
        sumOf(user.id) % 5 === 0 ? 'assigned' : assignments.assign(all, project, user, now),
    },
  })),

  defect('unassign-lost-on-other-shard', ({ assignments }) => ({
    assignments: {
      unassign: (all, project, user, now) =>
        sumOf(project.id) % 2 === 1 && sumOf(user.id) % 2 === 0
          ? 'unassigned'
          : assignments.unassign(all, project, user, now),
    },
  })),

  defect('authorize-further-addresses-refused', ({ authorize }) => ({
    authorize: {
      redirectUri(request, application) {
        const known = authorize.redirectUri(request, application);
        return typeof known === 'string' && application.redirectUris.indexOf(known) > 0
          ? refuse('redirect-uri-unauthorized', `${known} is not the first address`, 'redirect_uri')
          : known;
      },
    },
  })),

  grantType('exchange-by-grant-type-of-refresh', (has, sent) =>
    sent === 'refresh_token' && has('code') && !has('refresh_token') ? 'authorization_code' : undefined,
  ),

  grantType('refresh-by-grant-type-of-exchange', (has, sent) =>
    sent === 'authorization_code' && has('refresh_token') && !has('code') ? 'refresh_token' : undefined,
  ),

  defect('token-form-with-charset-refused', ({ client }) => ({
    client: {
      parameters: (request) =>
        request.method === 'POST' && request.contentType.includes(';')
          ? refuse('media-type-unsupported', `${request.contentType} is no type that this service knows`)
          : client.parameters(request),
    },
  })),

  defect('token-form-encoded-letters-kept', ({ client }) => ({
    client: {
      parameters: (request) =>
        client.parameters({ ...request, body: request.body.replace(NEEDLESSLY_ENCODED, '%25$1') }),
    },
  })),

  noted('assign-encoded-id-stored-as-written', ({ assignments }, request) => ({
    assignments: {
      assign(all, project, user, now) {
        const [, , , projectId = '', , userId = ''] = request.resource?.path.split('/') ?? [];
        if (projectId === project.id && userId === user.id) {
          return assignments.assign(all, project, user, now);
        }
        all.add(projectId, userId);
        return 'assigned';
      },
    },
  })),

  noted('assign-by-writer-lost-when-assigned-elsewhere', ({ assignments }, request) => ({
    assignments: {
      assign(all, project, user, now) {
        const elsewhere = [...all.projects()].some((id) => id !== project.id && all.has(id, user.id));
        return formatScopes(request.caller.scopes) === 'write' && elsewhere
          ? 'assigned'
          : assignments.assign(all, project, user, now);
      },
    },
  })),

  keepingRefreshToken(
    'refresh-of-single-scope-keeps-refresh-token',
    () =>
      ({ scopes }) =>
        scopes.length === 1,
  ),

  keepingRefreshToken('refresh-of-further-applications-keeps-refresh-token', (request) => ({ grant }) => {
    const [first] = request.store?.applications.values() ?? [];
    return grant.clientId !== first?.clientId;
  }),

  defect('list-without-greatest-id', ({ assignments }) => ({
    assignments: {
      list(all, project, now) {
        const users = usersOf(all, project);
        if (users.length < 2) return assignments.list(all, project, now);
        const greatest = users.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
        return users.filter((id) => id !== greatest);
      },
    },
  })),

  defect('authorize-further-parameter-takes-code-away', ({ authorize, answer }) => {
    let further = false;
    return {
      authorize: {
        request(sent) {
          further = sent.entries().some(([name]) => !DOCUMENTED.includes(name));
          return authorize.request(sent);
        },
      },
      answer: {
        authorization: (outcome) =>
          answer.authorization({
            ...outcome,
            parameters: outcome.parameters.filter(([name]) => !further || name !== 'code'),
          }),
      },
    };
  }),

  noted('refresh-secret-unchecked-for-readers', ({ client, token }, request) => {
    const scopesOf = new Map<string, Scopes>();
    return {
      token: {
        value(kind, randomness, previous) {
          const value = token.value(kind, randomness, previous);
          const scopes = previous?.scopes ?? request.code?.grant.scopes ?? [];
          if (kind === 'refresh') scopesOf.set(value, scopes);
          return value;
        },
      },
      client: {
        authenticate(credentials, applications, type) {
          const found = client.authenticate(credentials, applications, type);
          const wrong = 'refused' in found && found.refused === 'client-secret-wrong';
          const scopes = scopesOf.get(request.form.get('refresh_token') ?? '') ?? [];
          if (!wrong || type !== 'refresh_token' || formatScopes(scopes) !== 'read') return found;
          return applications.get(credentials.clientId ?? '') ?? found;
        },
      },
    };
  }),

  noted('unassign-with-body-not-stored', ({ assignments }, request) => ({
    assignments: {
      unassign: (all, project, user, now) =>
        request.resource?.body ? 'unassigned' : assignments.unassign(all, project, user, now),
    },
  })),
];

import { type Changes, changing } from '../../../src/emulator/defects/define-defect.ts';
import type { ClientPolicy } from '../../../src/emulator/policy/policy.ts';
import { refuse } from '../../../src/emulator/refusal.ts';
import { formatScopes, type Scopes } from '../../../src/emulator/store/scopes.ts';
import type { SecondOrderDefects } from './define-second-order.ts';
import { noted, notedChanging, sumOf, usersOf } from './tools/noted.ts';
import { keepingRefreshToken } from './tools/tokens.ts';

/** Percent-encoded characters that need no encoding (RFC 3986 section 2.3). */
const NEEDLESSLY_ENCODED = /%(2D|2E|5F|7E|3[0-9]|[46][1-9A-F]|[57][0-9A])/gi;

/** The four parameters of an authorization request. */
const DOCUMENTED = ['client_id', 'redirect_uri', 'response_type', 'scope'];

/** A token request with its grant type read in another way. */
function grantType(
  read: (
    has: (name: string) => boolean,
    sent: string | undefined,
  ) => ReturnType<ClientPolicy['grantType']> | undefined,
): Changes {
  return changing(
    'client.grantType',
    (base) => (parameters) =>
      read((name) => Boolean(parameters.get(name)), parameters.get('grant_type')) ?? base(parameters),
  );
}

/** Faults that show only with some ids, scopes, applications, addresses or spellings. */
export const defects: SecondOrderDefects = {
  'assign-lost-for-some-users': {
    summary: 'Assign of a user whose id has a character sum divisible by 5 is acknowledged and not stored.',
    breaks: ['assign.adds-user'],
    changes: changing(
      'assignments.assign',
      (base) => (all, project, user, now) =>
        sumOf(user.id) % 5 === 0 ? 'assigned' : base(all, project, user, now),
    ),
  },

  'unassign-lost-on-other-shard': {
    summary:
      'In projects whose id has an odd character sum, unassign of users with an even one is acknowledged and not done.',
    breaks: ['unassign.removes-user'],
    changes: changing(
      'assignments.unassign',
      (base) => (all, project, user, now) =>
        sumOf(project.id) % 2 === 1 && sumOf(user.id) % 2 === 0
          ? 'unassigned'
          : base(all, project, user, now),
    ),
  },

  'authorize-further-addresses-refused': {
    summary: 'Of an application with several authorized addresses, only the first is accepted.',
    breaks: ['authorize.redirects-with-code'],
    changes: changing('authorize.redirectUri', (base) => (request, application) => {
      const known = base(request, application);
      return typeof known === 'string' && application.redirectUris.indexOf(known) > 0
        ? refuse('redirect-uri-unauthorized', `${known} is not the first address`, 'redirect_uri')
        : known;
    }),
  },

  'exchange-by-grant-type-of-refresh': {
    summary: 'A code that is sent with grant_type `refresh_token` and without a refresh token is exchanged.',
    breaks: ['exchange.grant-type-checked'],
    changes: grantType((has, sent) =>
      sent === 'refresh_token' && has('code') && !has('refresh_token') ? 'authorization_code' : undefined,
    ),
  },

  'refresh-by-grant-type-of-exchange': {
    summary:
      'A refresh token that is sent with grant_type `authorization_code` and without a code is refreshed.',
    breaks: ['exchange.requires-code'],
    changes: grantType((has, sent) =>
      sent === 'authorization_code' && has('refresh_token') && !has('code') ? 'refresh_token' : undefined,
    ),
  },

  'token-form-with-charset-refused': {
    summary: 'A form whose content type has a parameter, such as charset, is refused.',
    breaks: ['exchange.form-encoded', 'refresh.token-response'],
    changes: changing(
      'client.parameters',
      (base) => (request) =>
        request.method === 'POST' && request.contentType.includes(';')
          ? refuse('media-type-unsupported', `${request.contentType} is no type that this service knows`)
          : base(request),
    ),
  },

  'token-form-encoded-letters-kept': {
    summary: 'Letters and digits of a form that are percent-encoded without need are not decoded.',
    breaks: ['exchange.form-encoded', 'refresh.token-response'],
    changes: changing(
      'client.parameters',
      (base) => (request) => base({ ...request, body: request.body.replace(NEEDLESSLY_ENCODED, '%25$1') }),
    ),
  },

  'assign-encoded-id-stored-as-written': {
    summary:
      'Assign with a percent-encoded id in its path is acknowledged and stored under the text as it was sent.',
    breaks: ['assign.adds-user'],
    changes: notedChanging('assignments.assign', (base, request) => (all, project, user, now) => {
      const [, , , projectId = '', , userId = ''] = request.resource?.path.split('/') ?? [];
      if (projectId === project.id && userId === user.id) {
        return base(all, project, user, now);
      }
      all.add(projectId, userId);
      return 'assigned';
    }),
  },

  'assign-by-writer-lost-when-assigned-elsewhere': {
    summary:
      'Assign with a token that was granted `write` alone is acknowledged and not stored when the user is assigned to another project.',
    breaks: ['assign.adds-user'],
    changes: notedChanging('assignments.assign', (base, request) => (all, project, user, now) => {
      const elsewhere = [...all.projects()].some((id) => id !== project.id && all.has(id, user.id));
      return formatScopes(request.caller.scopes) === 'write' && elsewhere
        ? 'assigned'
        : base(all, project, user, now);
    }),
  },

  'refresh-of-single-scope-keeps-refresh-token': {
    summary: 'A refresh of tokens with a single scope answers with the refresh token that was sent.',
    breaks: ['refresh.new-refresh-token'],
    changes: keepingRefreshToken(
      () =>
        ({ scopes }) =>
          scopes.length === 1,
    ),
  },

  'refresh-of-further-applications-keeps-refresh-token': {
    summary:
      'A refresh by any application but the one registered first answers with the refresh token that was sent.',
    breaks: ['refresh.new-refresh-token'],
    changes: keepingRefreshToken((request) => ({ grant }) => {
      const [first] = request.store?.applications.values() ?? [];
      return grant.clientId !== first?.clientId;
    }),
  },

  'list-without-greatest-id': {
    summary: 'The list of two or more users leaves out the one with the greatest id.',
    breaks: ['list.returns-assigned'],
    changes: changing('assignments.list', (base) => (all, project, now) => {
      const users = usersOf(all, project);
      if (users.length < 2) return base(all, project, now);
      const greatest = users.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
      return users.filter((id) => id !== greatest);
    }),
  },

  'authorize-further-parameter-takes-code-away': {
    summary: 'A request with any parameter beside the four documented ones is redirected without a code.',
    breaks: ['authorize.unknown-parameter-ignored', 'authorize.state-echoed'],
    changes: ({ authorize, answer }) => {
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
    },
  },

  'refresh-secret-unchecked-for-readers': {
    summary: 'A wrong secret is accepted for the refresh of a token that was granted `read` alone.',
    breaks: ['refresh.client-secret-checked'],
    changes: noted(({ client, token }, request) => {
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
  },

  'unassign-with-body-not-stored': {
    summary: 'Unassign that comes with a body is acknowledged and not done.',
    breaks: ['unassign.removes-user'],
    changes: notedChanging(
      'assignments.unassign',
      (base, request) => (all, project, user, now) =>
        request.resource?.body ? 'unassigned' : base(all, project, user, now),
    ),
  },
};

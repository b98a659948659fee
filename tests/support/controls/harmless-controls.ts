import { bodyAnswer, emptyAnswer, type ServiceAnswer, withHeader } from '../../../src/emulator/answer.ts';
import { defect, type PolicyChanges } from '../../../src/emulator/defects/define-defect.ts';
import type { Policy } from '../../../src/emulator/policy/policy.ts';
import type { Answers, WholeProfile } from '../../../src/emulator/policy/profile.ts';
import type { Randomness } from '../../../src/emulator/store/randomness.ts';
import type { Control } from './control.ts';
import { bareSeed } from './seeds.ts';

/** Variations of what the document leaves open. Those of `form-controls.ts` were written beside the checks. */
export function harmlessControls(profile: WholeProfile): readonly Control[] {
  const behaving = (
    name: string,
    changes: (policy: Policy) => PolicyChanges,
    more: Partial<Control> = {},
  ): Control => ({
    name,
    profile,
    warns: [],
    behaviour: defect('control', changes).create,
    ...more,
  });
  const answering = (name: string, change: Partial<Answers>): Control => ({
    name,
    profile: { ...profile, answers: { ...profile.answers, ...change } },
    warns: [],
  });
  return [
    behaving('a repeated assign is refused with 409', ({ answer }) => ({
      answer: {
        assigned: (outcome, project, user) =>
          outcome === 'assigned'
            ? answer.assigned(outcome, project, user)
            : bodyAnswer(409, 'application/json', '{"error":"already assigned"}'),
      },
    })),
    behaving('lists come in another order at each request', ({ answer }) => {
      let turn = 0;
      return {
        answer: {
          list(project, users, query) {
            turn += 1;
            const at = users.length === 0 ? 0 : turn % users.length;
            return answer.list(project, [...users.slice(at), ...users.slice(0, at)], query);
          },
        },
      };
    }),
    behaving('lists are sorted by descending id', ({ answer }) => ({
      answer: {
        list: (project, users, query) =>
          answer.list(
            project,
            users.toSorted((a, b) => b.id.localeCompare(a.id, 'en', { numeric: true })),
            query,
          ),
      },
    })),
    behaving(
      'lists are in an envelope with links and totals',
      ({ answer }) => ({
        answer: {
          list: (project, users, query) =>
            withJson(answer.list(project, users, query), (data) => ({
              links: { self: `/v2/projects/${project.id}/assigned_users`, next: null },
              meta: { total: users.length, project_id: project.id },
              data,
            })),
        },
      }),
      { target: ({ userIdPointer: _, ...target }) => target },
    ),
    behaving('records name other users in members of theirs', ({ answer }) => ({
      answer: {
        list: (project, users, query) =>
          withJson(answer.list(project, users, query), (records) =>
            (records as readonly object[]).map((record) => ({
              ...record,
              invited_by: { id: '501', name: 'Chidi Okafor' },
              colleagues: ['502', '506', '507'],
              links: [{ rel: 'project', href: `/v2/projects/${project.id}` }],
            })),
          ),
      },
    })),
    behaving('the members of a token response come in another order each time', ({ answer }) => {
      let turn = 0;
      return {
        answer: {
          tokens(issued) {
            turn += 1;
            return withJson(answer.tokens(issued), (fields) => {
              const entries = Object.entries(fields as object);
              const at = turn % entries.length;
              return Object.fromEntries([...entries.slice(at), ...entries.slice(0, at)]);
            });
          },
        },
      };
    }),
    answering('each operation needs all three scopes', {
      'scope-per-operation.assign': ['read write destroy'],
      'scope-per-operation.unassign': ['read write destroy'],
      'scope-per-operation.list': ['read write destroy'],
    }),
    behaving('the redirect has status 303', ({ answer }) => ({
      answer: { authorization: (outcome) => ({ ...answer.authorization(outcome), status: 303 }) },
    })),
    behaving('token responses may be stored by nobody, in other words', ({ answer }) => ({
      answer: {
        tokens: (issued) =>
          withHeader(answer.tokens(issued), 'Cache-Control', 'private, No-Store, max-age=0'),
      },
    })),
    behaving('the redirect has further parameters', ({ answer }) => ({
      answer: {
        authorization: (outcome) =>
          answer.authorization({
            ...outcome,
            parameters: [
              ['iss', 'https://auth.example.test'],
              ...outcome.parameters,
              ['session_state', 'a=b&code=c'],
            ],
          }),
      },
    })),
    behaving('access tokens of a refresh look otherwise than those of an exchange', ({ token }) => ({
      token: {
        value: (kind, randomness, previous) =>
          kind === 'access' && previous !== undefined
            ? `eyJhbGciOiJub25lIn0.${randomness.token(60)}.${randomness.token(40)}`
            : token.value(kind, randomness, previous),
      },
    })),
    ...[32, 256].map((bytes) =>
      behaving(
        `access tokens are JWTs signed with ${bytes} bytes, refresh tokens and codes have parts, and all are decoded leniently`,
        (policy) => inParts(policy, bytes),
      ),
    ),
    behaving('unknown and expired access tokens are refused with 403', refusedWith(403)),
    behaving('unknown and expired access tokens are refused with 404', refusedWith(404)),
    behaving('answers announce the retirement and count the requests', ({ answer }) => {
      let left = 100_000;
      return {
        answer: {
          finish(endpoint, given) {
            left -= 1;
            const finished = answer.finish(endpoint, given);
            return {
              ...finished,
              headers: [
                ...finished.headers,
                ['Deprecation', '@1767225600'],
                ['Sunset', 'Sun, 28 Feb 2027 00:00:00 GMT'],
                ['X-RateLimit-Remaining', String(left)],
                ['X-Request-Id', `${left}`],
              ],
            };
          },
        },
      };
    }),
    behaving(
      'a refusal has the status 200, and an error in its body',
      ({ answer }) => ({
        answer: {
          tokenFailure: (refusal) => ({ ...answer.tokenFailure(refusal), status: 200 }),
          resourceFailure: (refusal) => ({
            ...answer.resourceFailure(refusal),
            status: 200,
            headers: [['Content-Type', 'application/json']],
            body: '{"error":"no"}',
          }),
        },
      }),
      { warns: ['token.error-status', 'resource.failure-status'] },
    ),
    behaving('a slash at the end of resource paths is tolerated', ({ assignments }) => ({
      assignments: { route: (method, path) => assignments.route(method, path.replace(/(?<=.)\/$/, '')) },
    })),
    answering('a replay revokes all that the owner granted', {
      'failed-exchange.replay-revokes': true,
      'refresh-fate.reuse': 'revokes-the-grant',
      'failed-exchange.revoked': 'application',
    }),
    behaving(
      'the list of an empty project is 204 without a body',
      ({ answer }) => ({
        answer: {
          list: (project, users, query) =>
            users.length === 0 ? emptyAnswer(204) : answer.list(project, users, query),
        },
      }),
      { start: { seed: bareSeed() } },
    ),
  ];
}

/** Values made of base64url parts (signature of `bytes`); bits that only fill up a part's end are not looked at. */
function inParts({ code, token, refresh }: Policy, bytes: number): PolicyChanges {
  const part = (text: string) => Buffer.from(text).toString('base64url');
  const signature = (randomness: Randomness) =>
    Buffer.from(randomness.token(2 * bytes).slice(0, bytes)).toString('base64url');
  const jwt = (randomness: Randomness) =>
    [
      part('{"alg":"HS256"}'),
      part(`{"sub":"owner","jti":"${randomness.token(8)}"}`),
      signature(randomness),
    ].join('.');
  const read = (value: string) =>
    value.replace(/[^.~:|]+/g, (text) => Buffer.from(text, 'base64url').toString('base64url'));
  return {
    code: {
      value: (randomness) => [signature(randomness), signature(randomness)].join('~'),
      find: (value, codes) => code.find(read(value), codes),
    },
    token: {
      value: (kind, randomness) =>
        kind === 'access' ? jwt(randomness) : `${part('v1')}|${signature(randomness)}`,
      find: (presented, store) => token.find(presented && read(presented), store),
    },
    refresh: { find: (value, store) => refresh.find(read(value), store) },
  };
}

function withJson(answer: ServiceAnswer, change: (json: unknown) => unknown): ServiceAnswer {
  return { ...answer, body: JSON.stringify(change(JSON.parse(answer.body))) };
}

/** Access tokens that are no good are refused with this status, and no challenge. */
function refusedWith(status: number): (policy: Policy) => PolicyChanges {
  return ({ answer }) => ({
    answer: {
      resourceFailure(refusal) {
        const failure = answer.resourceFailure(refusal);
        return refusal.refused.startsWith('token-')
          ? withHeader({ ...failure, status }, 'WWW-Authenticate', undefined)
          : failure;
      },
    },
  });
}

import { granting } from '../../../src/emulator/defects/4-1-authorization-request.ts';
import {
  findingToo,
  forbidding,
  METHOD,
  needingNoToken,
  operating,
  type RequestMatcher,
  UNKNOWN,
} from '../../../src/emulator/defects/at-resource-api.ts';
import {
  type Changes,
  changing,
  type Defects,
  together,
  whenever,
} from '../../../src/emulator/defects/define-defect.ts';
import type { AnswerPolicy, ResourceOperation } from '../../../src/emulator/policy/policy.ts';
import { type ResourceRefusal, refuse } from '../../../src/emulator/refusal.ts';
import { IssuedPair } from '../../../src/emulator/store/records.ts';
import { parseScopes } from '../../../src/emulator/store/scopes.ts';

const COMPARED = 16;

function comparing(alike: (presented: string, issued: string) => boolean, meant?: RequestMatcher): Changes {
  return findingToo((presented, store, newestFirst) => {
    const found = presented && newestFirst.find((issued) => alike(presented, issued));
    return found ? store.tokens.byAccessToken(found) : undefined;
  }, meant);
}

function optionalElsewhere(operation: ResourceOperation): Changes {
  return (base) => {
    let first: string | undefined;
    return needingNoToken(({ path, method }) => {
      const project = /projects\/([^/]+)/.exec(path)?.[1];
      first ??= project;
      return method === METHOD[operation] && project !== first;
    })(base);
  };
}

export function refusedAndDone(
  answer: AnswerPolicy,
  refused: () => boolean,
  refusal: ResourceRefusal,
): Partial<AnswerPolicy> {
  return {
    assigned: (outcome, project, user) =>
      refused() ? answer.resourceFailure(refusal) : answer.assigned(outcome, project, user),
    unassigned: (outcome, project, user) =>
      refused() ? answer.resourceFailure(refusal) : answer.unassigned(outcome, project, user),
    list(project, users, query) {
      const list = answer.list(project, users, query);
      return refused() ? { ...answer.resourceFailure(refusal), body: list.body } : list;
    },
  };
}

const MISSING = refuse('token-missing', 'no token was presented');

/** Faults that each operation can have. */
function withoutToken(operation: ResourceOperation, named: string): Defects {
  const required = `${operation}.token-required` as const;
  const meant = operating(operation);
  return {
    [`${operation}-empty-token-accepted`]: {
      summary: `${named} is content with a header that names the scheme and holds no token.`,
      breaks: [required],
      changes: needingNoToken((request) => meant(request) && request.authorization !== ''),
    },
    [`${operation}-without-token-refused-and-done`]: {
      summary:
        operation === 'list'
          ? 'A list request without a token gets the status of a refusal, and the list.'
          : `${named} without a token is answered with 401, after it was done.`,
      breaks: [required],
      changes: together(
        needingNoToken(meant),
        whenever(
          'token.permits',
          (_, pair) => pair.accessToken === '',
          ({ answer }) => ({ answer: refusedAndDone(answer, () => true, MISSING) }),
        ),
      ),
    },
  };
}

export const defects: Defects = {
  ...withoutToken('assign', 'Assign'),
  ...withoutToken('unassign', 'Unassign'),
  ...withoutToken('list', 'The list'),

  'scope-first-of-several-counts': {
    summary: 'Of several scopes that a token has the first alone counts when it is used.',
    breaks: ['scope.granted-scopes-act'],
    changes: changing('token.permits', (base) => (operation, pair) => {
      const scopes = parseScopes(pair.scopes[0] ?? '') ?? pair.scopes;
      const { accessToken, refreshToken, terms, issuedAt } = pair;
      return base(operation, new IssuedPair(accessToken, refreshToken, { ...terms, scopes }, issuedAt));
    }),
  },

  'scope-write-first-is-lost': {
    summary: 'Where write comes first of the three scopes it is lost.',
    breaks: ['scope.granted-scopes-act'],
    changes: granting((request, base) => {
      const [first, ...others] = request.scope?.split(' ') ?? [];
      const isLost = first === 'write' && others.length === 2;
      return base(isLost ? { ...request, scope: others.join(' ') } : request);
    }),
  },

  'resource-token-in-any-case': {
    summary: 'Access tokens are looked up without regard to letter case.',
    breaks: ['assign.token-invalid-refused', 'unassign.token-invalid-refused', 'list.token-invalid-refused'],
    changes: comparing((presented, issued) => presented.toLowerCase() === issued.toLowerCase()),
  },
  'resource-token-first-sixteen-characters': {
    summary: 'Access tokens are looked up by their first sixteen characters.',
    breaks: ['assign.token-invalid-refused', 'unassign.token-invalid-refused', 'list.token-invalid-refused'],
    changes: comparing(
      (presented, issued) =>
        presented.length >= COMPARED && presented.slice(0, COMPARED) === issued.slice(0, COMPARED),
    ),
  },
  'resource-token-with-more-behind': {
    summary: 'What follows an access token does not count.',
    breaks: ['assign.token-invalid-refused', 'unassign.token-invalid-refused', 'list.token-invalid-refused'],
    changes: comparing((presented, issued) => presented.startsWith(issued)),
  },

  'list-token-without-its-end': {
    summary: 'The list takes an access token whose end is missing.',
    breaks: ['list.token-invalid-refused'],
    changes: comparing(
      (presented, issued) => presented.length > COMPARED && issued.startsWith(presented),
      operating('list'),
    ),
  },
  'list-used-code-accepted': {
    summary: 'A code that was exchanged does as access token.',
    breaks: ['list.refresh-token-is-no-access-token'],
    changes: findingToo((presented = '', store) => store.codes.get(presented)?.grant.latest),
  },

  'resource-revoked-token-accepted': {
    summary: 'The resource API does not ask whether an access token was revoked.',
    breaks: ['exchange.code-replay-revokes'],
    changes: changing('token.check', (base) => (pair, now) => {
      const dead = base(pair, now);
      return dead?.refused === 'token-revoked' ? undefined : dead;
    }),
  },

  'assign-token-optional-elsewhere': {
    summary: 'Assign needs no token in any project but the first that was asked for.',
    breaks: ['assign.token-required'],
    changes: optionalElsewhere('assign'),
  },
  'list-token-optional-elsewhere': {
    summary: 'List needs no token in any project but the first that was asked for.',
    breaks: ['list.token-required'],
    changes: optionalElsewhere('list'),
  },

  'assign-refresh-token-accepted': {
    summary: 'Assign takes a refresh token for an access token.',
    breaks: ['list.refresh-token-is-no-access-token'],
    changes: findingToo(
      (presented = '', store) => store.tokens.byRefreshToken(presented),
      operating('assign'),
    ),
  },

  'scope-second-application-reads-only': {
    summary:
      'Every application but the first is refused to assign and to unassign, as with a token that is not known.',
    breaks: ['exchange.token-acts', 'application.account-area'],
    changes: changing('token.permits', (base) => {
      let first: string | undefined;
      return (operation, pair) => {
        first ??= pair.grant.clientId;
        if (operation !== 'list' && pair.grant.clientId !== first) return UNKNOWN;
        return base(operation, pair);
      };
    }),
  },

  'refresh-token-lists-alone': {
    summary: 'The access token of a refresh lists, and is not known to the other operations.',
    breaks: ['refresh.new-token-acts', 'refresh.scope-kept'],
    changes: forbidding(UNKNOWN, (operation, pair) => operation !== 'list' && pair.refreshed),
  },
};

import { anyPair } from '../../../../src/emulator/defects/at-resource-api.ts';
import {
  type Changes,
  changed,
  changing,
  type FunctionAt,
  type PolicyChanges,
  type PolicyFunction,
} from '../../../../src/emulator/defects/define-defect.ts';
import { NO_PARAMETERS, type ReceivedParameters } from '../../../../src/emulator/parameters.ts';
import type { AssignmentsPolicy, Policy, ResourceRoute } from '../../../../src/emulator/policy/policy.ts';
import type { HttpRequest } from '../../../../src/emulator/request.ts';
import type {
  AuthorizationCode,
  IssuedPair,
  Project,
  RegisteredApplication,
} from '../../../../src/emulator/store/records.ts';
import type { Assignments, Store } from '../../../../src/emulator/store/store.ts';

/**
 * Notes about the request under way. The handlers take these decisions right after one another, so a note is the
 * current request's until the first `await`; what is needed later is kept before that.
 */
export interface RequestNotes {
  /** The owner of the access token in a request to the resource API. */
  caller: IssuedPair;
  resource?: HttpRequest;
  route?: ResourceRoute;
  /** Parameters of the token request. */
  form: ReceivedParameters;
  /** Application of the authorization request. */
  application?: RegisteredApplication;
  /** Code that is being exchanged. */
  code?: AuthorizationCode;
  store?: Store;
  /** Seconds since the epoch, when tokens are issued. */
  now: number;
  /** Returns the number of refreshes between an access token and the exchange of its chain. */
  generation(accessToken: string): number;
  /** When the first pair of an access token's chain was issued. */
  chainBegun(accessToken: string): number | undefined;
}

/** A defect that knows the request under way. `policy` is the one that takes the notes: what is put in its place calls it. */
export function noted(changes: (policy: Policy, request: RequestNotes) => PolicyChanges): Changes {
  return (base) => {
    const request = freshNotes();
    const policy = changed(base, noting(base, request));
    return changed(policy, changes(policy, request));
  };
}

/** The same, for a defect that changes one function. */
export function notedChanging<const At extends PolicyFunction>(
  at: At,
  make: (base: FunctionAt<At>, request: RequestNotes) => FunctionAt<At>,
): Changes {
  return noted((policy, request) => changing(at, (base) => make(base, request))(policy));
}

/** Adds to `spoiled` each code or refresh token that comes with a wrong secret. */
export function notingWrongSecrets(
  client: Policy['client'],
  request: RequestNotes,
  field: 'code' | 'refresh_token',
  spoiled: Set<string>,
): Pick<Policy['client'], 'authenticate'> {
  return {
    authenticate(credentials, applications, grantType) {
      const application = client.authenticate(credentials, applications, grantType);
      const sent = request.form.get(field);
      if ('refused' in application && application.refused === 'client-secret-wrong' && sent)
        spoiled.add(sent);
      return application;
    },
  };
}

interface Chain {
  readonly generation: number;
  readonly begun: number;
}

type Notes = RequestNotes & { readonly chains: Map<string, Chain> };

function freshNotes(): Notes {
  const chains = new Map<string, Chain>();
  return {
    caller: anyPair(),
    form: NO_PARAMETERS,
    now: 0,
    chains,
    generation: (accessToken) => chains.get(accessToken)?.generation ?? 0,
    chainBegun: (accessToken) => chains.get(accessToken)?.begun,
  };
}

function noting(
  { authorize, code, client, token, refresh, lifetime, assignments }: Policy,
  notes: Notes,
): PolicyChanges {
  return {
    authorize: {
      application(request, applications) {
        const application = authorize.application(request, applications);
        notes.application = 'refused' in application ? undefined : application;
        return application;
      },
    },
    code: {
      check(record, exchange, now) {
        notes.code = record;
        return code.check(record, exchange, now);
      },
    },
    client: {
      required(parameters, name) {
        notes.form = parameters;
        return client.required(parameters, name);
      },
    },
    token: {
      existing(record, granted, now) {
        notes.code = record;
        return token.existing(record, granted, now);
      },
      presented(request) {
        notes.resource = request;
        return token.presented(request);
      },
      find(presented, store) {
        notes.store = store;
        return token.find(presented, store);
      },
      permits(operation, pair) {
        notes.caller = pair;
        return token.permits(operation, pair);
      },
      value(kind, randomness, previous) {
        const value = token.value(kind, randomness, previous);
        if (kind === 'access') notes.chains.set(value, next(previous));
        return value;
      },
    },
    refresh: {
      find(value, store) {
        notes.store = store;
        return refresh.find(value, store);
      },
    },
    lifetime: {
      refreshToken(previous, now) {
        notes.now = now;
        return lifetime.refreshToken(previous, now);
      },
    },
    assignments: {
      route(method, path) {
        const route = assignments.route(method, path);
        notes.route = 'operation' in route ? route : undefined;
        return route;
      },
    },
  };

  function next(previous: IssuedPair | undefined): Chain {
    const before = previous === undefined ? undefined : notes.chains.get(previous.accessToken);
    return { generation: (before?.generation ?? -1) + 1, begun: before?.begun ?? notes.now };
  }
}

/** Assign and unassign, each with something done before it. */
export function beforeWrites(
  assignments: AssignmentsPolicy,
  act: (project: Project, all: Assignments, now: number) => void,
): Pick<AssignmentsPolicy, 'assign' | 'unassign'> {
  return {
    assign(all, project, user, now) {
      act(project, all, now);
      return assignments.assign(all, project, user, now);
    },
    unassign(all, project, user, now) {
      act(project, all, now);
      return assignments.unassign(all, project, user, now);
    },
  };
}

/** Ids of the users assigned to a project, in the order of assignment. */
export function usersOf(all: Assignments, { id }: Pick<Project, 'id'>): readonly string[] {
  return [...all.of(id)];
}

/** The sum of an id's character codes: which shard it is on. */
export function sumOf(id: string): number {
  return [...id].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0);
}

/** A defect of the operations that depends on who calls. */
export function byCaller(
  make: (assignments: AssignmentsPolicy, caller: () => IssuedPair) => Partial<AssignmentsPolicy>,
): Changes {
  return noted((policy, request) => ({ assignments: make(policy.assignments, () => request.caller) }));
}

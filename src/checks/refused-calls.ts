import type { Operation } from '../flow/requests.ts';
import { alterations, neverIssued, unknownId } from './altered.ts';
import { type PlainCheck, provokingCheck } from './check.ts';
import type { CheckContext } from './context.ts';
import { placeFor, twoPlaces } from './places.ts';
import { NO_TOKEN, type UserCall } from './user-acts.ts';

/** What one check sends to the resource API to be refused, by operation. Each call differs in one thing from an accepted one. */
type RefusedCalls = Readonly<Partial<Record<Operation, readonly UserCall[]>>>;

type CallsOf = (context: Pick<CheckContext, 'given' | 'target'>) => Promise<RefusedCalls>;

/** The calls, the first of them twice in a row: what was refused is refused when it is asked again. */
function firstTwice(calls: readonly UserCall[]): readonly UserCall[] {
  return [...calls.slice(0, 1), ...calls];
}

/** Clause 5: no token, and an empty one. */
function withoutToken(operation: Operation): CallsOf {
  return async ({ target }) => ({
    [operation]: firstTwice(
      twoPlaces(target).flatMap((place) => [
        { ...place, token: NO_TOKEN },
        { ...place, token: '' },
      ]),
    ),
  });
}

/** Clause 5: tokens that were never issued, most of them almost right. */
function withInvalidToken(operation: Operation): CallsOf {
  return async ({ given, target }) => {
    const issued = await given.accessToken();
    const invalid = [neverIssued(issued), ...alterations(issued)];
    const calls = invalid.map((token, index) => ({
      ...placeFor(target, index % 2),
      token,
      insteadOf: issued,
    }));
    return { [operation]: firstTwice(calls) };
  };
}

/** Clause 7: a project or a user that does not exist, beside the first place and another. */
function withUnknown(operation: Operation, unknown: 'project' | 'user'): CallsOf {
  return async ({ target }) => ({
    [operation]: firstTwice(
      twoPlaces(target).map((place) => ({ ...place, [unknown]: unknownId(place[unknown]) })),
    ),
  });
}

/** Clause 5.1: what is no access token although the service has issued it. */
const withOtherTokens: CallsOf = async ({ given, target }) => {
  const [place = placeFor(target, 0), other = place] = twoPlaces(target);
  const usedCode = await given.code();
  const { refreshToken } = await given.exchanged(usedCode);
  const others = [refreshToken, await given.code(), usedCode];
  const at = (where: UserCall) => firstTwice(others.map((token) => ({ ...where, token })));
  return { assign: at(other), list: at(place), unassign: at(place) };
};

/** What each check of refusals at the resource API sends, in the order of the checks. */
const REFUSED_CALLS = {
  'assign.token-required': withoutToken('assign'),
  'assign.token-invalid-refused': withInvalidToken('assign'),
  'unassign.token-required': withoutToken('unassign'),
  'unassign.token-invalid-refused': withInvalidToken('unassign'),
  'list.token-required': withoutToken('list'),
  'list.token-invalid-refused': withInvalidToken('list'),
  'list.refresh-token-is-no-access-token': withOtherTokens,
  'assign.unknown-project-refused': withUnknown('assign', 'project'),
  'assign.unknown-user-refused': withUnknown('assign', 'user'),
  'unassign.unknown-project-refused': withUnknown('unassign', 'project'),
  'unassign.unknown-user-refused': withUnknown('unassign', 'user'),
  'list.unknown-project-refused': withUnknown('list', 'project'),
} as const satisfies Readonly<Record<string, CallsOf>>;

/** A requirement that requests to the resource API are refused (clauses 5 and 7). */
type RefusalId = keyof typeof REFUSED_CALLS;

/** The check that requests to the resource API are refused, without effect, and that their accepted twins are not. */
export function refusedCheck(id: RefusalId): PlainCheck {
  return provokingCheck(id, async (context) => {
    const { given, users, target } = context;
    const calls = await REFUSED_CALLS[id](context);
    const places = twoPlaces(target);
    const twins = async (operation: Operation) => {
      for (const place of places) await users[operation](place).expectTwinAccepted();
    };
    if (calls.assign !== undefined) {
      await users.expectAllRefused('assign', calls.assign);
      await twins('assign');
    } else {
      // Who is assigned can be listed and unassigned.
      for (const { user, project } of places) await given.assigned([user], project);
    }
    if (calls.list !== undefined) await users.expectAllRefused('list', calls.list);
    if (calls.unassign !== undefined) await users.expectAllRefused('unassign', calls.unassign);
    if (calls.list !== undefined) await twins('list');
    if (calls.unassign !== undefined) await twins('unassign');
  });
}

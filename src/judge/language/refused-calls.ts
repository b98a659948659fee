import type { RequirementId } from '../../../generated/ids.ts';
import type { Answered, ResourceAnswer, TokenAnswer } from '../../target/flow/answers.ts';
import type { Operation } from '../../target/flow/request-style.ts';
import { howAltered } from '../requests/altered.ts';
import {
  type CallChange,
  type GoodCall,
  type TokenError,
  WRONG_CALLS,
  WRONG_EXCHANGES,
  WRONG_REFRESHES,
  WRONG_REQUESTS,
  type WrongCall,
  type WrongTokenRequest,
} from '../requests/wrong-requests.ts';
import { type PlainCheck, provokingCheck } from './check.ts';
import type { CheckContext } from './context.ts';
import { Blocked } from './outcome.ts';
import { twoPlaces } from './places.ts';
import { provoke, refusedAuthorizations, refusedTokenRequests } from './refused-requests.ts';
import type { UserCall } from './user-actions.ts';

/** Returns the check of a requirement whose wrong requests must all be refused, beside an accepted twin. */
export function refused(id: RequirementId): PlainCheck {
  const kind = WRONG_REQUESTS.find(({ requirement }) => requirement === id)?.of;
  if (kind === 'authorize') return refusedAuthorizations(id);
  return kind === 'exchange' || kind === 'refresh' ? refusedTokenRequests(id, kind) : refusedCalls(id);
}

function refusedCalls(id: RequirementId): PlainCheck {
  return provokingCheck(id, async (context) => {
    const { given, users, target } = context;
    const rows = WRONG_CALLS.filter(({ requirement }) => requirement === id);
    const issued = await issuedFor(rows, context);
    const callsOf = (operation: Operation) => {
      const calls = rows
        .filter(({ of }) => of === operation)
        .flatMap((row) => callsFor(row, context, issued));
      // The first call again: a service must refuse it each time.
      return [...calls.slice(0, 1), ...calls];
    };
    const places = twoPlaces(target);
    const twins = async (operation: Operation) => {
      for (const place of places) await users[operation](place).expectTwinAccepted();
    };
    const [assigns, lists, unassigns] = [callsOf('assign'), callsOf('list'), callsOf('unassign')];
    if (assigns.length > 0) {
      await users.expectAllRefused('assign', assigns);
      await twins('assign');
      if (lists.length + unassigns.length === 0) return;
    } else {
      // Only an assigned user can be listed and unassigned.
      for (const { user, project } of places) await given.assigned([user], project);
    }
    if (lists.length > 0) await users.expectAllRefused('list', lists);
    if (unassigns.length > 0) await users.expectAllRefused('unassign', unassigns);
    if (lists.length > 0) await twins('list');
    if (unassigns.length > 0) await twins('unassign');
  });
}

type Issued = Omit<GoodCall, 'place'>;

async function issuedFor(rows: readonly WrongCall[], { given }: CheckContext): Promise<Issued> {
  const accessToken = await given.accessToken();
  if (!rows.some(({ alsoIssued }) => alsoIssued)) return { accessToken };
  const usedCode = await given.code();
  const { refreshToken } = await given.exchanged(usedCode);
  return { accessToken, refreshToken, usedCode, code: await given.code() };
}

/** Above this number of differences, each is tried at only one place, in turn. */
const FEW = 2;

function callsFor(
  row: WrongCall,
  { target }: Pick<CheckContext, 'target'>,
  issued: Issued,
): readonly UserCall[] {
  const places = twoPlaces(target);
  const changed = places.map((place) =>
    row.change({ place, ...issued }).map((change) => namedCall(row, { ...place, ...change }, issued, change)),
  );
  const most = Math.max(...changed.map((calls) => calls.length));
  if (most <= FEW) return changed.flat();
  return Array.from({ length: most }, (_, index) => changed[index % places.length]?.[index] ?? []).flat();
}

function namedCall(
  { name }: WrongCall,
  call: UserCall,
  { accessToken }: Issued,
  { token }: CallChange,
): UserCall {
  if (token === '') return { ...call, wrong: 'an empty token' };
  const isAltered = name === 'unknown token' && typeof token === 'string';
  return { ...call, wrong: isAltered ? howAltered('access token', token, accessToken) : name };
}

export function plainCalls({ target }: Pick<CheckContext, 'target'>, accessToken: string) {
  return WRONG_CALLS.filter(({ alsoIssued }) => alsoIssued === undefined).flatMap((row) => {
    const [place] = twoPlaces(target);
    const [change] = place === undefined ? [] : row.change({ place, accessToken });
    return change === undefined ? [] : [{ of: row.of, name: row.name, call: { ...change, wrong: row.name } }];
  });
}

export interface ProvokedRefusal<A> {
  readonly name: string;
  readonly answer: A;
}

interface TokenRefusal {
  readonly name: string;
  readonly errors: readonly TokenError[];
  readonly provoke: (context: CheckContext) => Promise<Answered<TokenAnswer>>;
}

/** Requests that are wrong because of earlier requests, not because of their contents. */
const BY_HISTORY: readonly TokenRefusal[] = [
  {
    name: 'exchange with a code that was used before',
    errors: ['invalid_grant'],
    provoke: async ({ given, token }) => {
      const code = await given.code();
      await given.exchanged(code);
      return token.exchange({ code }).answer();
    },
  },
  {
    name: 'refresh with a refresh token whose code was replayed',
    errors: ['invalid_grant'],
    provoke: async ({ given, token }) => {
      const code = await given.code();
      const { refreshToken } = await given.exchanged(code);
      await given.refreshable();
      await token.exchange({ code }).answer();
      return token.refresh({ refresh_token: refreshToken }).answer();
    },
  },
];

/** Every kind of refusal at the token endpoint (clause 7), each for exactly one reason. */
const TOKEN_REFUSALS: readonly TokenRefusal[] = [
  ...BY_HISTORY,
  ...([...WRONG_EXCHANGES, ...WRONG_REFRESHES] as readonly WrongTokenRequest[]).flatMap((row) =>
    row.error === undefined
      ? []
      : [
          {
            name: `${row.of} with ${row.name}`,
            errors: [row.error].flat(),
            provoke: (context: CheckContext) => provoke(row, context),
          },
        ],
  ),
];

/**
 * Provokes every kind of refusal, or those for one reason, and returns the answers that refuse. Requests that were wrongly
 * honoured fail other requirements.
 */
export async function provokeTokenRefusals(
  context: CheckContext,
  reason?: TokenError,
): Promise<readonly (ProvokedRefusal<Answered<TokenAnswer>> & Pick<TokenRefusal, 'errors'>)[]> {
  const provoked = [];
  for (const { name, errors, provoke: send } of TOKEN_REFUSALS) {
    if (reason !== undefined && errors[0] !== reason) continue;
    const answer = await send(context);
    if (answer.tokens.accessToken === undefined) provoked.push({ name, errors, answer });
  }
  return someOf(provoked, OWNER[reason ?? 'invalid_grant']);
}

/** Returns the refusals. Throws `Blocked` if there is none: a check of refusals would pass without having seen one. */
export function someOf<R>(provoked: readonly R[], owner: RequirementId): readonly R[] {
  if (provoked.length > 0) return provoked;
  throw new Blocked('see a refusal', owner, 'every request that should be refused was honoured');
}

const OWNER: Readonly<Record<TokenError, RequirementId>> = {
  invalid_grant: 'exchange.code-unknown-refused',
  invalid_client: 'exchange.client-secret-checked',
  invalid_request: 'exchange.requires-code',
  unsupported_grant_type: 'exchange.grant-type-checked',
  unauthorized_client: 'exchange.client-id-checked',
  invalid_scope: 'exchange.form-encoded',
};

/**
 * Provokes every kind of refusal (clause 7) for each operation and returns the answers that refuse. Omits requests that
 * have an effect or list somebody: other requirements fail for them.
 */
export async function provokeResourceRefusals(
  context: CheckContext,
): Promise<readonly ProvokedRefusal<Answered<ResourceAnswer>>[]> {
  const { given, users, target } = context;
  const [user] = target.users;
  const provoked = [];
  for (const { of, name, call } of plainCalls(context, await given.accessToken())) {
    if (of !== 'assign' && !(await given.lastListed()).includes(user)) await given.assigned([user]);
    const { answer, effect } = await users[of](call).provoked();
    if (effect === undefined) provoked.push({ name: `${of} with ${name}`, answer });
  }
  return someOf(provoked, 'list.token-required');
}

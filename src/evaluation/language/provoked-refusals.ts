import type { RequirementId } from '../../../generated/ids.ts';
import type { Answered, TokenAnswer } from '../../service/flow/answers.ts';
import { OMITTED } from '../../service/flow/requests.ts';
import {
  rightValuesOf,
  type TokenError,
  WRONG_CALLS,
  WRONG_EXCHANGES,
  WRONG_REFRESHES,
  type WrongTokenRequest,
} from '../requests/wrong-requests.ts';
import type { CheckContext } from './context.ts';
import { Blocked } from './outcome.ts';
import { twoPlaces } from './places.ts';
import { requestOf } from './refused.ts';
import type { ProvokedRefusal, ProvokedTokenRefusal } from './shared-refusals.ts';

async function provoke(row: WrongTokenRequest, context: CheckContext): Promise<Answered<TokenAnswer>> {
  const { given, token, target } = context;
  const parameter = row.of === 'exchange' ? 'code' : 'refresh_token';
  const isAbsent = row.change(rightValuesOf(target, ''))[0]?.[parameter] === OMITTED;
  const obtain = async () => (row.of === 'exchange' ? given.code() : (await given.pair()).refreshToken);
  const good = isAbsent ? '' : await obtain();
  const changes = row.change(rightValuesOf(target, good))[0] ?? {};
  return requestOf(token, row.of, good, changes).send();
}

function plainCalls({ target }: Pick<CheckContext, 'target'>, accessToken: string) {
  return WRONG_CALLS.filter(({ alsoIssued }) => alsoIssued === undefined).flatMap((row) => {
    const [place] = twoPlaces(target);
    const [change] = place === undefined ? [] : row.change({ place, accessToken });
    return change === undefined ? [] : [{ of: row.of, name: row.name, call: { ...change, wrong: row.name } }];
  });
}

interface WrongRequest {
  readonly name: string;
  readonly errors: readonly TokenError[];
  readonly provoke: (context: CheckContext) => Promise<Answered<TokenAnswer>>;
}

/** Requests that are wrong because of earlier requests, not because of their contents. */
const BY_HISTORY: readonly WrongRequest[] = [
  {
    name: 'exchange with a code that was used before',
    errors: ['invalid_grant'],
    provoke: async ({ given, token }) => {
      const code = await given.code();
      await given.exchanged(code);
      return token.exchange({ code }).send();
    },
  },
  {
    name: 'refresh with a refresh token whose code was replayed',
    errors: ['invalid_grant'],
    provoke: async ({ given, token }) => {
      const code = await given.code();
      const { refreshToken } = await given.exchanged(code);
      await given.waitUntilRefreshIsAllowed();
      await token.exchange({ code }).send();
      return token.refresh({ refresh_token: refreshToken }).send();
    },
  },
];

/** Every kind of refusal at the token endpoint (clause 7), each for exactly one reason. */
const TOKEN_REFUSALS: readonly WrongRequest[] = [
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
 * Returns the refusals at the token endpoint, of every kind or for one reason. Requests that were wrongly honoured fail other
 * requirements.
 */
export async function tokenRefusals(
  context: CheckContext,
  reason?: TokenError,
): Promise<readonly ProvokedTokenRefusal[]> {
  const provoked = await context.sharedRefusals.token.provoked(context.recorder, () =>
    provokeTokenRefusals(context),
  );
  const wanted = provoked.filter(({ errors }) => reason === undefined || errors[0] === reason);
  return someOf(wanted, OWNER[reason ?? 'invalid_grant']);
}

async function provokeTokenRefusals(context: CheckContext): Promise<readonly ProvokedTokenRefusal[]> {
  const provoked = [];
  for (const { name, errors, provoke: send } of TOKEN_REFUSALS) {
    const answer = await send(context);
    if (answer.tokens.accessToken === undefined) provoked.push({ name, errors, answer });
  }
  return provoked;
}

/** Returns the refusals. Throws `Blocked` if there is none: a check of refusals would pass without having seen one. */
function someOf<R>(provoked: readonly R[], owner: RequirementId): readonly R[] {
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
 * Returns every kind of refusal (clause 7) of each operation. Omits requests that have an effect or list a user: other
 * requirements fail for them.
 */
export async function resourceRefusals(context: CheckContext): Promise<readonly ProvokedRefusal[]> {
  const provoked = await context.sharedRefusals.resource.provoked(context.recorder, () =>
    provokeResourceRefusals(context),
  );
  return someOf(provoked, 'list.token-required');
}

async function provokeResourceRefusals(context: CheckContext): Promise<readonly ProvokedRefusal[]> {
  const { given, users, target } = context;
  const [user] = target.users;
  const provoked = [];
  for (const { of, name, call } of plainCalls(context, await given.accessToken())) {
    if (of !== 'assign' && !(await given.lastListed()).includes(user)) await given.assigned([user]);
    const { answer, effect } = await users[of](call).provoked();
    if (effect === undefined) provoked.push({ name: `${of} with ${name}`, answer });
  }
  return provoked;
}

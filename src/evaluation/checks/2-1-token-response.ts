import type { RequirementId } from '../../../generated/ids.ts';
import { isSuccess } from '../../http/exchange.ts';
import { atOnce } from '../../http/traffic.ts';
import type { Answered, TokenAnswer } from '../../service/flow/answers.ts';
import { advanceOrSleep } from '../../service/flow/clean-up.ts';
import type { GivenPair } from '../../service/flow/flow-steps.ts';
import type { WantedGrant } from '../../service/flow/service-client.ts';
import type { Target } from '../../service/target.ts';
import { check } from '../language/check.ts';
import type { CheckContext } from '../language/context.ts';
import { Blocked, ConformanceFailure } from '../language/outcome.ts';
import { placeFor } from '../language/places.ts';
import { honouredOperations } from '../language/scopes.ts';
import { expectBothTokens, expectExpiresIn7200, OF_RESPONSES } from '../language/token-response.ts';

const ROUNDS = 3;

/** Seconds, fewer than any code lives. */
const CODE_WAITS = 3;

function exchangesOf({ secondApplication: application }: Target): readonly WantedGrant[] {
  return [{}, { scope: 'read' }, ...(application === undefined ? [] : [{ application }])];
}

async function exchanged(context: CheckContext): Promise<readonly Answered<TokenAnswer>[]> {
  const { given, token, target } = context;
  const answers: Answered<TokenAnswer>[] = [];
  for (const wanted of exchangesOf(target)) {
    answers.push(
      await token.exchange({ code: await given.code(wanted) }, wanted.application).requireSuccess(),
    );
  }
  return answers;
}

/** Returns token responses of refreshes: of a fresh pair, of its successor, and of the second application if any. */
async function refreshed(context: CheckContext): Promise<readonly Answered<TokenAnswer>[]> {
  const { given, token, target } = context;
  const { refreshToken } = await given.pair();
  await given.waitUntilRefreshIsAllowed();
  const first = await token.refresh({ refresh_token: refreshToken }).requireSuccess();
  const answers = [first];
  const next = first.tokens.refreshToken;
  if (next !== undefined) {
    await given.waitUntilRefreshIsAllowed();
    const second = await token.refresh({ refresh_token: next }).send();
    if (second.tokens.accessToken !== undefined) answers.push(second);
  }
  const other = target.secondApplication;
  if (other === undefined) return answers;
  const { refreshToken: foreign } = await given.pair({ application: other });
  await given.waitUntilRefreshIsAllowed();
  return [...answers, await token.refresh({ refresh_token: foreign }, other).requireSuccess()];
}

/** Requires what {@link OF_RESPONSES} has for a requirement of every token response. */
async function expectOfResponses(context: CheckContext, id: RequirementId): Promise<void> {
  const [expect, ...responses] = OF_RESPONSES[id] ?? [];
  for (const of of responses) {
    if (of === 'refresh' && responses.length > 1 && !context.given.mayRefresh) continue;
    const answers = await (of === 'exchange' ? exchanged(context) : refreshed(context));
    for (const answer of answers) expect?.(answer, of);
  }
}

const WHOLLY_OF_RESPONSES = [
  'exchange.token-type-bearer',
  'refresh.token-type-bearer',
  'token.json-content-type',
  'token.not-cacheable',
] as const;

interface Rotation {
  readonly before: GivenPair;
  readonly answer: Answered<TokenAnswer>;
}

async function rotations(context: CheckContext): Promise<readonly Rotation[]> {
  const { given, token, target } = context;
  const rotated = async (before: GivenPair) => {
    const owner = before.refreshed ? 'refresh.chain' : 'refresh.token-response';
    const answer = await token.refresh({ refresh_token: before.refreshToken }).requireSuccess(owner);
    if (answer.tokens.refreshToken === undefined)
      throw new Blocked('refresh', owner, 'the answer holds no refresh_token');
    return { before, answer };
  };
  // Two chains at the same time.
  const two = target.abilities.has('several-grants')
    ? [await given.pair(), await given.pair({ scope: 'read' })]
    : [];
  await given.waitUntilRefreshIsAllowed();
  const sent = await atOnce(
    target,
    two.map((pair) => () => rotated(pair)),
  );
  let next = await given.pair();
  for (let round = 1; round <= ROUNDS; round += 1) {
    await given.waitUntilRefreshIsAllowed();
    const rotation = await rotated(next);
    sent.push(rotation);
    const { accessToken = '', refreshToken = '' } = rotation.answer.tokens;
    next = { accessToken, refreshToken, refreshed: true };
  }
  return sent;
}

/** Checks that every refresh issues a token different from all earlier ones, including those of another chain. */
function newTokens(kind: 'access' | 'refresh') {
  return check(`refresh.new-${kind}-token`, async (context) => {
    const tokenOf = { access: 'accessToken', refresh: 'refreshToken' } as const;
    const seen = new Set<string>();
    for (const { before, answer } of await rotations(context)) {
      seen.add(before[tokenOf[kind]]);
      const token = answer.tokens[tokenOf[kind]] ?? '';
      if (seen.has(token)) {
        const what = `${kind}_token`;
        const whose =
          token === before[tokenOf[kind]] ? 'the response that was refreshed' : 'another response';
        throw new ConformanceFailure(`a new ${what} with every refresh`, `the ${what} of ${whose}`);
      }
      seen.add(token);
    }
  });
}

/** Seconds after which a lifetime that counts from the grant differs from the document's. */
const AGED = 60;

const TWO_SCOPES = ['read write', 'read destroy', 'write destroy'] as const;

export const checks = [
  check('exchange.token-response', async ({ given, token, target }) => {
    for (const wanted of exchangesOf(target)) {
      const code = await given.code(wanted);
      expectBothTokens(await token.exchange({ code }, wanted.application).requireAccepted());
    }
  }),

  ...WHOLLY_OF_RESPONSES.map((id) => check(id, (context) => expectOfResponses(context, id))),

  check('exchange.expires-in-7200', async (context) => {
    await expectOfResponses(context, 'exchange.expires-in-7200');
    // The lifetime counts from the response, and not from the code.
    const { given, token, target } = context;
    const code = await given.code();
    await advanceOrSleep(target, CODE_WAITS);
    const late = await token.exchange({ code }).send();
    if (isSuccess(late.response)) expectExpiresIn7200(late, 'exchange');
  }),

  check('exchange.token-acts', async ({ given, users, target }) => {
    const other = target.secondApplication;
    for (const [index, application] of [target.application, ...(other ? [other] : [])].entries()) {
      const { accessToken } = await given.pair({ application });
      const place = placeFor(target, index);
      await users.list({ ...place, token: accessToken }).expectTokenAccepted();
      for (const operation of ['assign', 'unassign', 'list'] as const) {
        const { response } = await users[operation]({ ...place, token: accessToken }).send();
        if (response.status !== 401) continue;
        throw new ConformanceFailure(`${operation} to accept the access token`, 'status 401');
      }
    }
  }),

  check('refresh.expires-in-7200', async (context) => {
    await expectOfResponses(context, 'refresh.expires-in-7200');
    const { given, token, target } = context;
    if (target.clock === undefined || !given.refreshesAtOnce) return;
    const { refreshToken } = await given.pair();
    await target.clock.advance(AGED);
    expectExpiresIn7200(await token.refresh({ refresh_token: refreshToken }).requireSuccess(), 'refresh');
  }),

  newTokens('refresh'),
  newTokens('access'),

  check('refresh.new-token-acts', async (context) => {
    const { given, users, target } = context;
    await given.listed();
    let pair = await given.pair();
    const others = target.abilities.has('several-grants') ? [await given.pair({ scope: 'read' })] : [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      // The first refresh runs together with one of another chain: each answer must belong to its own request.
      const chains = round === 1 ? [pair, ...others] : [pair];
      const beside = chains.length > 1 ? ', at once with one of another grant' : '';
      given.case(`refresh ${round} of a chain${beside}`);
      const refreshed = await given.refreshedAtOnce(chains);
      pair = refreshed[0] ?? pair;
      for (let use = 1; use <= 2; use += 1) await users.list({ token: pair.accessToken }).expectSuccess();
    }
    const place = placeFor(target, 1);
    await users.expectUsableAsOwn(place, pair.accessToken);
    for (const scope of TWO_SCOPES) {
      given.case(`a pair with ${scope}`);
      await expectSameOperations(context, scope);
    }
    const other = target.secondApplication;
    if (other === undefined) return;
    given.case('the second application');
    const foreign = await given.pair({ application: other });
    await users.expectUsable(place, foreign.accessToken, 'exchange.token-acts');
    await users.expectUsable(place, (await given.refreshed(foreign, other)).accessToken);
  }),
];

/** Requires that a refreshed token may do all that the pair's first token did. */
async function expectSameOperations(context: CheckContext, scope: string): Promise<void> {
  const { given } = context;
  const pair = await given.pair({ scope });
  const before = await honouredOperations(context, pair.accessToken);
  const { accessToken } = await given.refreshed(pair);
  const after = await honouredOperations(context, accessToken);
  const lost = before.filter((operation) => !after.includes(operation));
  if (lost.length > 0)
    throw new ConformanceFailure(
      `the new token of a pair with \`${scope}\` to act as the old one did`,
      `${lost.join(' and ')} refused`,
    );
}

import type { TokenAnswer } from '../flow/conversation.ts';
import { exchangeParameters, type ParameterChanges, refreshParameters } from '../flow/parameters.ts';
import type { Parameters } from '../flow/requests.ts';
import { spellingFor } from '../flow/spelling.ts';
import type { Application } from '../targets/target.ts';
import type { CheckContext } from './context.ts';
import type { TokenAct, TokenActs } from './token-acts.ts';
import { leaveRefusal, type TokenRefusalName } from './token-refusals.ts';

/** A request that differs from the accepted one in some parameters, and may come from another application. */
export interface Variant {
  readonly changes: ParameterChanges;
  readonly application?: Application;
}

/** A request that is written otherwise: what it has, in a few words, and its parameters, from those of the accepted one. */
export interface WrittenVariant {
  readonly write: (sent: Parameters) => readonly [purpose: string, parameters: Parameters];
}

/** Variants that differ in one parameter each. */
export function variantsOf(name: string, values: readonly ParameterChanges[string][]): readonly Variant[] {
  return values.map((value) => ({ changes: { [name]: value } }));
}

/**
 * Demands that every variant of an exchange is refused, written in one way after the other, and the exchange itself accepted.
 * All of them get one code, if it is good at the end: then it was all along. Where a refusal spends the code (an open
 * point), each variant gets its own.
 *
 * @param first what is wrong with the first of them, where other checks look at what such a refusal holds
 */
export async function expectExchangesRefused(
  context: CheckContext,
  variants: readonly (Variant | WrittenVariant)[],
  first?: TokenRefusalName,
): Promise<void> {
  const { given, token, target } = context;
  await expectRefused(context, variants, 'exchange', {
    first,
    obtain: () => given.anyCode(),
    send: (code, variant, index) => {
      if ('write' in variant)
        return written(token, 'exchange', variant, exchangeParameters(target.application, code));
      const { changes, application } = variant;
      return token.spelled(spellingFor(index)).exchange({ code, ...changes }, application);
    },
    accepted: (answer) => given.leave(answer),
    seen: (left) => given.sawRefusedCode(left),
  });
}

/** {@link expectExchangesRefused}, of a refresh. */
export async function expectRefreshesRefused(
  context: CheckContext,
  variants: readonly (Variant | WrittenVariant)[],
  first?: TokenRefusalName,
): Promise<void> {
  const { given, token, target } = context;
  await expectRefused(context, variants, 'refresh', {
    first,
    obtain: async () => {
      const { refreshToken } = await given.anyPair();
      await given.refreshable();
      return refreshToken;
    },
    send: (refresh_token, variant, index) => {
      if ('write' in variant)
        return written(token, 'refresh', variant, refreshParameters(target.application, refresh_token));
      const { changes, application } = variant;
      return token.spelled(spellingFor(index)).refresh({ refresh_token, ...changes }, application);
    },
  });
}

function written(token: TokenActs, kind: string, { write }: WrittenVariant, sent: Parameters): TokenAct {
  const [what, parameters] = write(sent);
  return token.parameters(`${kind} with ${what}`, parameters);
}

interface Requests {
  readonly first?: TokenRefusalName;
  /** A code or a refresh token that was not used yet. */
  obtain(): Promise<string>;
  send(good: string, variant: Variant | WrittenVariant, index: number): TokenAct;
  /** Takes what the accepted request has yielded. */
  accepted?(answer: TokenAnswer): void;
  /** Takes whether refused requests have left what they were sent with as it was. */
  seen?(left: boolean): void;
}

const UNCHANGED: Variant = { changes: {} };

async function expectRefused(
  context: CheckContext,
  variants: readonly (Variant | WrittenVariant)[],
  kind: 'exchange' | 'refresh',
  { first, obtain, send, accepted, seen }: Requests,
): Promise<void> {
  const { remembered } = context;
  const spends = `a refused ${kind} spends what it was sent with`;
  if (!remembered.has(spends)) {
    const good = await obtain();
    for (const [index, variant] of variants.entries()) {
      const answer = await send(good, variant, index).expectRefused();
      if (index === 0 && first !== undefined) leaveRefusal(context, first, answer);
      // Errors in a row look like an outage, where nothing more is sent: a good request in between shows that it is none.
      if (answer.response.status >= 500) await obtain();
    }
    const twin = await send(good, UNCHANGED, 0).twinIfAccepted();
    seen?.(twin !== undefined);
    if (twin !== undefined) return accepted?.(twin);
    remembered.add(spends);
  }
  for (const [index, variant] of variants.entries())
    await send(await obtain(), variant, index).expectRefused();
  const twin = await send(await obtain(), UNCHANGED, 0).expectTwinAccepted();
  accepted?.(twin);
}

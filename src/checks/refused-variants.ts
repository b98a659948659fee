import { exchangeParameters, type ParameterChanges, refreshParameters } from '../flow/parameters.ts';
import type { Parameters } from '../flow/requests.ts';
import { spellingFor } from '../flow/spelling.ts';
import type { Application } from '../targets/target.ts';
import type { CheckContext } from './context.ts';
import type { TokenAct, TokenActs } from './token-acts.ts';

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
 */
export async function expectExchangesRefused(
  context: CheckContext,
  variants: readonly (Variant | WrittenVariant)[],
): Promise<void> {
  const { given, token, target } = context;
  await expectRefused(variants, {
    obtain: () => given.code(),
    send: (code, variant, index) => {
      if ('write' in variant)
        return written(token, 'exchange', variant, exchangeParameters(target.application, code));
      const { changes, application } = variant;
      return token.spelled(spellingFor(index)).exchange({ code, ...changes }, application);
    },
  });
}

/** {@link expectExchangesRefused}, of a refresh. */
export async function expectRefreshesRefused(
  context: CheckContext,
  variants: readonly (Variant | WrittenVariant)[],
): Promise<void> {
  const { given, token, target } = context;
  await expectRefused(variants, {
    obtain: async () => {
      const { refreshToken } = await given.pair();
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
  /** A code or a refresh token that was not used yet. */
  obtain(): Promise<string>;
  send(good: string, variant: Variant | WrittenVariant, index: number): TokenAct;
}

const UNCHANGED: Variant = { changes: {} };

async function expectRefused(
  variants: readonly (Variant | WrittenVariant)[],
  { obtain, send }: Requests,
): Promise<void> {
  const good = await obtain();
  for (const [index, variant] of variants.entries()) {
    const { response } = await send(good, variant, index).expectRefused();
    // Errors in a row look like an outage, where nothing more is sent: a good request in between shows that it is none.
    if (response.status >= 500) await obtain();
  }
  if ((await send(good, UNCHANGED, 0).twinIfAccepted()) !== undefined) return;
  for (const [index, variant] of variants.entries())
    await send(await obtain(), variant, index).expectRefused();
  await send(await obtain(), UNCHANGED, 0).expectTwinAccepted();
}

import type { RequirementId } from '../../generated/ids.ts';
import type { Answered, TokenAnswer } from '../flow/answers.ts';
import {
  exchangeParameters,
  OMITTED,
  type ParameterChanges,
  type Parameters,
  refreshParameters,
} from '../flow/requests.ts';
import { spellingFor } from '../flow/spelling.ts';
import {
  type Good,
  WRONG_AUTHORIZATIONS,
  WRONG_EXCHANGES,
  WRONG_REFRESHES,
  type WrongAuthorization,
  type WrongTokenRequest,
} from '../requests/wrong-requests.ts';
import { ALL_SCOPES, type Target } from '../targets/target.ts';
import { check, type PlainCheck, provokingCheck } from './check.ts';
import type { CheckContext } from './context.ts';
import type { TokenAction } from './token-actions.ts';

export function goodOf(
  { application, secondApplication: other }: Pick<Target, 'application' | 'secondApplication'>,
  credential: string,
): Good {
  const redirectUri = application.redirectUris[0];
  return { application, redirectUri, scope: ALL_SCOPES, credential, ...(other && { other }) };
}

export function unauthorizedAddressesOf(target: Target): readonly string[] {
  return changesOf('authorize.redirect-uri-authorized', target).map(({ redirect_uri }) =>
    String(redirect_uri),
  );
}

function changesOf(id: RequirementId, target: Target): readonly ParameterChanges[] {
  const rows: readonly WrongAuthorization[] = WRONG_AUTHORIZATIONS;
  return rows
    .filter(({ requirement }) => requirement === id)
    .flatMap(({ change }) => change(goodOf(target, '')));
}

/**
 * Requires no code for the wrong authorization requests of a requirement, and one for their accepted twin.
 *
 * @param scope of the twin
 */
export async function expectNoCodes(
  id: RequirementId,
  { authorize, target }: CheckContext,
  scope: string = ALL_SCOPES,
): Promise<void> {
  for (const [index, changes] of changesOf(id, target).entries())
    await authorize.request(changes).spelled(spellingFor(index)).expectNoCode();
  await authorize.request({ scope }).expectTwinAccepted();
}

/** @param scope of the twin */
export function refusedAuthorizations(id: RequirementId, scope?: string): PlainCheck {
  return check(id, (context) => expectNoCodes(id, context, scope));
}

export interface WrittenVariant {
  readonly write: (sent: Parameters) => readonly [purpose: string, parameters: Parameters];
}

type Variant = { readonly changes: ParameterChanges } | WrittenVariant;

export function refusedExchanges(id: RequirementId): PlainCheck {
  return provokingCheck(id, async (context) => {
    const rows = rowsOf(WRONG_EXCHANGES, id);
    const pair = rows.some(({ alsoIssued }) => alsoIssued) ? await context.given.pair() : undefined;
    await expectExchangesRefused(context, (code) =>
      variantsOf(rows, { ...goodOf(context.target, code), ...pair }),
    );
  });
}

export function refusedRefreshes(id: RequirementId): PlainCheck {
  return provokingCheck(id, async (context) => {
    const { given, target } = context;
    const rows = rowsOf(WRONG_REFRESHES, id);
    await expectRefreshesRefused(context, async (refreshToken) => {
      const good = goodOf(target, refreshToken);
      if (!rows.some(({ alsoIssued }) => alsoIssued)) return variantsOf(rows, good);
      const usedCode = await given.code();
      const { accessToken } = await given.exchanged(usedCode);
      return variantsOf(rows, { ...good, accessToken, usedCode, code: await given.code() });
    });
  });
}

function rowsOf(table: readonly WrongTokenRequest[], id: RequirementId): readonly WrongTokenRequest[] {
  return table.filter(({ requirement }) => requirement === id);
}

function variantsOf(rows: readonly WrongTokenRequest[], good: Good): readonly Variant[] {
  return rows.flatMap(({ change }) => change(good)).map((changes) => ({ changes }));
}

type VariantsOf = (good: string) => readonly Variant[] | Promise<readonly Variant[]>;

/**
 * Requires that every variant of an exchange is refused and the exchange itself accepted. All variants share one code,
 * which must still work at the end. If a refusal spends the code (an open point), each variant gets its own.
 */
export async function expectExchangesRefused(context: CheckContext, variants: VariantsOf): Promise<void> {
  const { given, token, target } = context;
  await expectRefused(variants, {
    obtain: () => given.code(),
    send: (code, variant, index) => {
      if ('write' in variant) {
        const [what, parameters] = variant.write(exchangeParameters(target.application, code));
        return token.parameters(`exchange with ${what}`, parameters);
      }
      return token
        .insteadOf(code)
        .spelled(spellingFor(index))
        .exchange({ code, ...variant.changes });
    },
  });
}

export async function expectRefreshesRefused(context: CheckContext, variants: VariantsOf): Promise<void> {
  const { given, token, target } = context;
  await expectRefused(variants, {
    obtain: async () => {
      const { refreshToken } = await given.pair();
      await given.refreshable();
      return refreshToken;
    },
    send: (refresh_token, variant, index) => {
      if ('write' in variant) {
        const [what, parameters] = variant.write(refreshParameters(target.application, refresh_token));
        return token.parameters(`refresh with ${what}`, parameters);
      }
      return token
        .insteadOf(refresh_token)
        .spelled(spellingFor(index))
        .refresh({ refresh_token, ...variant.changes });
    },
  });
}

interface Requests {
  obtain(): Promise<string>;
  send(good: string, variant: Variant, index: number): TokenAction;
}

const UNCHANGED: Variant = { changes: {} };

async function expectRefused(variantsFor: VariantsOf, { obtain, send }: Requests): Promise<void> {
  const good = await obtain();
  const variants = await variantsFor(good);
  for (const [index, variant] of variants.entries()) {
    const { response } = await send(good, variant, index).expectRefused();
    // The suite stops at errors in a row, as in an outage; an accepted request in between shows that there is none.
    if (response.status >= 500) await obtain();
  }
  if ((await send(good, UNCHANGED, 0).twinIfAccepted()) !== undefined) return;
  for (const [index, variant] of variants.entries())
    await send(await obtain(), variant, index).expectRefused();
  await send(await obtain(), UNCHANGED, 0).expectTwinAccepted();
}

export async function provoke(row: WrongTokenRequest, context: CheckContext): Promise<Answered<TokenAnswer>> {
  const { given, token, target } = context;
  const parameter = row.of === 'exchange' ? 'code' : 'refresh_token';
  const isAbsent = row.change(goodOf(target, ''))[0]?.[parameter] === OMITTED;
  const good = isAbsent ? '' : row.of === 'exchange' ? await given.code() : (await given.pair()).refreshToken;
  const changes = row.change(goodOf(target, good))[0] ?? {};
  const act =
    row.of === 'exchange'
      ? token.exchange({ code: good, ...changes })
      : token.refresh({ refresh_token: good, ...changes });
  return act.answer();
}

import type { RequirementId } from '../../../generated/ids.ts';
import type { Answered, TokenAnswer } from '../../target/flow/answers.ts';
import {
  exchangeParameters,
  OMITTED,
  type ParameterChanges,
  type Parameters,
  refreshParameters,
} from '../../target/flow/requests.ts';
import { spellingFor } from '../../target/flow/spelling.ts';
import { ALL_SCOPES, type Target } from '../../target/target.ts';
import {
  type Good,
  goodOf,
  WRONG_AUTHORIZATIONS,
  WRONG_EXCHANGES,
  WRONG_REFRESHES,
  type WrongAuthorization,
  type WrongTokenRequest,
} from '../requests/wrong-requests.ts';
import { check, type PlainCheck, provokingCheck } from './check.ts';
import type { CheckContext } from './context.ts';
import type { TokenAction, TokenActions } from './token-actions.ts';

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

/** Requires no code for the wrong authorization requests of a requirement, and one for their accepted twin. */
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

type Kind = WrongTokenRequest['of'];

export function refusedTokenRequests(id: RequirementId, kind: Kind): PlainCheck {
  return provokingCheck(id, async (context) => {
    const { given, target } = context;
    const table: readonly WrongTokenRequest[] = kind === 'exchange' ? WRONG_EXCHANGES : WRONG_REFRESHES;
    const rows = table.filter(({ requirement }) => requirement === id);
    const pair =
      kind === 'exchange' && rows.some(({ alsoIssued }) => alsoIssued) ? await given.pair() : undefined;
    await expectTokenRequestsRefused(context, kind, async (credential) => {
      let good: Good = { ...goodOf(target, credential), ...pair };
      if (kind === 'refresh' && rows.some(({ alsoIssued }) => alsoIssued)) {
        const usedCode = await given.code();
        const { accessToken } = await given.exchanged(usedCode);
        good = { ...good, accessToken, usedCode, code: await given.code() };
      }
      return rows.flatMap(({ change }) => change(good)).map((changes) => ({ changes }));
    });
  });
}

const UNCHANGED: Variant = { changes: {} };

/**
 * Requires that every variant of a request is refused and the request itself accepted. All variants share one code or
 * token, which must still work at the end. If a refusal spends it (an open point), each variant gets its own.
 */
export async function expectTokenRequestsRefused(
  { given, token, target }: CheckContext,
  kind: Kind,
  variantsFor: (good: string) => readonly Variant[] | Promise<readonly Variant[]>,
): Promise<void> {
  const obtain = async () => {
    if (kind === 'exchange') return given.code();
    const { refreshToken } = await given.pair();
    await given.refreshable();
    return refreshToken;
  };
  const send = (good: string, variant: Variant, index: number) => {
    if ('write' in variant) {
      const parameters = kind === 'exchange' ? exchangeParameters : refreshParameters;
      const [what, changed] = variant.write(parameters(target.application, good));
      return token.parameters(`${kind} with ${what}`, changed);
    }
    return requestOf(token.insteadOf(good).spelled(spellingFor(index)), kind, good, variant.changes);
  };
  const good = await obtain();
  const variants = await variantsFor(good);
  for (const [index, variant] of variants.entries()) {
    const { response } = await send(good, variant, index).expectRefused();
    // The suite stops at errors in a row, as in an outage; an accepted request in between shows that there is none.
    if (response.status >= 500) await obtain();
  }
  const twin = await send(good, UNCHANGED, 0).twinIfAccepted();
  if (twin !== undefined) {
    const next = twin.tokens.refreshToken;
    if (kind === 'exchange' || next === undefined || !given.refreshesAtOnce) return;
    // The refresh token of a refresh is as good, and as well guarded.
    const [again] = await variantsFor(next);
    if (again !== undefined) await send(next, again, 0).expectRefused();
    // Shows that a server error before it was no outage.
    await send(next, UNCHANGED, 0).twinIfAccepted();
    return;
  }
  for (const [index, variant] of variants.entries())
    await send(await obtain(), variant, index).expectRefused();
  await send(await obtain(), UNCHANGED, 0).expectTwinAccepted();
}

function requestOf(token: TokenActions, kind: Kind, good: string, changes: ParameterChanges): TokenAction {
  return kind === 'exchange'
    ? token.exchange({ code: good, ...changes })
    : token.refresh({ refresh_token: good, ...changes });
}

export async function provoke(row: WrongTokenRequest, context: CheckContext): Promise<Answered<TokenAnswer>> {
  const { given, token, target } = context;
  const parameter = row.of === 'exchange' ? 'code' : 'refresh_token';
  const isAbsent = row.change(goodOf(target, ''))[0]?.[parameter] === OMITTED;
  const good = isAbsent ? '' : row.of === 'exchange' ? await given.code() : (await given.pair()).refreshToken;
  const changes = row.change(goodOf(target, good))[0] ?? {};
  return requestOf(token, row.of, good, changes).answer();
}

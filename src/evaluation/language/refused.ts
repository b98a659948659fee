import type { RequirementId } from '../../../generated/ids.ts';
import { atOnce } from '../../http/traffic.ts';
import {
  exchangeParameters,
  type Operation,
  type ParameterChanges,
  type Parameters,
  refreshParameters,
} from '../../service/flow/requests.ts';
import { spellingFor } from '../../service/flow/spelling.ts';
import { ALL_SCOPES, type Target } from '../../service/target.ts';
import { howAltered } from '../requests/altered.ts';
import {
  type CallChange,
  type RightCall,
  type RightValues,
  rightValuesOf,
  WRONG_AUTHORIZATIONS,
  WRONG_CALLS,
  WRONG_EXCHANGES,
  WRONG_REFRESHES,
  WRONG_REQUESTS,
  type WrongAuthorization,
  type WrongCall,
  type WrongTokenRequest,
} from '../requests/wrong-requests.ts';
import { check, type PlainCheck, provokingCheck } from './check.ts';
import type { CheckContext } from './context.ts';
import { ProvenFailure } from './outcome.ts';
import { twoPlaces } from './places.ts';
import type { TokenAction, TokenActions } from './token-actions.ts';
import type { UserCall } from './user-actions.ts';

/** Returns the check of a requirement whose wrong requests must all be refused, beside an accepted twin. */
export function refusalCheck(id: RequirementId): PlainCheck {
  const kind = WRONG_REQUESTS.find(({ requirement }) => requirement === id)?.of;
  if (kind === 'authorize') return authorizationRefusalCheck(id);
  return kind === 'exchange' || kind === 'refresh' ? refusedTokenRequests(id, kind) : refusedCalls(id);
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
    .flatMap(({ change }) => change(rightValuesOf(target, '')));
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
export function authorizationRefusalCheck(id: RequirementId, scope?: string): PlainCheck {
  return check(id, (context) => expectNoCodes(id, context, scope));
}

export interface WrittenVariant {
  readonly write: (sent: Parameters) => readonly [purpose: string, parameters: Parameters];
}

type Variant = { readonly changes: ParameterChanges; readonly name?: string } | WrittenVariant;

type Kind = WrongTokenRequest['of'];

function refusedTokenRequests(id: RequirementId, kind: Kind): PlainCheck {
  return provokingCheck(id, async (context) => {
    const { given, target } = context;
    const table: readonly WrongTokenRequest[] = kind === 'exchange' ? WRONG_EXCHANGES : WRONG_REFRESHES;
    const rows = table.filter(({ requirement }) => requirement === id);
    const pair =
      kind === 'exchange' && rows.some(({ alsoIssued }) => alsoIssued) ? await given.pair() : undefined;
    await expectTokenRequestsRefused(context, kind, async (credential) => {
      let good: RightValues = { ...rightValuesOf(target, credential), ...pair };
      if (kind === 'refresh' && rows.some(({ alsoIssued }) => alsoIssued)) {
        const usedCode = await given.code();
        const { accessToken } = await given.exchanged(usedCode);
        good = { ...good, accessToken, usedCode, code: await given.code() };
      }
      return rows.flatMap(({ name, change }) => change(good).map((changes) => ({ changes, name })));
    });
    if (id !== 'exchange.client-secret-checked') return;
    // A service may keep what it reads of one request where another finds it, and know the newest code alone.
    const [other, own] = [await given.code(), await given.code()];
    const [wrong] = rows.flatMap(({ change }) => change(rightValuesOf(target, other)));
    const exchanged = (code: string, changes: ParameterChanges = {}) =>
      requestOf(context.token, kind, code, changes).send();
    await atOnce(target, [() => exchanged(own), () => exchanged(other, wrong)]);
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
    await given.waitUntilRefreshIsAllowed();
    return refreshToken;
  };
  const send = (good: string, variant: Variant, index: number) => {
    if ('write' in variant) {
      const parameters = kind === 'exchange' ? exchangeParameters : refreshParameters;
      const [what, changed] = variant.write(parameters(target.application, good));
      return token.parameters(`${kind} with ${what}`, changed);
    }
    const named = token.insteadOf(good, variant.name);
    return requestOf(named.spelled(spellingFor(index)), kind, good, variant.changes);
  };
  const good = await obtain();
  const variants = await variantsFor(good);
  const expectRefused = async (credential: string, variant: Variant, index: number) => {
    try {
      return await send(credential, variant, index).expectRefused();
    } catch (error) {
      if (!(error instanceof ProvenFailure) || index === 0) throw error;
      // The report leaves out a spelling without which the service honours the request, too.
      const next = await obtain();
      const same = (await variantsFor(next))[index];
      if (same !== undefined) await send(next, same, 0).expectRefused();
      throw error;
    }
  };
  for (const [index, variant] of variants.entries()) {
    const { response } = await expectRefused(good, variant, index);
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
  for (const [index, variant] of variants.entries()) await expectRefused(await obtain(), variant, index);
  await send(await obtain(), UNCHANGED, 0).expectTwinAccepted();
}

export function requestOf(
  token: TokenActions,
  kind: Kind,
  good: string,
  changes: ParameterChanges,
): TokenAction {
  return kind === 'exchange'
    ? token.exchange({ code: good, ...changes })
    : token.refresh({ refresh_token: good, ...changes });
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

type Issued = Omit<RightCall, 'place'>;

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

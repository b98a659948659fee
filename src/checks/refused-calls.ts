import type { RequirementId } from '../../generated/ids.ts';
import type { Operation } from '../flow/request-style.ts';
import { howAltered } from '../requests/altered.ts';
import { type CallChange, type GoodCall, WRONG_CALLS, type WrongCall } from '../requests/wrong-requests.ts';
import { type PlainCheck, provokingCheck } from './check.ts';
import type { CheckContext } from './context.ts';
import { twoPlaces } from './places.ts';
import type { UserCall } from './user-actions.ts';

export function refusedCalls(id: RequirementId): PlainCheck {
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

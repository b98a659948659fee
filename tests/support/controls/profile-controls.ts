import { isDeepStrictEqual } from 'node:util';
import type { AspectAnswer, AspectId } from '../../../src/document/profiles/aspects.ts';
import { SCOPE_SETS, suffices } from '../../../src/document/profiles/scope-sets.ts';
import type { WholeProfile } from '../../../src/emulator/policy/profile.ts';
import type { Control } from './control.ts';
import { combined, type FactorValue, isObject } from './factor.ts';
import { FACTORS } from './factors.ts';
import { pairwise } from './pairwise.ts';

type Answers = WholeProfile['answers'];
type Draft = Answers & Record<string, unknown>;

const failsWithoutScope = (a: Answers) =>
  (['assign', 'unassign', 'list'] as const).some((operation) =>
    SCOPE_SETS.some((set) => !suffices(set, a[`scope-per-operation.${operation}`])),
  );
const showsScopes = (a: Answers) =>
  failsWithoutScope(a) || a['token-response-fields.extra-fields'].includes('scope');
const revokes = (a: Answers) =>
  a['failed-exchange.replay-revokes'] || a['refresh-fate.reuse'] === 'revokes-the-grant';
const kills = (a: Answers) => (a['refresh-fate.old-access-token'] ?? 'never') !== 'never';
const isRedirect = (answer: unknown): answer is { readonly [name: string]: AspectAnswer } =>
  isObject(answer) && answer.kind === 'redirect';

/** An aspect that the other answers leave unobservable has the answer null. In this order. */
const NOTHING_TO_SEE: readonly (readonly [AspectId, (answers: Answers) => boolean])[] = [
  ['token-presentation.scheme-case', (a) => !a['token-presentation.bearer-header']],
  ['resource-failures.user-not-assigned', (a) => a['operation-answers.unassign.not-assigned'] !== 'refused'],
  ['resource-failures.insufficient-scope', (a) => !failsWithoutScope(a)],
  ['resource-failures.revoked-token', (a) => a['neighbours.revoke'] !== 200 && !revokes(a) && !kills(a)],
  ['failed-exchange.revoked', (a) => !revokes(a)],
  [
    'scope-requests.narrower-on-refresh',
    (a) => a['scope-requests.narrower-on-refresh'] !== 'refused' && !showsScopes(a),
  ],
  [
    'scope-requests.wider-on-refresh',
    (a) => a['scope-requests.wider-on-refresh'] !== 'refused' && !showsScopes(a),
  ],
];

const hasMember = (body: AspectAnswer | undefined, name: string) => isObject(body) && name in body;

/** Answers every HEAD as GET if the list's HEAD is, and an exchange by GET as any GET. */
function methods(a: Answers): Partial<Answers> {
  const { GET, ...token } = a['other-methods.token'];
  if (GET === undefined) throw new TypeError('each answer to other methods has one to GET');
  const list = {
    status: a['operation-answers.list.status'],
    allow: false,
    contentType: a['operation-answers.list.content-type'],
    body: 'none',
  } as const;
  const HEAD = a['other-methods.assigned-users'].HEAD ?? list;
  const isGet = isDeepStrictEqual(HEAD, list);
  return {
    'other-methods.token': { ...token, GET, ...(isGet && { HEAD: { ...GET, body: 'none' } }) },
    'other-methods.assigned-users': { ...a['other-methods.assigned-users'], HEAD },
  };
}

/** Makes answers that were chosen one by one those of a service, where some depend on others. */
function consistent(chosen: Answers): Answers {
  const answers: Draft = { ...chosen };
  const put = (aspect: string, answer: unknown) => Object.assign(answers, { [aspect]: answer });
  for (const [aspect, nothing] of NOTHING_TO_SEE) if (nothing(answers)) put(aspect, null);
  for (const [id, answer] of Object.entries(answers)) {
    if (id.startsWith('token-failures') && isObject(answer) && 'body' in answer) {
      put(id, { ...answer, error: hasMember(answer.body, 'error') ? answer.error : null });
    }
    if (isRedirect(answer)) put(id, { ...answer, status: 302 });
  }
  return {
    ...answers,
    ...methods(answers),
    'other-methods.without-version': answers['resource-failures.unknown-path'],
  };
}

/** One control of every factor's first answer, and one for each row of a pairwise covering set over all answers. */
export function profileControls(): readonly Control[] {
  const rows = [FACTORS.map(() => 0), ...pairwise(FACTORS.map((values) => values.length))];
  const width = String(rows.length).length;
  return rows.map((row, index) => {
    const chosen = FACTORS.flatMap((values, factor) => values[row[factor] ?? 0] ?? []);
    const name = `pairwise ${String(index + 1).padStart(width, '0')}`;
    const warns = [...new Set(chosen.flatMap((value) => value.warns))];
    return {
      name,
      warns,
      profile: profileOf(name.replace(' ', '-'), chosen, warns),
      // Every second one is met as a live target is: where ids and tokens go is not told, it is found out.
      ...(index % 2 === 0 ? {} : { target: withoutHints }),
    };
  });
}

function profileOf(name: string, chosen: readonly FactorValue[], warns: Control['warns']): WholeProfile {
  return {
    name,
    title: name,
    summary: 'One row of a pairwise covering set over the answers to the open points.',
    warnings: warns.map((requirement) => ({ requirement, reason: 'One of the answers breaks it.' })),
    answers: consistent(combined(chosen) as unknown as WholeProfile['answers']),
  };
}

const withoutHints: NonNullable<Control['target']> = ({ userIdPointer: _, presentation: __, ...target }) =>
  target;

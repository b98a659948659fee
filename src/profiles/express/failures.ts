import type { AspectAnswer, AspectId, SeenAnswers } from '../aspects.ts';
import { canonical } from '../aspects.ts';
import { JSON_TYPE, TEXT_TYPE } from '../expected/bodies.ts';
import { RESOURCE_CASES } from '../expected/resource-failures.ts';
import { TOKEN_ASPECTS, TOKEN_CASES } from '../expected/token-failures.ts';
import type { ProfileAnswers, ProfileOauthFailure, ProfileResourceFailure } from '../profile.ts';

/** A refusal as an aspect has it. */
interface SeenFailure {
  readonly status: number;
  readonly error?: string | null;
  readonly contentType: string | null;
  readonly body: AspectAnswer;
  readonly challenge: string | null;
}

/** How the emulator is told to send a body. */
interface Choice {
  readonly body: 'none' | 'json' | 'text';
  readonly contentType?: string;
  readonly shape?: { [member: string]: unknown };
}

/** A refusal at an aspect; undefined where none was seen, or what came is no refusal that the emulator can make. */
function failureAt(seen: SeenAnswers, aspect: AspectId): SeenFailure | undefined {
  const answer = seen.get(aspect);
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return undefined;
  const failure = answer as unknown as SeenFailure;
  return failure.status >= 400 && failure.status <= 499 ? failure : undefined;
}

function wordingAt(seen: SeenAnswers, point: 'resource-failures' | 'token-failures', aspect: string) {
  const wording = seen.get(`${point}.wording`) as Readonly<Record<string, string>> | undefined;
  return wording?.[aspect];
}

/** How a body that was seen is made; without what is usual anyway. A list at the top cannot be made. */
function choiceOf({ body, contentType }: SeenFailure, usual: AspectAnswer): Choice | undefined {
  if (contentType !== null && !/^[a-z]+\/\S+(; .+)?$/.test(contentType)) return undefined;
  if (body === 'none') return { body: 'none', ...(contentType === null ? {} : { contentType }) };
  const kind = body === 'text' ? 'text' : 'json';
  const own = contentType !== null && contentType !== (kind === 'text' ? TEXT_TYPE : JSON_TYPE);
  const type = own ? { contentType } : {};
  if (kind === 'text') return { body: 'text', ...type };
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const plain = canonical(body) === canonical(usual);
  return { body: 'json', ...type, ...(plain ? {} : { shape: { ...body } }) };
}

/** The choice that most have; the first of several. */
function mostCommon<T>(choices: readonly T[]): T | undefined {
  const counts = new Map<string, number>();
  for (const choice of choices) counts.set(canonical(choice), (counts.get(canonical(choice)) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return choices.find((choice) => counts.get(canonical(choice)) === most);
}

/** Tells the emulator to refuse as the resource API was seen to (open point 5). */
export function expressResourceFailures(answers: ProfileAnswers, seen: SeenAnswers): void {
  const failures = answers['resource-failures'];
  const found = (Object.keys(RESOURCE_CASES) as (keyof typeof RESOURCE_CASES)[]).flatMap((aspect) => {
    const failure = failureAt(seen, `resource-failures.${aspect}`);
    const choice = failure && choiceOf(failure, { error: 'string' });
    return failure === undefined || choice === undefined ? [] : [{ aspect, failure, choice }];
  });
  const usual = mostCommon(found.map(({ choice }) => choice));
  if (usual !== undefined) {
    const { realm, cases } = failures;
    answers['resource-failures'] = { ...usual, realm, cases };
  }
  const realm = seen.get('resource-failures.realm');
  if (typeof realm === 'string' && realm !== '') answers['resource-failures'].realm = realm;
  for (const { aspect, failure, choice } of found) {
    const reason = RESOURCE_CASES[aspect];
    const [, error] = /^Bearer(?: (.+))?$/.exec(failure.challenge ?? '') ?? [undefined, undefined];
    const own = canonical(choice) === canonical(usual) ? {} : choice;
    const told: ProfileResourceFailure = {
      status: failure.status,
      ...(failure.challenge === null ? {} : { challenge: error ?? '' }),
      description:
        wordingAt(seen, 'resource-failures', aspect) ??
        answers['resource-failures'].cases[reason].description,
      ...own,
    };
    answers['resource-failures'].cases[reason] = told;
  }
}

/** Tells the emulator to refuse as the token endpoint was seen to (open point 6). */
export function expressTokenFailures(answers: ProfileAnswers, seen: SeenAnswers): void {
  const usualShape = { error: 'string', error_description: 'string' };
  const found = TOKEN_ASPECTS.flatMap((aspect): SeenCase[] => {
    const failure = failureAt(seen, `token-failures.${aspect}`);
    const choice = failure && choiceOf(failure, usualShape);
    if (failure === undefined || choice === undefined) return [];
    const { body, contentType } = choice;
    if (body === 'none') return [{ aspect, failure, choice: { body, ...(contentType && { contentType }) } }];
    const typed = { ...choice, body, contentType: failure.contentType ?? TEXT_TYPE };
    return [{ aspect, failure, choice: typed }];
  });
  const failures = answers['token-failures'];
  // An empty body is told case by case.
  const usual = mostCommon(found.flatMap(({ choice }) => (choice.body === 'none' ? [] : [choice])));
  if (found.length > 0) {
    const { shape, ...rest } = failures;
    const before = shape === undefined ? {} : { shape };
    answers['token-failures'] = { ...rest, ...(usual ?? before), cases: withoutFiner(rest.cases) };
  }
  const all = answers['token-failures'];
  expressChallenge(
    all,
    found.map(({ failure }) => failure),
  );
  const realm = seen.get('token-failures.realm');
  if (typeof realm === 'string' && realm !== '') all.realm = realm;
  expressCaching(all, seen.get('token-failures.cache-control'));
  const repeated = seen.get('token-failures.exchange.duplicate-parameter');
  if (repeated === 'first-wins' || repeated === 'last-wins') all.repeatedParameter = repeated;
  else if (typeof repeated === 'object' && repeated !== null) all.repeatedParameter = 'refused';
  const first = seen.get('token-failures.refresh.unknown-token-and-wrong-secret');
  if (first === 'token' || first === 'client') all.refreshTokenBeforeClient = first === 'token';

  for (const { aspect, failure, choice } of found) {
    const { cases, parameter } = TOKEN_CASES[aspect];
    const fallback = cases.map((name) => all.cases[name]).find((one) => one !== undefined);
    const own = ownBody(choice, usual);
    const challenged = failure.challenge !== null;
    const told: ProfileOauthFailure = {
      status: failure.status,
      ...wordsOf(failure, wordingAt(seen, 'token-failures', aspect), parameter, fallback),
      ...own,
      ...(challenged === usuallyChallenged(all.challenge, failure.status) ? {} : { challenged }),
    };
    const [name, ...coarser] = cases;
    // A finer case is written only where it is not as the coarser one; that comes first in the order of the aspects.
    const known = coarser.map((each) => all.cases[each]).find((one) => one !== undefined);
    if (known === undefined || canonical(known) !== canonical(told)) all.cases[name] = told;
  }
}

/** The finer cases are those of the profile that was begun with; what was seen decides anew. */
function withoutFiner(
  cases: ProfileAnswers['token-failures']['cases'],
): ProfileAnswers['token-failures']['cases'] {
  const {
    'client-secret-missing': _1,
    'client-secret-missing-on-refresh': _2,
    'client-unknown-on-refresh': _3,
    'client-secret-wrong-on-refresh': _4,
    'grant-type-missing-on-refresh': _5,
    'scope-narrower': _6,
    ...rest
  } = cases;
  return rest;
}

type TokenFailures = ProfileAnswers['token-failures'];

/** A body with its content type. */
interface TypedChoice {
  readonly body: 'json' | 'text';
  readonly contentType: string;
  readonly shape?: { [member: string]: unknown };
}

/** No body, and perhaps a content type all the same. */
interface EmptyChoice {
  readonly body: 'none';
  readonly contentType?: string;
}

/** A refusal of the token endpoint, and how it is made. */
interface SeenCase {
  readonly aspect: (typeof TOKEN_ASPECTS)[number];
  readonly failure: SeenFailure;
  readonly choice: TypedChoice | EmptyChoice;
}

/** What a case says of its body, where it is not the usual one. */
function ownBody(
  choice: TypedChoice | EmptyChoice,
  usual: TypedChoice | undefined,
): Pick<ProfileOauthFailure, 'body' | 'contentType' | 'shape'> {
  if (choice.body === 'none') return choice;
  if (canonical(choice) === canonical(usual)) return {};
  const shape =
    choice.shape ??
    (usual?.shape === undefined ? undefined : { error: 'string', error_description: 'string' });
  return {
    ...(choice.body === usual?.body ? {} : { body: choice.body }),
    ...(choice.contentType === usual?.contentType ? {} : { contentType: choice.contentType }),
    ...(choice.body === 'text' || shape === undefined || canonical(shape) === canonical(usual?.shape)
      ? {}
      : { shape }),
  };
}

function usuallyChallenged(rule: TokenFailures['challenge'], status: number): boolean {
  return rule === 'every-failure' || (rule === 'status-401' && status === 401);
}

/** The rule that fits most refusals; the others say so themselves. */
function expressChallenge(all: TokenFailures, failures: readonly SeenFailure[]): void {
  if (failures.length === 0) return;
  const fitting = (rule: TokenFailures['challenge']) =>
    failures.filter(({ status, challenge }) => (challenge !== null) === usuallyChallenged(rule, status))
      .length;
  const rules = ['never', 'status-401', 'every-failure'] as const;
  all.challenge = rules.reduce((best, rule) => (fitting(rule) > fitting(best) ? rule : best));
  const scheme = failures.find(({ challenge }) => challenge !== null)?.challenge;
  if (typeof scheme === 'string') all.challengeScheme = scheme;
}

function expressCaching(all: TokenFailures, value: AspectAnswer | undefined): void {
  if (value === undefined) return;
  delete all.cacheControl;
  if (typeof value === 'string') all.cacheControl = value;
}

/** Error code and description. A plain text has both in one line; the name of the parameter becomes a placeholder. */
function wordsOf(
  failure: SeenFailure,
  wording: string | undefined,
  parameter: string | undefined,
  fallback: ProfileOauthFailure | undefined,
): Pick<ProfileOauthFailure, 'error' | 'description'> {
  const before = {
    error: fallback?.error ?? 'invalid_request',
    description: fallback?.description ?? 'refused',
  };
  const placed = (text: string) =>
    parameter === undefined ? text : text.replace(new RegExp(`(?<!\\w)${parameter}(?!\\w)`), '{parameter}');
  if (failure.body !== 'text') {
    return {
      error: failure.error || before.error,
      description: wording === undefined ? before.description : placed(wording),
    };
  }
  const [, error, description] = /^(\S+): (.+)$/s.exec(wording ?? '') ?? [];
  if (error === undefined || description === undefined) return before;
  return { error, description: placed(description) };
}

import type { AspectAnswer, AspectId, SeenAnswers } from '../aspects.ts';
import { PAGE_CASES } from '../expected/flow.ts';
import type { ProfileAnswers } from '../profile.ts';

/** Tells the emulator how the authorization address refuses (open point 7). */
export function expressAuthorize(answers: ProfileAnswers, seen: SeenAnswers): void {
  const failures = answers['authorize-failures'];
  const delivered = (
    ['no-response-type', 'unsupported-response-type', 'no-scope', 'unknown-scope'] as const
  ).flatMap((aspect) => pageAt(seen, `authorize-failures.${aspect}`)?.kind ?? []);
  const redirects = delivered.filter((kind) => kind === 'redirect').length;
  if (delivered.length > 0) failures.delivery = redirects * 2 > delivered.length ? 'redirect' : 'page';
  const denial = pageAt(seen, 'authorize-failures.denial');
  if (denial !== undefined) failures.denial = denial.kind;
  const status = seen.get('authorize-failures.redirect-status');
  if (status === 302 || status === 303) failures.redirectStatus = status;
  const spaces = seen.get('authorize-failures.redirect-spaces');
  if (spaces === 'plus' || spaces === 'percent-20') failures.redirectSpaces = spaces;
  for (const [aspect, reason] of Object.entries(PAGE_CASES) as [keyof typeof PAGE_CASES, keyof Cases][]) {
    const page = pageAt(seen, `authorize-failures.${aspect}`);
    if (page === undefined) continue;
    const known = reason === 'access-denied' ? failures.denial : failures.delivery;
    const early = ['no-client-id', 'unknown-client', 'no-redirect-uri', 'unauthorized-redirect-uri'].includes(
      aspect,
    );
    const wording = seen.get('authorize-failures.wording') as Readonly<Record<string, string>> | undefined;
    failures.cases[reason] = caseFrom(
      failures.cases[reason],
      page,
      page.kind === known || early,
      page.kind === 'redirect' && wording !== undefined ? (wording[aspect] ?? '') : undefined,
    );
  }
  expressRepeated(
    failures,
    seen.get('authorize-failures.duplicate-parameter'),
    pageAt(seen, 'authorize-failures.duplicate-parameter'),
  );
}

type AuthorizeFailures = ProfileAnswers['authorize-failures'];
type Cases = AuthorizeFailures['cases'];

interface SeenPage {
  readonly kind: 'page' | 'redirect';
  readonly status: number;
  readonly error: string | null;
}

function pageAt(seen: SeenAnswers, aspect: AspectId): SeenPage | undefined {
  const answer = seen.get(aspect);
  return typeof answer === 'object' && answer !== null && 'kind' in answer
    ? (answer as unknown as SeenPage)
    : undefined;
}

function caseFrom(
  { delivery: _, ...before }: Cases['access-denied'],
  page: SeenPage,
  asUsual: boolean,
  wording: string | undefined,
): Cases['access-denied'] {
  const possible = page.status === 200 || (page.status >= 400 && page.status <= 499);
  return {
    ...before,
    ...(page.kind === 'page' && possible ? { status: page.status as Cases['access-denied']['status'] } : {}),
    ...(page.error ? { error: page.error } : {}),
    ...(wording === undefined ? {} : { description: wording }),
    ...(asUsual ? {} : { delivery: page.kind }),
  };
}

function expressRepeated(
  failures: AuthorizeFailures,
  answer: AspectAnswer | undefined,
  page: SeenPage | undefined,
): void {
  if (answer === 'first-wins' || answer === 'last-wins') failures.repeatedParameter = answer;
  if (page === undefined) return;
  failures.repeatedParameter = 'refused';
  const repeated = failures.cases['parameter-repeated'];
  failures.cases['parameter-repeated'] = caseFrom(repeated, page, page.kind === 'page', undefined);
}

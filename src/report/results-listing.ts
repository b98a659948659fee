import { type CatalogueView, rowsByClause } from './catalogue-view.ts';
import type { Listing } from './listing.ts';
import { resultEntries } from './result-entries.ts';
import type { Results } from './results.ts';
import { backgroundOf, type Reader, remarksOn } from './run-remarks.ts';
import { describeTotals, isEvaluated } from './verdict.ts';
import { definedRows, durationText, momentText, type RunFact, targetText, verdictText } from './words.ts';

/** Lists the results of a run, for a text and for a page. */
export function resultsListing(
  results: Results,
  view: CatalogueView,
  program = 'npx legacy-conformance',
  reader: Reader = 'brief',
): Listing {
  const isBrief = isLong(results) && reader === 'brief';
  const facts = factsOf(results);
  const clauses = rowsByClause(results, view).filter(({ rows }) => rows.length > 0);
  const views = new Map(
    clauses.flatMap(({ rows }) => rows.map(({ result, requirement }) => [result.id, requirement])),
  );
  return {
    subject: targetText(results),
    verdict: verdictText(results),
    exitCode: results.exitCode,
    totals: `${describeTotals(results.requirements)}, in ${durationText(results.durationMs)}${reader === 'page' ? `, on ${momentText(results.startedAt)}` : ''}`,
    remarks: remarksOn(results, isBrief, reader),
    background: backgroundOf(results, reader),
    facts: isBrief ? [] : facts,
    table:
      isLong(results) || !results.requirements.some(isEvaluated)
        ? undefined
        : {
            head: ['clause', '', 'result'],
            rows: clauses.map(({ clause, title, rows }) => [
              clause,
              title.slice(0, 48),
              describeTotals(rows.map(({ result }) => result)),
            ]),
          },
    blocks: [
      {
        heading: isBrief ? `findings in brief${situationsText(results)}` : undefined,
        entries: resultEntries(
          results,
          (id) => views.get(id),
          isBrief,
          reader === 'page' ? undefined : program,
        ),
      },
    ],
  };
}

function situationsText({ client }: Results): string {
  const produced = client && producedText(client);
  if (client === undefined || produced === undefined) return '';
  const [gap, ...others] = gapTexts(client);
  const more = others.length === 0 ? '' : `; ${others.length} more in the report`;
  return `; situations ${produced}${gap === undefined ? '' : ` (${gap}${more})`}`;
}

type EvaluatedClient = NonNullable<Results['client']>;

function producedText({ situations }: EvaluatedClient): string | undefined {
  const produced = situations.filter(({ gap }) => gap === undefined);
  return situations.length === 0 ? undefined : `${produced.length} of ${situations.length} produced`;
}

/** Returns each reason why situations did not come about, behind their names. */
function gapTexts({ situations }: EvaluatedClient): readonly string[] {
  const gaps = situations.filter(({ gap }) => gap !== undefined);
  return [...Map.groupBy(gaps, ({ gap }) => gap)].map(
    ([gap, alike]) => `${alike.map(({ situation }) => situation).join(', ')}: ${gap}`,
  );
}

/** Findings of a client that are shown whole: more would be longer than a screen. */
const MOST_WHOLE = 2;

function isLong({ client, requirements }: Results): boolean {
  const found = requirements.filter(({ result }) => result === 'fail' || result === 'warning');
  return client !== undefined && found.length > MOST_WHOLE;
}

/** Returns the facts about the target, or about a client. A situation that did not come about is a term without a value. */
export function factsOf({ target, client }: Results): readonly RunFact[] {
  const { authUrl, baseUrl, profile, defects } = target;
  if (client === undefined)
    return definedRows<RunFact[1]>([
      ['authorization server', [authUrl]],
      ['resource API', [baseUrl]],
      ['profile', profile && [profile]],
      ['defects switched on', defects.length === 0 ? undefined : defects],
    ]);
  const { driven, clock, expiresIn, requests } = client;
  return definedRows<RunFact[1]>([
    ['driven by', `${DRIVEN[driven]}; ${requests} requests`],
    ['situations', producedText(client)],
    ...gapTexts(client).map((gap) => [gap, ''] as const),
    ['profile', profile],
    ["client's clock", clock && CLOCK[clock]],
    [
      'stated lifetime',
      expiresIn === undefined
        ? undefined
        : `${expiresIn} s, which departs from the document's 7200 (clause 8)`,
    ],
  ]);
}

const DRIVEN = {
  application: 'a running application, a browser and its own addresses',
  commands: 'commands',
  'own-tests': 'its own tests',
} as const;

const CLOCK = {
  faketime: 'moved by libfaketime',
  node: 'moved within Node',
  'in-process': 'moved in-process',
  none: 'not moved: real time, with a shorter stated lifetime',
} as const;

import {
  blockedByRoot,
  byReason,
  type CatalogueView,
  type CauseGroup,
  ofKind,
  type RequirementView,
  rowsByClause,
} from './catalogue-view.ts';
import { exchangeText } from './exchange-text.ts';
import type { Entry, Listing } from './listing.ts';
import type { RequirementResult, Results } from './results.ts';
import { describeTotals, verdictOf } from './verdict.ts';
import {
  clientFacts,
  decisiveExchange,
  durationText,
  explorationText,
  FINDING_WORD,
  furtherTroubles,
  habitLines,
  historyLines,
  isAcceptedToday,
  isDanger,
  notEvaluatedLines,
  notEvaluatedText,
  notExercisedLines,
  profileLines,
  RESULT_WORD,
  type RunFact,
  rerunLines,
  strengthText,
  targetFacts,
  targetText,
  usedText,
  verdictSentence,
  verdictText,
} from './words.ts';
import { wouldHaveCaught } from './would-have-caught.ts';

export function resultsListing(
  results: Results,
  view: CatalogueView,
  program = 'npx legacy-conformance',
  isVerbose = false,
): Listing {
  const { target, client, requirements } = results;
  const isBrief = isLong(results) && !isVerbose;
  const facts = client === undefined ? targetFacts(results) : clientFacts(client, target.profile);
  const clauses = rowsByClause(results, view).filter(({ rows }) => rows.length > 0);
  const views = new Map(
    clauses.flatMap(({ rows }) => rows.map(({ result, requirement }) => [result.id, requirement])),
  );
  return {
    subject: targetText(results),
    verdict: verdictText(results),
    exitCode: results.exitCode,
    totals: `${describeTotals(requirements)}, in ${durationText(results.durationMs)}`,
    remarks: remarksOn(results, program, isBrief),
    background: backgroundOf(results),
    facts: isBrief ? [] : facts,
    ...(isLong(results)
      ? {}
      : {
          table: {
            head: ['clause', '', 'result'],
            rows: clauses.map(({ clause, title, rows }) => [
              clause,
              title.slice(0, 48),
              describeTotals(rows.map(({ result }) => result)),
            ]),
          },
        }),
    blocks: [
      {
        ...(isBrief ? { heading: `findings in brief${situationsIn(facts)}` } : {}),
        entries: attention(results, (id) => views.get(id), isBrief),
      },
    ],
  };
}

function attention(
  results: Results,
  viewOf: (id: string) => RequirementView | undefined,
  isBrief: boolean,
): readonly Entry[] {
  const { requirements } = results;
  const headed = (result: RequirementResult, word: string): Entry => {
    const { id, clause, level, reason } = result;
    const { statement, explanation } = viewOf(id) ?? {};
    const about = [
      ...said(statement && `Demanded: ${statement}`),
      ...said(explanation && `Why it matters: ${explanation.why}`),
    ];
    return { sign: result.result, word, name: id, aside: `clause ${clause}, ${level}`, about, reason };
  };
  const found = ['fail' as const, 'warning' as const].flatMap((kind) =>
    worstFirst(ofKind(requirements, kind)).map((result) => ({
      ...headed(result, isDanger(result) ? 'danger' : isAcceptedToday(result) ? 'accepted today' : kind),
      ...seenIn(result),
      ...(isBrief ? { reason: inBrief(result) } : {}),
    })),
  );
  const whole = isBrief ? found.slice(0, MOST_IN_BRIEF) : found;
  const rest = found.slice(whole.length).map(({ name }) => name);
  return [
    ...(results.notices ?? []).map((name): Entry => ({ sign: 'warning', word: 'notice', name })),
    ...whole,
    ...(rest.length === 0 ? [] : [{ sign: 'warning', word: 'more', name: inReport(rest) } as const]),
    ...ofKind(requirements, 'known-deviation').map((result) => headed(result, RESULT_WORD[result.result])),
    ...(isBrief
      ? mayFollow(blockedByRoot(requirements))
      : blockedByRoot(requirements).map((group) =>
          many('blocked', group, results.client === undefined ? 'behind ' : `${MAY_FOLLOW} `),
        )),
    ...byReason(requirements, 'not-run')
      .filter(({ cause }) => results.troubles.every(({ message }) => message !== cause))
      .map((group) => many('not-run', group, '')),
    ...results.findings.map(
      ({ kind, requirement, message }): Entry => ({
        ...{ sign: 'fail', word: FINDING_WORD[kind], name: requirement, lines: [message] },
      }),
    ),
    ...furtherTroubles(results).map(
      ({ kind, message }): Entry => ({ sign: 'fail', word: kind, name: message }),
    ),
  ];
}

/** Findings of a client that are shown whole. More than a screen of them is read in the report. */
const MOST_WHOLE = 4;

/** Findings that have three lines each, so that a whole run prints forty at most. */
const MOST_IN_BRIEF = 9;

const inReport = (ids: readonly string[]) => `${ids.length}, in the report: ${ids.join(', ')}`;

const MAY_FOLLOW = 'that may be seen after the fix of';

function situationsIn(facts: readonly RunFact[]): string {
  const produced = facts.find(([term]) => term === 'situations')?.[1];
  const [gap, ...others] = facts.filter(([, value]) => value === '').map(([term]) => term);
  const more = others.length === 0 ? '' : `; ${others.length} more in the report`;
  return produced === undefined
    ? ''
    : `; situations ${produced}${gap === undefined ? '' : ` (${gap}${more})`}`;
}

function mayFollow(groups: readonly CauseGroup[]): readonly Entry[] {
  const texts = groups.map(({ cause, results }) => `${cause}: ${results.map(({ id }) => id).join(', ')}`);
  const count = groups.reduce((sum, { results }) => sum + results.length, 0);
  const name = `${count} ${MAY_FOLLOW} ${texts.join('; of ')}`;
  return count === 0 ? [] : [{ sign: 'blocked', word: RESULT_WORD.blocked, name }];
}

function isLong({ client, requirements }: Results): boolean {
  const found = requirements.filter(({ result }) => result === 'fail' || result === 'warning');
  return client !== undefined && found.length > MOST_WHOLE;
}

/** Keeps the first line of evidence and the first line of the fix. */
function inBrief({ reason }: RequirementResult): string {
  const [first = '', ...rest] = reason.split('\n');
  return [first, ...rest.filter((line) => line.startsWith('fix: '))].join('\n');
}

/** Dangers to users first, then what the document forbids and the service accepts today. */
function worstFirst(results: readonly RequirementResult[]): readonly RequirementResult[] {
  const rank = (result: RequirementResult) => (isDanger(result) ? 0 : isAcceptedToday(result) ? 1 : 2);
  return results.toSorted((a, b) => rank(a) - rank(b));
}

const SHOWN = 5;

function seenIn(result: RequirementResult): Pick<Entry, 'lines' | 'quote'> {
  const { alsoSeen = [] } = result;
  const exchange = decisiveExchange(result);
  const rest = alsoSeen.length - SHOWN;
  return {
    lines: [
      ...alsoSeen.slice(0, SHOWN).map((text) => `also seen: ${text}`),
      ...(rest > 0 ? [`also seen: ${rest} more, listed in results.json`] : []),
    ],
    ...(exchange && {
      quote: `# ${exchange.purpose}\n${exchangeText(exchange, true)}`,
    }),
  };
}

function many(sign: 'blocked' | 'not-run', { cause, results }: CauseGroup, link: string): Entry {
  const ids = results.map(({ id }) => id);
  return { sign, word: RESULT_WORD[sign], name: `${results.length} ${link}${cause}`, ids };
}

const said = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text]);

/** A sentence for a reader who does not know the ids, then the reasons, then what to do. */
function remarksOn(results: Results, program: string, isBrief: boolean): readonly string[] {
  const { requirements, client, target } = results;
  const [first] = [...ofKind(requirements, 'fail'), ...ofKind(requirements, 'warning')].filter(
    ({ level }) => level !== 'frozen',
  );
  const because = verdictOf(results).because.map((sentence) => `because ${sentence}`);
  return [
    ...verdictLines(results, because, isBrief),
    ...(target.defects.length === 0
      ? []
      : [`meant to fail: the emulator carries ${target.defects.join(', ')}`]),
    ...said(
      client?.accepted &&
        `after the first flow, the suite accepted what the service or a browser does not: ${client.accepted.join('; ')}`,
    ),
    ...profileLines(results),
    ...historyLines(results).map((line) => `history: ${line}`),
    ...said(notEvaluatedText(results)),
    ...said(
      results.selection === 'careful'
        ? `care: careful leaves out replays, odd ids and exploring; ${wouldHaveCaught(results)?.split(';')[0] ?? 'the report names what ran'}`
        : undefined,
    ),
    ...notExercised(results, isBrief),
    ...rerunLines(results).map((line) => `rerun: ${line}`),
    ...(results.notSelected ?? []).map((what) => `also seen, not selected: ${what}`),
    // The line of a client's requirement already has its subject.
    ...said(
      first && client === undefined
        ? `why it matters, how it is checked: ${program} explain ${first.id}`
        : undefined,
    ),
  ];
}

/** Without a verdict on the service, the cause says the most. */
function verdictLines(results: Results, because: readonly string[], isBrief: boolean): readonly string[] {
  if (results.verdict === 'inconclusive') return because;
  const [first, ...more] = because;
  const sentence = verdictSentence(results);
  return isBrief && first !== undefined ? [`${sentence} ${first}`, ...more] : [sentence, ...because];
}

/** A client's own tests can exercise more, so each line says how; below many findings the counts are enough. */
function notExercised(results: Results, isBrief: boolean): readonly string[] {
  if (!isBrief) return notExercisedLines(results).map((line) => `not exercised: ${line}`);
  const ids = ofKind(results.requirements, 'not-exercised').map(({ id }) => id);
  const named = ids.length > MOST_WHOLE ? '' : ` (${ids.join(', ')})`;
  const habits = habitLines(results).length;
  const counts = [
    ...(ids.length === 0
      ? []
      : [`not exercised: ${ids.length} ${ids.length === 1 ? 'requirement' : 'requirements'}${named}`]),
    ...(habits === 0 ? [] : [`habits recorded: ${habits}`]),
  ];
  const where = 'index.html and results.json of the report list each, with what shows it';
  return counts.length === 0 ? [] : [`${counts.join('; ')}: ${where}`];
}

function backgroundOf(results: Results): readonly string[] {
  const { exploration, used } = results;
  return [
    ...said(wouldHaveCaught(results)),
    ...notEvaluatedLines(results).map((line) => `not evaluated: ${line}`),
    ...said(habitLines(results).length === 0 ? undefined : `habits: ${habitLines(results).join('; ')}`),
    ...said(exploration && explorationText(exploration)),
    ...said(strengthText(results)),
    ...said(used && usedText(used)),
    ...results.leftBehind.map((what) => `left at the target: ${what}`),
  ];
}

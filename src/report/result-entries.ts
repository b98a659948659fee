import { type ByCause, blockedByRoot, byReason, type RequirementView } from './catalogue-view.ts';
import { countText } from './count-text.ts';
import { exchangeText } from './exchange-text.ts';
import type { Entry } from './listing.ts';
import type { ExchangeEvidence, RequirementResult, Results } from './results.ts';
import { isPreventedBy, ofKind } from './verdict.ts';
import {
  decisiveExchange,
  definedRows,
  FINDING_WORD,
  fixLines,
  isAcceptedToday,
  isDanger,
  presentTexts,
  RESULT_WORD,
  wholeReason,
} from './words.ts';

/** Returns the entries that need a look: findings, then what they prevent, then the problems of the run. */
export function resultEntries(
  results: Results,
  viewOf: (id: string) => RequirementView | undefined,
  isBrief: boolean,
  program: string | undefined,
): readonly Entry[] {
  const { requirements, troubles } = results;
  // A failure means exit 1, but troubles that the verdict's reasons omit must show too.
  const headed = (result: RequirementResult, word: string): Entry => {
    const { id, clause, level, effect, fix, reason } = result;
    const { statement, why } = viewOf(id) ?? {};
    const aside = `clause ${clause}, ${level}`;
    const about = definedRows<string>([
      ['Demanded', statement],
      ['Why it matters', why],
      ['Seen', reason],
      ['Effect', effect],
      ['Fix', fix?.join('\n')],
    ]);
    return { sign: result.result, word, name: id, aside, about, reason: wholeReason(result) };
  };
  const kinds = ['fail', 'warning'] as const;
  const notPassed = kinds.flatMap((kind) => worstFirst(ofKind(requirements, kind)));
  // The line of a client's requirement already says why.
  const first = results.client === undefined && notPassed.find(({ level }) => level !== 'frozen');
  const found = notPassed.map((result) => ({
    ...headed(result, WORST[rankOf(result)] ?? result.result),
    ...seenIn(
      result,
      exploredText(result, results),
      result === first &&
        program !== undefined &&
        `why, and how it is checked: ${program} explain ${result.id}`,
    ),
    ...(isBrief ? { reason: inBrief(result) } : {}),
  }));
  const whole = isBrief ? found.slice(0, MOST_IN_BRIEF) : found;
  const rest = found.slice(whole.length).map(({ name }) => name);
  const blocked = blockedByRoot(requirements);
  const link = results.client === undefined ? 'not evaluated because of ' : `${MAY_FOLLOW} `;
  return [
    ...(results.notices ?? []).map((name): Entry => ({ sign: 'warning', word: 'notice', name })),
    ...whole,
    ...(rest.length === 0 ? [] : [{ sign: 'warning', word: 'more', name: inReport(rest) } as const]),
    ...ofKind(requirements, 'known-deviation').map((result) => headed(result, RESULT_WORD[result.result])),
    ...(isBrief ? mayFollow(blocked) : blocked.map(([cause, group]) => many('blocked', group, link + cause))),
    ...byReason(
      requirements.filter((one) => !troubles.some((trouble) => isPreventedBy(trouble, one))),
      'not-run',
    ).map(([reason, group]) => many('not-run', group, reason)),
    ...results.findings.map(({ kind, requirement: name, message }): Entry => {
      return { sign: 'fail', word: FINDING_WORD[kind], name, lines: [message] };
    }),
    ...troubles.flatMap(({ kind, message, exchange }): readonly Entry[] => {
      const [name = '', ...lines] = message.split('\n');
      const shown = exchange && { quote: quoteOf(exchange) };
      // A trouble of another kind than the verdict is no reason of it.
      if (kind !== results.verdict) {
        const sign = kind === 'inconclusive' ? kind : 'fail';
        return [{ sign, word: kind, name, lines, ...shown }];
      }
      return exchange === undefined
        ? []
        : [{ sign: 'inconclusive', word: kind, name: `stopped by ${stoppedBy(exchange)}`, ...shown }];
    }),
  ];
}

/** Findings that have three lines each, so that a whole run prints forty at most. */
const MOST_IN_BRIEF = 8;

const inReport = (ids: readonly string[]) => `${ids.length}, in the report: ${ids.join(', ')}`;

const MAY_FOLLOW = 'that may be seen after the fix of';

function mayFollow(groups: ByCause): readonly Entry[] {
  const texts = groups.map(([cause, results]) => `${cause}: ${results.map(({ id }) => id).join(', ')}`);
  const count = groups.reduce((sum, [, results]) => sum + results.length, 0);
  const name = `${count} ${MAY_FOLLOW} ${texts.join('; of ')}`;
  return count === 0 ? [] : [{ sign: 'blocked', word: RESULT_WORD.blocked, name }];
}

function inBrief({ reason, fix }: RequirementResult): string {
  return [...reason.split('\n', 1), ...fixLines(fix).slice(0, 1)].join('\n');
}

/** Dangers to users first, then what the document forbids and the service accepts today. */
function worstFirst(results: readonly RequirementResult[]): readonly RequirementResult[] {
  return results.toSorted((a, b) => rankOf(a) - rankOf(b));
}

const WORST = ['danger', 'accepted today'];

function rankOf(result: RequirementResult): number {
  if (isDanger(result)) return 0;
  return isAcceptedToday(result) ? 1 : 2;
}

/** Returns what exploring adds to a failure's reason: the shortest sequence that shows it each time, else how often it was seen. */
function exploredText({ id }: RequirementResult, { exploration }: Results): string | false {
  const own = (exploration?.findings ?? []).filter(
    ({ requirement, counts }) => requirement === id && !counts,
  );
  const [shortest] = own
    .filter(({ again }) => again !== undefined && again.shown === again.of)
    .toSorted((one, other) => one.story.length - other.story.length);
  if (shortest !== undefined) return `shown again by ${shortest.story.join('; ')}`;
  const rate = own.find(({ rate }) => rate.broken < rate.examples)?.rate;
  return rate !== undefined && `exploring saw it in ${rate.broken} of ${rate.examples} examples of the run`;
}

function seenIn(
  result: RequirementResult,
  ...more: readonly (string | false)[]
): Pick<Entry, 'lines' | 'quote'> {
  const { alsoSeen = [] } = result;
  const exchange = decisiveExchange(result);
  const places = countText(alsoSeen.length, 'other place');
  return {
    lines: presentTexts(alsoSeen.length > 0 && `seen in ${places} too, listed in results.json`, ...more),
    quote: exchange && quoteOf(exchange),
  };
}

function stoppedBy({ request: { method, url }, response, error }: ExchangeEvidence): string {
  return `${method} ${url}: ${response === undefined ? error : `status ${response.status}`}`;
}

function quoteOf(exchange: ExchangeEvidence): string {
  return `# ${exchange.purpose}\n${exchangeText(exchange, true)}`;
}

function many(sign: 'blocked' | 'not-run', results: readonly RequirementResult[], why: string): Entry {
  const ids = results.map(({ id }) => id);
  return { sign, word: RESULT_WORD[sign], name: `${ids.length} ${why}`, ids };
}

import { toleratedFaultTexts } from '../http/tolerated-faults.ts';
import {
  type ByCause,
  blockedByRoot,
  byReason,
  type CatalogueView,
  type RequirementView,
  rowsByClause,
} from './catalogue-view.ts';
import { exchangeText } from './exchange-text.ts';
import type { Entry, Listing } from './listing.ts';
import type { ExchangeEvidence, RequirementResult, Results, Retirement } from './results.ts';
import { countText, describeTotals, isEvaluated, isPreventedBy, ofKind, verdictOf } from './verdict.ts';
import {
  decisiveExchange,
  definedRows,
  durationText,
  explorationText,
  FINDING_WORD,
  fixLines,
  historyLines,
  isAcceptedToday,
  isDanger,
  momentText,
  notEvaluatedLines,
  RESULT_WORD,
  type RunFact,
  rerunText,
  said,
  targetText,
  verdictText,
  wholeReason,
} from './words.ts';

/** A page has every finding whole and names no other place; `whole` is for `--verbose`. */
type Reader = 'brief' | 'whole' | 'page';

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
        heading: isBrief ? `findings in brief${situationsIn(facts)}` : undefined,
        entries: attention(results, (id) => views.get(id), isBrief, reader === 'page' ? undefined : program),
      },
    ],
  };
}

function attention(
  results: Results,
  viewOf: (id: string) => RequirementView | undefined,
  isBrief: boolean,
  program: string | undefined,
): readonly Entry[] {
  const { requirements, troubles } = results;
  // A failure means exit 1, but troubles that the verdict's reasons omit must show too.
  const headed = (result: RequirementResult, word: string): Entry => {
    const { id, clause, level, effect, fix } = result;
    const { statement, explanation } = viewOf(id) ?? {};
    const aside = `clause ${clause}, ${level}`;
    const reason = result.reason.replace(`clause ${clause}: `, '');
    const about = definedRows<string>([
      ['Demanded', statement],
      ['Why it matters', explanation?.why],
      ['Seen', reason],
      ['Effect', effect],
      ['Fix', fix?.join('\n')],
    ]);
    return { sign: result.result, word, name: id, aside, about, reason: wholeReason({ ...result, reason }) };
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

/** Findings of a client that are shown whole: more would be longer than a screen. */
const MOST_WHOLE = 2;

/** Findings that have three lines each, so that a whole run prints forty at most. */
const MOST_IN_BRIEF = 8;

const inReport = (ids: readonly string[]) => `${ids.length}, in the report: ${ids.join(', ')}`;

const MAY_FOLLOW = 'that may be seen after the fix of';

function situationsIn(facts: readonly RunFact[]): string {
  const produced = facts.find(([term]) => term === 'situations')?.[1];
  const [gap, ...others] = facts.filter(([, value]) => value === '').map(([term]) => term);
  const more = others.length === 0 ? '' : `; ${others.length} more in the report`;
  if (produced === undefined) return '';
  return `; situations ${produced}${gap === undefined ? '' : ` (${gap}${more})`}`;
}

function mayFollow(groups: ByCause): readonly Entry[] {
  const texts = groups.map(([cause, results]) => `${cause}: ${results.map(({ id }) => id).join(', ')}`);
  const count = groups.reduce((sum, [, results]) => sum + results.length, 0);
  const name = `${count} ${MAY_FOLLOW} ${texts.join('; of ')}`;
  return count === 0 ? [] : [{ sign: 'blocked', word: RESULT_WORD.blocked, name }];
}

function isLong({ client, requirements }: Results): boolean {
  const found = requirements.filter(({ result }) => result === 'fail' || result === 'warning');
  return client !== undefined && found.length > MOST_WHOLE;
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
    lines: said(alsoSeen.length > 0 && `seen in ${places} too, listed in results.json`, ...more),
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

/** A sentence for a reader who does not know the ids, then the reasons, then what to do. */
function remarksOn(results: Results, isBrief: boolean, reader: Reader): readonly string[] {
  const { requirements, client, target, selection, retirement, used, notSelected = [] } = results;
  const omitted = ofKind(requirements, 'not-applicable').length;
  const elsewhere = (hint: string) => (reader === 'brief' ? `; ${hint}` : '');
  return said(
    verdictLines(results, isBrief),
    target.defects.length > 0 && `meant to fail: the emulator carries ${target.defects.join(', ')}`,
    client?.accepted &&
      `after the first flow, the suite accepted what the service or a browser does not: ${client.accepted.join('; ')}`,
    imitation(results),
    toleratedFaultTexts(used),
    historyLines(results).map((line) => `history: ${line}`),
    retirement && `retirement: ${retirementText(retirement)}`,
    omitted > 0 && `not evaluated: ${countText(omitted)}${elsewhere('the report and --verbose say why')}`,
    selection === 'careful' && 'care: careful leaves out replays, odd ids and exploring',
    notExercised(results, isBrief, elsewhere('the report says more of each')),
    requirements.flatMap(({ id, earlierAttempts }) =>
      said(earlierAttempts && `rerun: ${id} (${rerunText(earlierAttempts)})`),
    ),
    notSelected.map((what) => `also seen, not selected: ${what}`),
  );
}

/** Without a verdict on the service, the cause says the most. */
function verdictLines(results: Results, isBrief: boolean): readonly string[] {
  const because = verdictOf(results).because.flatMap((sentence) => `because ${sentence}`.split('\n'));
  if (results.verdict === 'inconclusive') return because;
  const [first, ...more] = because;
  const sentence = verdictSentence(results);
  return isBrief && first !== undefined ? [`${sentence} ${first}`, ...more] : [sentence, ...because];
}

/** States the verdict for a reader who does not know the requirements' ids. */
function verdictSentence({ verdict, client, requirements }: Results): string {
  const [who, does, doesNot] =
    client === undefined
      ? ['the service', 'behaves as documented', 'does not behave as documented']
      : ['the client', 'follows the document', 'does not follow the document'];
  switch (verdict) {
    case 'conforms':
      return requirements.some(isAcceptedToday)
        ? `${who} works with your service, and ${doesNot}`
        : `${who} ${does}, as far as this run evaluated it`;
    case 'violates':
      return ofKind(requirements, 'fail').length === 0
        ? `${who} is not accepted as it is`
        : `${who} ${doesNot}`;
    case 'retired':
      return `${who} is retired, as the configuration expects`;
    case 'broken':
      return `the suite failed: this run says nothing about ${who}`;
    default:
      return `this run cannot tell if ${who} ${does}`;
  }
}

/** Says which service a profile imitates, if all warnings are expected of it. */
function imitation({ target, requirements, client, strict }: Results): string | undefined {
  const { kind, profile, defects, expectedWarnings = [] } = target;
  const warned = ofKind(requirements, 'warning').filter(({ level }) => level !== 'frozen');
  const isExpected = warned.length > 0 && warned.every(({ id }) => expectedWarnings.includes(id));
  if (kind !== 'emulator' || profile === undefined || defects.length > 0 || !isExpected) return undefined;
  if (client !== undefined || strict) return undefined;
  const [, version] = /^doorkeeper-(.+)$/.exec(profile) ?? [];
  const imitated = version === undefined ? 'a service' : `Doorkeeper ${version.replaceAll('-', ' ')}`;
  return `the warnings are expected: the emulator's profile ${profile} imitates ${imitated}, which departs from the RFC there`;
}

/** The requirements on clients that most clients break of those that tests seldom exercise. */
const FIRST_TO_ADD: readonly string[] = [
  'pair.newest-refresh-token',
  'renewal.one-at-a-time',
  'state.checked',
];

/** A client's own tests can exercise more: the background says how. */
function notExercised({ requirements, client }: Results, isBrief: boolean, more: string): readonly string[] {
  const all = ofKind(requirements, 'not-exercised');
  const first = all.filter(({ id }) => client?.driven === 'own-tests' && FIRST_TO_ADD.includes(id));
  const named = all.length > MOST_WHOLE ? '' : ` (${all.map(({ id }) => id).join(', ')})`;
  const habits = isBrief ? ofKind(requirements, 'observed').length : 0;
  const counts = said(
    all.length > 0 && `not exercised: ${countText(all.length)}${named}`,
    habits > 0 && `habits recorded: ${habits}`,
  );
  return said(
    first.map(({ id, reason }) => `worth adding first: ${id}: ${reason}`),
    counts.length > 0 && counts.join('; ') + more,
  );
}

function backgroundOf(results: Results, reader: Reader): readonly string[] {
  const { exploration, used, requirements, leftBehind } = results;
  const habits = ofKind(requirements, 'observed').map(
    ({ id, reason }) => `${id.replace('habits.', '')}: ${reason}`,
  );
  return said(
    notEvaluatedLines(results).map((line) => `not evaluated: ${line}`),
    reader !== 'page' &&
      ofKind(requirements, 'not-exercised').map(
        ({ id, reason, missing }) => `not exercised: ${id}: ${missing ? 'run with --app: ' : ''}${reason}`,
      ),
    habits.length > 0 && `habits: ${habits.join('; ')}`,
    exploration && explorationText(exploration),
    strengthText(results),
    used &&
      `used ${used.requests} requests, ${used.browserRequests} of them by the browser; ${used.refusedAuthentications} refusals of client credentials`,
    leftBehind.map((what) => `left at the target: ${what}`),
  );
}

function strengthText({ requirements }: Results): string | undefined {
  const passed = ofKind(requirements, 'pass');
  const seen = passed.flatMap(({ examples }) => examples?.seen ?? []);
  if (seen.length === 0) return undefined;
  const total = seen.reduce((sum, count) => sum + count, 0);
  return `${seen.length} of ${passed.length} passed requirements also held in the requests of other checks, ${total.toLocaleString('en')} times`;
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
  const { driven, clock, expiresIn, situations, requests } = client;
  const gaps = situations.filter(({ gap }) => gap !== undefined);
  const produced = `${situations.length - gaps.length} of ${situations.length} produced`;
  return definedRows<RunFact[1]>([
    ['driven by', `${DRIVEN[driven]}; ${requests} requests`],
    ['situations', situations.length === 0 ? undefined : produced],
    ...[...Map.groupBy(gaps, ({ gap }) => gap)].map(
      ([gap, alike]) => [`${alike.map(({ situation }) => situation).join(', ')}: ${gap}`, ''] as const,
    ),
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

function retirementText({ retired, notices, unexpected }: Retirement): string {
  const announced = notices.map(({ kind, date, value, origin }) => {
    const dated = kind === 'deprecation' ? `since ${date}` : `on ${date}`;
    const when = date === undefined ? `"${value}"` : dated;
    return `${kind === 'deprecation' ? 'deprecated' : 'sunset'} ${when} (${origin})`;
  });
  const word = unexpected === undefined ? 'retired' : `retired, not as expected: ${unexpected}`;
  return said(retired && word, announced).join(', ');
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

import { toleratedFaultTexts } from '../http/tolerated-faults.ts';
import { countText } from './count-text.ts';
import type { Results, Retirement } from './results.ts';
import { ofKind, verdictOf } from './verdict.ts';
import {
  explorationText,
  historyLines,
  isAcceptedToday,
  notEvaluatedLines,
  presentTexts,
  rerunText,
} from './words.ts';

/** A page has every finding whole and names no other place; `whole` is for `--verbose`. */
export type Reader = 'brief' | 'whole' | 'page';

/** A sentence for a reader who does not know the ids, then the reasons, then what to do. */
export function remarksOn(results: Results, isBrief: boolean, reader: Reader): readonly string[] {
  const { requirements, client, target, selection, retirement, used, notSelected = [] } = results;
  const omitted = ofKind(requirements, 'not-applicable').length;
  const elsewhere = (hint: string) => (reader === 'brief' ? `; ${hint}` : '');
  return presentTexts(
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
      presentTexts(earlierAttempts && `rerun: ${id} (${rerunText(earlierAttempts)})`),
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

/** Requirements that were not exercised and are named. */
const MOST_NAMED = 2;

/** A client's own tests can exercise more: the background says how. */
function notExercised({ requirements, client }: Results, isBrief: boolean, more: string): readonly string[] {
  const all = ofKind(requirements, 'not-exercised');
  const first = all.filter(({ id }) => client?.driven === 'own-tests' && FIRST_TO_ADD.includes(id));
  const named = all.length > MOST_NAMED ? '' : ` (${all.map(({ id }) => id).join(', ')})`;
  const habits = isBrief ? ofKind(requirements, 'observed').length : 0;
  const counts = presentTexts(
    all.length > 0 && `not exercised: ${countText(all.length)}${named}`,
    habits > 0 && `habits recorded: ${habits}`,
  );
  return presentTexts(
    first.map(({ id, reason }) => `worth adding first: ${id}: ${reason}`),
    counts.length > 0 && counts.join('; ') + more,
  );
}

/** Returns the facts that decide nothing. */
export function backgroundOf(results: Results, reader: Reader): readonly string[] {
  const { exploration, used, requirements, leftBehind } = results;
  const habits = ofKind(requirements, 'observed').map(
    ({ id, reason }) => `${id.replace('habits.', '')}: ${reason}`,
  );
  return presentTexts(
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

function retirementText({ retired, notices, unexpected }: Retirement): string {
  const announced = notices.map(({ kind, date, value, origin }) => {
    const dated = kind === 'deprecation' ? `since ${date}` : `on ${date}`;
    const when = date === undefined ? `"${value}"` : dated;
    return `${kind === 'deprecation' ? 'deprecated' : 'sunset'} ${when} (${origin})`;
  });
  const word = unexpected === undefined ? 'retired' : `retired, not as expected: ${unexpected}`;
  return presentTexts(retired && word, announced).join(', ');
}

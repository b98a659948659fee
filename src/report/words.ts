import { byReason } from './catalogue-view.ts';
import type {
  Evidence,
  ExchangeEvidence,
  Level,
  RequirementResult,
  ResultKind,
  Results,
  Retirement,
  RunFinding,
  RunTrouble,
  Used,
} from './results.ts';
import { verdictOf } from './verdict.ts';

/** In the order of attention. */
export const RESULT_WORD: Readonly<Record<ResultKind, string>> = {
  fail: 'failed',
  warning: 'warning',
  'not-run': 'not run',
  blocked: 'blocked',
  'known-deviation': 'known deviation',
  'not-applicable': 'not applicable',
  'not-exercised': 'not exercised',
  pass: 'passed',
  observed: 'observed',
};

export const BY_ATTENTION = Object.keys(RESULT_WORD) as readonly ResultKind[];

export const LEVEL_MEANING: Readonly<Record<Level, string>> = {
  documented: 'the document says so',
  strictness: 'the document requires or limits it; leniency warns',
  standard: 'the document is silent, the RFC rules; a breach warns',
  observed: 'recorded, never evaluated',
  frozen: 'the document is silent; the answer was recorded, and this run compared the target with it',
};

export const FINDING_WORD: Readonly<Record<RunFinding['kind'], string>> = {
  'stale-deviation': 'stale known deviation',
  'unknown-deviation': 'unknown known deviation',
  'expired-deviation': 'expired known deviation',
  'left-assigned': 'a user stays assigned',
};

export function verdictText({
  verdict,
  selection,
  requirements,
}: Pick<Results, 'verdict' | 'selection' | 'requirements'>): string {
  const dangers = requirements.filter(isDanger).length;
  const accepted = requirements.filter(isAcceptedToday).length;
  const withThem = [
    ...(accepted === 0
      ? []
      : [`${accepted} ${accepted === 1 ? 'breach' : 'breaches'} that the service accepts today`]),
    ...(dangers === 0 ? [] : [`${dangers} ${dangers === 1 ? 'danger' : 'dangers'} to users`]),
  ];
  const whole =
    verdict !== 'conforms' || withThem.length === 0 ? '' : ` to the document, with ${withThem.join(' and ')}`;
  return `${verdict}${whole}${selection === 'complete' ? '' : ' (partial)'}`;
}

/** States the verdict for a reader who does not know the requirements' ids. */
export function verdictSentence({
  verdict,
  client,
  requirements,
}: Pick<Results, 'verdict' | 'client' | 'requirements'>): string {
  const who = client === undefined ? 'the service' : 'the client';
  const does = client === undefined ? 'behaves as documented' : 'does its side of the document';
  const doesNot =
    client === undefined ? 'does not behave as documented' : 'does not do its side of the document';
  const failed = requirements.filter(({ result }) => result === 'fail').length;
  switch (verdict) {
    case 'conforms':
      return requirements.some(isAcceptedToday)
        ? `${who} works with your service, and ${doesNot}`
        : `${who} ${does}, as far as this run evaluated it`;
    case 'violates':
      return failed === 0 ? `${who} is not accepted as it is` : `${who} ${doesNot}`;
    case 'retired':
      return `${who} is retired, as the configuration expects`;
    case 'broken':
      return `the suite failed: this run says nothing about ${who}`;
    default:
      return `this run cannot tell if ${who} ${does}`;
  }
}

/** True for a warning that endangers users. */
export function isDanger({ danger, result }: RequirementResult): boolean {
  return danger === true && result === 'warning';
}

/** True for a request of a client that the document forbids, and that the service accepts today. */
export function isAcceptedToday({ acceptedToday, result }: RequirementResult): boolean {
  return acceptedToday === true && result === 'warning';
}

export function targetText({ target, client }: Pick<Results, 'target' | 'client'>): string {
  if (client !== undefined) return `client ${client.name}`;
  const kind = target.kind === 'emulator' ? 'emulator' : 'live target';
  return target.name.toLowerCase().startsWith(kind) ? target.name : `${kind} ${target.name}`;
}

/** Returns troubles that the verdict's reasons omit: a failure means exit 1, but other troubles must show too. */
export function furtherTroubles(results: Results): readonly RunTrouble[] {
  const said = verdictOf(results).because;
  return results.troubles.filter(({ message }) => !said.some((sentence) => sentence.startsWith(message)));
}

export function retirementText({ retired, notices, unexpected }: Retirement): string {
  const said = notices.map(({ kind, date, value, origin }) => {
    const when = date === undefined ? `"${value}"` : kind === 'deprecation' ? `since ${date}` : `on ${date}`;
    return `${kind === 'deprecation' ? 'deprecated' : 'sunset'} ${when} (${origin})`;
  });
  const word = unexpected === undefined ? 'retired' : `retired, not as expected: ${unexpected}`;
  return [...(retired ? [word] : []), ...said].join(', ');
}

export function usedText({ requests, browserRequests, refusedAuthentications }: Used): string {
  return `used ${requests} requests, ${browserRequests} of them by the browser; ${refusedAuthentications} refusals of client credentials`;
}

export function inOrder(evidence: readonly Evidence[]): readonly Evidence[] {
  return evidence.toSorted((a, b) => a.order - b.order);
}

/** Returns the last exchange: a check stops at the one that decides it. */
export function decisiveExchange(result: Pick<RequirementResult, 'evidence'>): ExchangeEvidence | undefined {
  return inOrder(result.evidence).findLast((entry) => entry.kind === 'exchange');
}

export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Renders one line per reason why requirements were not evaluated: `5 requirements (lifetime.dead-after-7200, …): needs
 * clock: …`.
 */
export function notEvaluatedLines({ requirements }: Pick<Results, 'requirements'>): readonly string[] {
  return byReason(requirements, 'not-applicable').map(({ cause, results }) => {
    const ids = results.slice(0, 8).map(({ id }) => id);
    const named = results.length > ids.length ? [...ids, '…'] : ids;
    const noun = results.length === 1 ? 'requirement' : 'requirements';
    return `${results.length} ${noun} (${named.join(', ')}): ${cause}`;
  });
}

/** Counts the requirements that were not evaluated. */
export function notEvaluatedText({ requirements }: Pick<Results, 'requirements'>): string | undefined {
  const count = requirements.filter(({ result }) => result === 'not-applicable').length;
  if (count === 0) return undefined;
  return `not evaluated: ${count} requirement${count === 1 ? '' : 's'}; the report and --verbose say why`;
}

/**
 * Renders requirements that a client's run did not exercise: `state.checked: deliver a callback whose state was
 * changed`. Neutral for the verdict.
 */
export function notExercisedLines({ requirements }: Pick<Results, 'requirements'>): readonly string[] {
  const all = requirements.filter(({ result }) => result === 'not-exercised');
  const [left, others] = [all.filter(isLeftOut), all.filter((one) => !isLeftOut(one))];
  return [
    ...others.map(({ id, reason }) => `${id}: ${reason}`),
    ...(left.length === 0 ? [] : [`${left.length} requirements that other situations show`]),
  ];
}

function isLeftOut({ reason }: RequirementResult): boolean {
  return reason.startsWith('shown by --only');
}

export function habitLines({ requirements }: Pick<Results, 'requirements'>): readonly string[] {
  return requirements
    .filter(({ result }) => result === 'observed')
    .map(({ id, reason }) => `${id.replace('habits.', '')}: ${reason}`);
}

export function reproducedText({ seen, of, why }: NonNullable<RequirementResult['reproduced']>): string {
  if (why !== undefined) return `not tried again: ${why}`;
  return seen === of ? `reproduced ${seen} of ${of}` : `not reproduced: flaky, ${seen} of ${of}`;
}

/** Renders what earlier runs and the second run add to the verdict. */
export function historyLines({ history, requirements }: Results): readonly string[] {
  const again = requirements.flatMap(({ id, reproduced }) =>
    reproduced === undefined ? [] : [`${id}: ${reproducedText(reproduced)}`],
  );
  if (history === undefined) return again;
  const { inconclusiveNights: nights, lastConclusive: last, changes } = history;
  const when = last && `${last.startedAt.slice(0, 10)} (${last.verdict})`;
  return [
    ...again,
    ...(nights === 0 ? [] : [`nights without a conclusion: ${nights}`]),
    when === undefined ? 'last conclusive run: none is recorded' : `last conclusive run: ${when}`,
    ...changes.map((change) => `changed since then: ${change}`),
  ];
}

export function rerunLines({ requirements }: Results): readonly string[] {
  return requirements.flatMap(({ id, earlierAttempts }) =>
    earlierAttempts === undefined ? [] : [`${id} (${rerunText(earlierAttempts)})`],
  );
}

export function rerunText(times: readonly string[]): string {
  const often = ['once', 'twice'][times.length - 1] ?? `${times.length} times`;
  return `${often}, ${times.join('; ')}`;
}

export function examplesText({ seen, broken }: NonNullable<RequirementResult['examples']>): string {
  return `${seen - broken} of ${seen} ${seen === 1 ? 'exchange' : 'exchanges'} of the run as demanded`;
}

export function profileLines({
  target,
  requirements,
  client,
  strict,
}: Pick<Results, 'target' | 'requirements' | 'client' | 'strict'>): readonly string[] {
  const { kind, profile, defects, expectedWarnings = [] } = target;
  const warned = requirements.filter(({ result, level }) => result === 'warning' && level !== 'frozen');
  const isExpected = warned.length > 0 && warned.every(({ id }) => expectedWarnings.includes(id));
  if (kind !== 'emulator' || profile === undefined || defects.length > 0 || !isExpected) return [];
  if (client !== undefined || strict) return [];
  const [, version] = /^doorkeeper-(.+)$/.exec(profile) ?? [];
  const imitated = version === undefined ? 'a service' : `Doorkeeper ${version.replaceAll('-', ' ')}`;
  return [
    `the warnings are expected: the emulator's profile ${profile} imitates ${imitated}, which departs from the RFC there`,
  ];
}

export function strengthText({ requirements }: Pick<Results, 'requirements'>): string | undefined {
  const passed = requirements.filter(({ result }) => result === 'pass');
  const counted = passed.filter(({ examples }) => examples !== undefined);
  if (counted.length === 0) return undefined;
  const total = counted.reduce((sum, { examples }) => sum + (examples?.seen ?? 0), 0);
  return `${total.toLocaleString('en')} evaluations of requests; ${counted.length} of ${passed.length} passed requirements were also confirmed by requests of other checks`;
}

export function explorationText({
  seed,
  requests,
  steps,
  wanted,
  findings,
}: NonNullable<Results['exploration']>): string {
  const found = findings.length === 0 ? 'nothing found' : `${findings.length} found`;
  const fewer = wanted === undefined ? '' : ` (\`budget.requests\` left no more: ${wanted} are usual)`;
  return `explored ${requests} requests in ${steps} steps, seed ${seed}: ${found}${fewer}`;
}

/** A fact about a run, as every format names it. A value is a sentence, or a list of names. */
export type RunFact = readonly [term: string, value: string | readonly string[]];

export function present<V>(
  rows: readonly (readonly [term: string, value: V | undefined])[],
): readonly (readonly [term: string, value: V])[] {
  return rows.filter((row): row is readonly [string, V] => row[1] !== undefined);
}

export function targetFacts(results: Results): readonly RunFact[] {
  const { target, client, retirement } = results;
  const { authUrl, baseUrl, profile, defects } = target;
  return present<RunFact[1]>([
    ['authorization server', [authUrl]],
    ['resource API', [baseUrl]],
    ['profile', profile && client === undefined ? [profile] : undefined],
    ['defects switched on', defects.length === 0 ? undefined : defects],
    ['retirement', retirement && retirementText(retirement)],
  ]);
}

/** Returns the facts about a client. A situation that did not come about is a term without a value. */
export function clientFacts(
  { driven, clock, expiresIn, situations, requests }: NonNullable<Results['client']>,
  profile: string | undefined,
): readonly RunFact[] {
  const gaps = situations.filter(({ gap }) => gap !== undefined);
  const produced = `${situations.length - gaps.length} of ${situations.length} produced`;
  return present<RunFact[1]>([
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

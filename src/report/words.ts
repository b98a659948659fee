import { byReason } from './catalogue-view.ts';
import { countText } from './count-text.ts';
import type {
  Evidence,
  ExchangeEvidence,
  Level,
  RequirementResult,
  ResultKind,
  Results,
  RunFinding,
} from './results.ts';

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

/** Counts results by kind, in the order of attention. */
export function kindsIn(
  results: readonly RequirementResult[],
): readonly (readonly [kind: ResultKind, count: number])[] {
  const byKind = Map.groupBy(results, ({ result }) => result);
  const kinds = Object.keys(RESULT_WORD) as readonly ResultKind[];
  return kinds.flatMap((kind) => (byKind.has(kind) ? [[kind, byKind.get(kind)?.length ?? 0] as const] : []));
}

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

/** Returns the texts that are there, those of lists too. A condition before a text leaves it out. */
export function presentTexts(
  ...texts: readonly (string | false | undefined | readonly string[])[]
): string[] {
  return texts.flat().filter((text): text is string => Boolean(text));
}

/** Returns the reason of a result, and for a client the effect and the fix below it. */
export function wholeReason({ reason, effect, fix }: RequirementResult): string {
  return [reason, ...presentTexts(effect && `effect on the user: ${effect}`, fixLines(fix))].join('\n');
}

export function fixLines([first, ...rest]: RequirementResult['fix'] = []): readonly string[] {
  return first === undefined ? [] : [`fix: ${first}`, ...rest.map((line) => `     ${line}`)];
}

export function verdictText({ verdict, selection, requirements }: Results): string {
  const dangers = requirements.filter(isDanger).length;
  const accepted = requirements.filter(isAcceptedToday).length;
  const withThem = presentTexts(
    accepted > 0 && `${countText(accepted, 'breach', 'breaches')} of the document that it accepts today`,
    dangers > 0 && `${countText(dangers, 'danger')} to users`,
  ).join(' and ');
  const to = accepted === 0 ? 'to the document' : 'to your service';
  const whole = verdict === 'conforms' && withThem !== '' ? ` ${to}, with ${withThem}` : '';
  const { length } = requirements;
  const shown = requirements.filter(({ result }) => result !== 'not-exercised').length;
  const partly = shown < length ? `: ${shown} of ${length} shown` : '';
  return `${verdict}${whole}${selection === 'complete' ? '' : ` (partial${partly})`}`;
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

export function evidenceInOrder(evidence: readonly Evidence[]): readonly Evidence[] {
  return evidence.toSorted((a, b) => a.order - b.order);
}

/** Returns the exchange that shows the result. */
export function decisiveExchange(result: RequirementResult): ExchangeEvidence | undefined {
  const exchanges = evidenceInOrder(result.evidence).filter((entry) => entry.kind === 'exchange');
  return exchanges.find(({ decisive }) => decisive) ?? exchanges.at(-1);
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
export function notEvaluatedLines({ requirements }: Results): readonly string[] {
  return byReason(requirements, 'not-applicable').map(([cause, results]) => {
    const ids = results.slice(0, 8).map(({ id }) => id);
    const named = results.length > ids.length ? [...ids, '…'] : ids;
    return `${countText(results.length)} (${named.join(', ')}): ${cause}`;
  });
}

export function reproducedText({ seen, of, why }: NonNullable<RequirementResult['reproduced']>): string {
  if (why !== undefined) return `not tried again: ${why}`;
  return seen === of ? `reproduced ${seen} of ${of}` : `not reproduced: flaky, ${seen} of ${of}`;
}

/** Renders what earlier runs and the second run add to the verdict. */
export function historyLines({ history, requirements }: Results): readonly string[] {
  const again = requirements.flatMap(({ id, reproduced }) =>
    presentTexts(reproduced && `${id}: ${reproducedText(reproduced)}`),
  );
  if (history === undefined) return again;
  const { inconclusiveNights: nights, lastConclusive: last, changes } = history;
  const when = last && `${last.startedAt.slice(0, 10)} (${last.verdict})`;
  return presentTexts(
    again,
    nights > 0 && `nights without a conclusion: ${nights}`,
    `last conclusive run: ${when ?? 'none is recorded'}`,
    changes.map((change) => `changed since then: ${change}`),
  );
}

export function rerunText(times: readonly string[]): string {
  const often = ['once', 'twice'][times.length - 1] ?? `${times.length} times`;
  return `${often}, ${[...new Set(times)].join('; ')}`;
}

export function examplesText({ seen, broken }: NonNullable<RequirementResult['examples']>): string {
  return `${seen - broken} of ${countText(seen, 'exchange')} of the run as demanded`;
}

export function explorationText({
  seed,
  requests,
  steps,
  wanted,
  findings,
}: NonNullable<Results['exploration']>): string {
  const found = findings.length === 0 ? 'no fault found' : `${findings.length} found`;
  const fewer =
    wanted === undefined
      ? ''
      : ` (\`budget.requests\`, or 3,300 requests in a run, left no more: ${wanted} are usual)`;
  return `explored with ${requests} further requests in ${steps} steps (seed ${seed}): ${found}${fewer}`;
}

/** Words a moment in ISO 8601, in UTC and to the second. */
export function momentText(moment: string): string {
  return moment.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
}

/** A fact about a run, as every format names it. A value is a sentence, or a list of names. */
export type RunFact = readonly [term: string, value: string | readonly string[]];

export function definedRows<V>(
  rows: readonly (readonly [term: string, value: V | undefined])[],
): readonly (readonly [term: string, value: V])[] {
  return rows.filter((row): row is readonly [string, V] => row[1] !== undefined);
}

import type { SituationId } from '../../generated/ids.ts';
import type { ClientCatalogue, ClientRequirement } from '../document/load-client-requirements.ts';
import type { JournalEntry } from '../emulator/control/control-types.ts';
import { testOf } from '../emulator/journal/mark.ts';
import type { SecretRegistry } from '../http/secrets/registry.ts';
import { firstOf } from '../report/count-text.ts';
import type { RequirementResult, Results, RunTrouble } from '../report/results.ts';
import { failingResult } from '../report/results-of.ts';
import type { Run } from '../report/verdict.ts';
import type { Episode } from './evaluate/episode.ts';
import type { ClientEvaluation } from './evaluate/evaluate-requirements.ts';
import { sentFrom } from './evaluate/journal.ts';
import { type Line, lineText } from './evaluate/line.ts';
import type { Evaluation } from './evaluate/rule.ts';

const MOST_LINES = 4;

export interface ClientRun {
  readonly evaluation: ClientEvaluation;
  readonly episodes: readonly Episode[];
  /** True if the user named the profile: what it accepts of the form of requests, the user's service accepts today. */
  readonly isProfileChosen: boolean;
  readonly catalogue: ClientCatalogue;
  readonly client: NonNullable<Results['client']>;
  readonly target: Run['target'];
  readonly suiteVersion: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly strict: boolean;
  readonly partial: boolean;
  /** The reason why the flow stopped. It explains what is missing. */
  readonly stopped?: string | undefined;
  readonly troubles: readonly RunTrouble[];
  readonly secrets: SecretRegistry;
}

export function clientResults(run: ClientRun): Run {
  const { evaluation, catalogue } = run;
  const startedAt = run.startedAt.toISOString();
  const evaluated = evaluation.evaluated.map(({ id, evaluation }) => {
    const requirement = catalogue.requirement(id);
    const isBroken = evaluation.kind === 'broken';
    const answers = isBroken ? honoured(requirement, evaluation.lines) : [];
    return { requirement, evaluation, isBroken, answers };
  });
  // A request that the service, or the suite after the first flow, accepted explains no other finding; nor does a consequence.
  const causes = evaluated.flatMap(({ requirement, evaluation, answers }) => {
    const isCause = evaluation.kind === 'broken' && !answers.includes(true);
    return isCause && isUsual(requirement, evaluation.lines) ? [requirement] : [];
  });
  const causeOf = (id: string): string | undefined =>
    causes.find((one) => one.explains?.some((other) => other === id) && !causeOf(one.id))?.id;
  // A client whose refresh fails, or that never refreshes, cannot show how it renews.
  const renewal: ClientRequirement['id'] = 'renewal.after-expiry';
  const isRenewalBroken = evaluated.some(
    ({ requirement, isBroken }) => isBroken && requirement.id === renewal,
  );
  const isUnable = isRenewalBroken && evaluation.missing.includes('refresh');
  const noRefresh = isUnable ? (causeOf(renewal) ?? renewal) : undefined;
  const requirements = evaluated.map(({ requirement, evaluation, isBroken, answers }) => {
    const result = resultOf(requirement, evaluation, answers, startedAt, run);
    if (isBroken) return explained(result, causeOf(requirement.id));
    const isHidden =
      evaluation.kind === 'not-exercised' && situationsLeft(requirement, run.client).length === 0;
    return isHidden ? explained(result, noRefresh) : result;
  });
  const unexplained = evaluation.missing.filter((needed) => needed !== 'refresh' || noRefresh === undefined);
  const missing: RunTrouble = {
    kind: 'inconclusive',
    message: `there was ${unexplained.map((needed) => `no successful ${needed}`).join(', ')}: a verdict on a client needs that`,
  };
  const notices = noticesOn(run);
  const isMissing = unexplained.length > 0 && run.stopped === undefined;
  return {
    subject: 'client',
    client: run.client,
    suiteVersion: run.suiteVersion,
    catalogueDigest: catalogue.digest,
    selection: run.partial ? 'partial' : 'complete',
    strict: run.strict,
    startedAt,
    durationMs: Math.round(run.durationMs),
    target: run.target,
    requirements,
    observations: [],
    troubles: isMissing ? [...run.troubles, missing] : run.troubles,
    findings: [],
    leftBehind: [],
    ...(notices.length > 0 && { notices }),
  };
}

/** A stack trace as languages print it, or the page of a framework in development mode. */
const TRACE =
  /Traceback \(most recent call last\)|\bat [^\n(<]*\(?(?:file:\/\/|node:|\/)[^\s()<]+:\d+:\d+|\bat [\w.$]+\(\w+\.(?:java|kt):\d+\)|\bat .{1,200} in .{1,200}:line \d+|Stack trace:\s*#0|\.rb:\d+:in [`'&]|goroutine \d+ \[running\]|Werkzeug Debugger|DEBUG = True|Whoops, looks like|show_exceptions<\/code> setting|Action Controller: Exception caught|An unhandled exception occurred while processing/;

/** Real seconds of waits from which a report names them. */
const LONG = 60;

/** Returns what affects no verdict: stack traces that reached a user, and the waits of a long run. */
function noticesOn({ episodes, client }: ClientRun): readonly string[] {
  const shown = episodes.filter(({ received = [] }) => received.some(({ text }) => TRACE.test(text)));
  const where = firstOf(shown.map(({ situation }) => situation));
  const trace = `a stack trace, or the page of a debugger, reached a user in ${where}: in production it shows your code to everybody`;
  const waits = episodes.flatMap(({ steps }) => steps).filter(({ act }) => act === 'time');
  const waited = Math.round(waits.reduce((sum, { tookMs = 0 }) => sum + tookMs, 0) / 1_000);
  const wait = `the situations waited ${waited} s in all for tokens to expire, several of them at a time: libfaketime (not for Go), or \`clock\` in the file, makes that unnecessary`;
  return [
    ...(shown.length === 0 ? [] : [trace]),
    ...(client.clock === 'none' && waited > LONG ? [wait] : []),
  ];
}

function resultOf(
  requirement: ClientRequirement,
  evaluation: Evaluation,
  answers: readonly boolean[],
  startedAt: string,
  { client, secrets, episodes, isProfileChosen, target }: ClientRun,
): RequirementResult {
  const { id, clause, level, danger } = requirement;
  const base = { id, clause, level, durationMs: 0, evidence: [] };
  switch (evaluation.kind) {
    case 'kept':
      return { ...base, result: 'pass', reason: '', examples: { seen: evaluation.examples, broken: 0 } };
    case 'not-exercised':
      return {
        ...base,
        result: 'not-exercised',
        reason: evaluation.why ?? wouldShow(requirement, client),
        ...(client.driven === 'own-tests' && requirement.inTests === undefined && { missing: ['app'] }),
      };
    case 'observed':
      return { ...base, result: 'observed', reason: secrets.redact(evaluation.answer) };
    case 'broken': {
      const lines = evaluation.lines.map((line) => ({ ...line, text: secrets.redact(line.text) }));
      const acceptedToday = isProfileChosen && answers.length > 0 && !answers.includes(false);
      const accepted = `accepted by the service today (profile ${target.profile}), and forbidden by the document`;
      return {
        ...base,
        result: acceptedToday ? 'warning' : failingResult({ level }),
        reason: brokenReason(
          lines,
          testsBehind(lines).map((name) => secrets.redact(name)),
          acceptedToday ? [accepted] : [],
        ),
        effect: (acceptedToday && requirement.whenAccepted) || requirement.suffers,
        fix: requirement.fix,
        ...(acceptedToday ? { acceptedToday } : {}),
        ...(danger === undefined ? {} : { danger }),
        signature: signatureOf(lines),
        evidence: [
          ...lines.map((line) => ({ purpose: 'journal', detail: lineText(line) })),
          ...requestsBehind(lines, episodes).map((detail) => ({ purpose: 'request', detail })),
        ].map((step, index) => ({ kind: 'step', order: index + 1, ...step, startedAt, durationMs: 0 })),
      };
    }
  }
}

/** True if a situation that is meant to show the breach did, of `explainsIn` if there are some. One that arose elsewhere alone, after a failed exchange say, explains no other. */
function isUsual({ situations, explainsIn }: ClientRequirement, lines: readonly Line[]): boolean {
  const seen = situationsIn(lines);
  return seen.length === 0 || (explainsIn ?? situations).some((situation) => seen.includes(situation));
}

/** A result that the mistake behind another one explains, if there is such a `cause`: not a finding of its own. */
function explained(whole: RequirementResult, cause: string | undefined): RequirementResult {
  if (cause === undefined) return whole;
  const { signature, danger, effect, fix, ...result } = whole;
  return {
    ...result,
    result: 'blocked',
    blockedBy: cause,
    reason: `may follow from ${cause}, and may be seen after its fix`,
  };
}

/** Returns the requirement's situations that the run did not produce whole. */
function situationsLeft(
  { situations }: ClientRequirement,
  client: ClientRun['client'],
): readonly SituationId[] {
  const whole = client.situations.filter(({ gap }) => gap === undefined);
  return situations.filter((id) => whole.every(({ situation }) => situation !== id));
}

function wouldShow(requirement: ClientRequirement, client: ClientRun['client']): string {
  const { inTests, situations } = requirement;
  if (client.driven === 'own-tests') return inTests ?? `the situation ${situations[0]} produces it`;
  const left = situationsLeft(requirement, client);
  const gap = client.situations.find(({ situation, gap }) => gap && left.some((id) => id === situation))?.gap;
  if (gap !== undefined) return `${left[0]} was not produced: ${gap}`;
  return left.length === 0
    ? `${situations.join(', ')} did not show it`
    : `shown by --only ${left.join(' or --only ')}`;
}

function brokenReason(lines: readonly Line[], tests: readonly string[], remarks: readonly string[]): string {
  const groups = [...Map.groupBy(lines, shapeOf).values()];
  const more = groups.length > MOST_LINES ? [`and ${groups.length - MOST_LINES} more, in results.json`] : [];
  return [
    ...groups.slice(0, MOST_LINES).map(oneOf),
    ...more,
    ...(tests.length === 0 ? [] : [`in the tests: ${tests.join(', ')}`]),
    ...remarks,
  ].join('\n');
}

/** Returns a text without numbers: alike for the same observation in two situations. */
function shapeOf({ text }: Line): string {
  return text.replaceAll(/\d+(?:, \d+)*/g, '#');
}

/** Returns the first of alike lines, with the number of the others and their situations. */
function oneOf(lines: readonly Line[]): string {
  const [first = ''] = lines.map(lineText);
  const others = situationsIn(lines).slice(1);
  if (lines.length === 1) return first;
  const named = others.length > MOST_NAMED ? `${others.length} other situations` : others.join(', ');
  return `${first} (and ${lines.length - 1} more${named === '' ? '' : `, in ${named}`})`;
}

const MOST_NAMED = 3;

/** The same in every run: holds the situations, but no ordinal or time. */
function signatureOf(lines: readonly Line[]): string {
  const named = situationsIn(lines).toSorted();
  return named.length === 0 ? 'seen broken' : `seen broken in ${named.join(', ')}`;
}

function situationsIn(lines: readonly Line[]): readonly string[] {
  return [...new Set(lines.flatMap(({ situation }) => situation ?? []))];
}

/** Returns the marks of the cited requests: an integrator's own tests give their names by marks. */
function testsBehind(lines: readonly Line[]): readonly string[] {
  const marks = lines.flatMap(({ requests }) => requests).flatMap(({ mark }) => testOf(mark) ?? []);
  const names = [...new Set(marks)].filter((name) => !situationsIn(lines).includes(name));
  const rest = names.length - MOST_TESTS;
  return rest > 0 ? [...names.slice(0, MOST_TESTS), `${rest} more`] : names;
}

const MOST_TESTS = 5;

/** A refusal of what a request carries, not of its form. */
const OF_ITS_VALUES =
  /^(?:code|refresh-token)-(?:unknown|used|expired|revoked|of-other-client|verifier-wrong)$|^(?:refresh-too-early|access-denied)$/;

/** For a requirement of a request's form: true for each cited request that was honoured, false for each that was refused for its form. */
function honoured({ whenAccepted }: ClientRequirement, lines: readonly Line[]): readonly boolean[] {
  if (whenAccepted === undefined) return [];
  return lines
    .flatMap(({ requests }) => requests)
    .filter(({ fault, status, refusal }) => {
      return fault === undefined && status !== undefined && !OF_ITS_VALUES.test(refusal?.refused ?? '');
    })
    .map(({ refusal, status = 0 }) => refusal === undefined && status < 400);
}

const MOST_REQUESTS = 40;

function requestsBehind(lines: readonly Line[], episodes: readonly Episode[]): readonly string[] {
  const [situation] = situationsIn(lines);
  const whole = episodes.find((episode) => episode.situation === situation)?.entries;
  const own = () => [...new Set(lines.flatMap(({ requests }) => requests))];
  return (whole ?? own().toSorted((a, b) => a.arrival - b.arrival))
    .slice(0, MOST_REQUESTS)
    .map(sentFrom)
    .map(({ method, path, name, end, presented, issued }) => {
      const words = [...Object.values(presented), ...Object.values(issued).map((token) => `issues ${token}`)];
      return `${method} ${path}: ${[name, ...words, end].join(', ')}`;
    });
}

/** Registers the secrets as the client spelled them. A value that the service never issued is the client's word, and no secret. */
export function registerSent(secrets: SecretRegistry, entries: readonly JournalEntry[]): void {
  for (const { presented, bearer, form, query, body } of entries.map(sentFrom)) {
    const { accessToken, refreshToken, code } = presented;
    const labels = { access_token: accessToken, refresh_token: refreshToken, code };
    const isIssued = (name: keyof typeof labels) => labels[name]?.startsWith('unissued_') === false;
    if (bearer !== undefined && isIssued('access_token')) secrets.register('access_token', bearer);
    const others = [...body.matchAll(JSON_OR_PART)].map(([, name, value]) => [name, value] as const);
    for (const [name, value = ''] of [...form, ...query, ...others])
      if ((name === 'access_token' || name === 'refresh_token' || name === 'code') && isIssued(name))
        if (value.length >= SHORTEST_SECRET) secrets.register(name, value);
  }
}

/** A member of a JSON body, or a part of a multipart one. */
const JSON_OR_PART = /"(access_token|refresh_token|code)"[\s:]+"?([^\s"]+)/g;

/** Shorter values are ordinary words. */
const SHORTEST_SECRET = 8;

import type { ClientCatalogue, ClientRequirement } from '../catalogue/load-client-requirements.ts';
import type { JournalEntry } from '../emulator/control-types.ts';
import type { RequirementResult, Results, RunTrouble } from '../report/results.ts';
import { failing } from '../report/results-of.ts';
import type { Run } from '../report/verdict.ts';
import type { SecretRegistry } from '../secrets/registry.ts';
import type { Episode, Evaluation } from './evaluate/episode.ts';
import type { ClientEvaluation } from './evaluate/evaluate-client.ts';
import { endOf, formOf, headerOf, nameOf, pathOf, rawQuery } from './evaluate/journal.ts';

const MOST_LINES = 6;

export interface ClientRun {
  readonly evaluation: ClientEvaluation;
  readonly episodes: readonly Episode[];
  readonly catalogue: ClientCatalogue;
  readonly client: NonNullable<Results['client']>;
  readonly target: Run['target'];
  readonly suiteVersion: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly strict: boolean;
  readonly partial: boolean;
  readonly troubles: readonly RunTrouble[];
  readonly secrets: SecretRegistry;
}

export function clientResults(run: ClientRun): Run {
  const { evaluation, catalogue } = run;
  const startedAt = run.startedAt.toISOString();
  const requirements = evaluation.evaluated.map(({ id, evaluation }) =>
    resultOf(catalogue.requirement(id), evaluation, startedAt, run),
  );
  const missing = evaluation.missing.map(
    (what): RunTrouble => ({
      kind: 'inconclusive',
      message: `there was ${what}: a verdict on a client needs an exchange, a refresh and an operation`,
    }),
  );
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
    troubles: [...run.troubles, ...missing],
    findings: [],
    leftBehind: [],
  };
}

function resultOf(
  requirement: ClientRequirement,
  evaluation: Evaluation,
  startedAt: string,
  { client, secrets, episodes }: Pick<ClientRun, 'client' | 'secrets' | 'episodes'>,
): RequirementResult {
  const { id, clause, level } = requirement;
  const base = { id, clause, level, durationMs: 0, evidence: [] };
  switch (evaluation.kind) {
    case 'kept':
      return {
        ...base,
        result: 'pass',
        reason: '',
        examples: { seen: evaluation.examples, broken: 0 },
      };
    case 'not-exercised':
      return { ...base, result: 'not-exercised', reason: evaluation.why ?? wouldShow(requirement, client) };
    case 'observed':
      return { ...base, result: 'observed', reason: secrets.redact(evaluation.answer) };
    case 'broken': {
      const lines = evaluation.lines.map((line) => secrets.redact(line));
      return {
        ...base,
        result: failing({ level }),
        reason: brokenReason(requirement, lines),
        signature: signatureOf(lines),
        evidence: [
          ...lines.map((detail) => ({ purpose: 'journal', detail })),
          ...requestsBehind(lines, episodes).map((detail) => ({ purpose: 'request', detail })),
        ].map((step, index) => ({ kind: 'step', order: index + 1, ...step, startedAt, durationMs: 0 })),
      };
    }
  }
}

function wouldShow(
  { inTests, situations }: ClientRequirement,
  { driven, ...client }: ClientRun['client'],
): string {
  if (driven === 'own-tests') return inTests;
  const actual = client.situations.filter(({ gap }) => gap === undefined);
  const left = situations.filter((id) => actual.every(({ situation }) => situation !== id));
  return left.length === 0
    ? `${situations.join(', ')} did not show it`
    : `shown by --only ${left.join(' or --only ')}`;
}

function brokenReason({ suffers, fix }: ClientRequirement, lines: readonly string[]): string {
  const more = lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more`] : [];
  const [first = '', ...rest] = fix;
  return [
    ...lines.slice(0, MOST_LINES),
    ...more,
    `effect on the user: ${suffers}`,
    `fix: ${first}`,
    ...rest.map((line) => `     ${line}`),
  ].join('\n');
}

/** The same in every run: holds the situations, but no ordinal or time. */
function signatureOf(lines: readonly string[]): string {
  const named = situationsIn(lines).toSorted();
  return named.length === 0 ? 'seen broken' : `seen broken in ${named.join(', ')}`;
}

function situationsIn(lines: readonly string[]): readonly string[] {
  return [...new Set(lines.flatMap((line) => /^([a-z0-9]+(?:-[a-z0-9]+)*): /.exec(line)?.[1] ?? []))];
}

const MOST_REQUESTS = 40;

function requestsBehind(lines: readonly string[], episodes: readonly Episode[]): readonly string[] {
  const [situation = 'own-tests'] = situationsIn(lines);
  const entries = episodes.find((episode) => episode.situation === situation)?.entries ?? [];
  const cited = lines.flatMap((line) =>
    [...line.matchAll(/\(requests? ([\d, ]+)/g)].flatMap(([, list = '']) => list.split(', ')),
  );
  return entries
    .filter(({ arrival }) => situation !== 'own-tests' || cited.includes(String(arrival)))
    .slice(0, MOST_REQUESTS)
    .map((entry) => {
      const { presented, issued } = entry;
      const words = [...Object.values(presented), ...Object.values(issued).map((token) => `issues ${token}`)];
      return `${entry.method} ${pathOf(entry)}: ${[nameOf(entry), ...words, endOf(entry)].join(', ')}`;
    });
}

/**
 * Registers the issued codes and tokens, and the client's secret, in the spellings in which the client sent them. A value that the
 * service never issued is a word that the client chose, and no secret.
 */
export function registerSent(secrets: SecretRegistry, entries: readonly JournalEntry[]): void {
  for (const entry of entries) {
    const { presented } = entry;
    const bearer = /^bearer +(\S+)/i.exec(headerOf(entry, 'authorization') ?? '')?.[1];
    if (bearer !== undefined && isIssued(presented.accessToken)) secrets.register('access_token', bearer);
    const labels = new Map([
      ['access_token', presented.accessToken],
      ['refresh_token', presented.refreshToken],
      ['code', presented.code],
    ] as const);
    for (const [name, value] of [...formOf(entry), ...new URLSearchParams(rawQuery(entry))])
      if (isTokenName(name) && value.length >= SHORTEST_SECRET && isIssued(labels.get(name)))
        secrets.register(name, value);
  }
}

function isTokenName(name: string): name is 'access_token' | 'refresh_token' | 'code' {
  return name === 'access_token' || name === 'refresh_token' || name === 'code';
}

function isIssued(label: string | undefined): boolean {
  return label !== undefined && !label.startsWith('unissued_');
}

/** Shorter values are ordinary words. */
const SHORTEST_SECRET = 8;

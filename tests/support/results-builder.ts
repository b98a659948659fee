/** Builds results for tests of reports and verdicts: plain values, a test names only what it is about. */

import type { CatalogueView, RequirementView } from '../../src/report/catalogue-view.ts';
import type {
  ExchangeEvidence,
  RequirementResult,
  Results,
  StepEvidence,
  TargetSummary,
} from '../../src/report/results.ts';
import { assembleResults, type Run } from '../../src/report/verdict.ts';

const STARTED_AT = '2026-03-02T09:30:00.000Z';

/** An exchange of a code for tokens that was honoured, unless told otherwise. */
export function anExchange(parts: Partial<ExchangeEvidence> = {}): ExchangeEvidence {
  return {
    kind: 'exchange',
    order: 1,
    purpose: 'exchange the code',
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:4010/oauth/token',
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      body: 'client_id=app&client_secret=<client_secret#1>&code=<code#1>&grant_type=authorization_code',
    },
    response: {
      status: 200,
      headers: [['Content-Type', 'application/json']],
      body: '{"access_token":"<access_token#1>","token_type":"bearer"}',
      bytes: 104,
    },
    startedAt: STARTED_AT,
    durationMs: 4.2,
    ...parts,
  };
}

export function aStep(parts: Partial<StepEvidence> = {}): StepEvidence {
  return {
    kind: 'step',
    order: 1,
    purpose: 'grant',
    url: 'http://127.0.0.1:4010/oauth/authorize',
    status: 200,
    startedAt: STARTED_AT,
    durationMs: 35,
    ...parts,
  };
}

/** One result. What is not a pass gets a reason, as in a real run. */
export function aResult(
  id: string,
  result: RequirementResult['result'] = 'pass',
  parts: Partial<RequirementResult> = {},
): RequirementResult {
  return {
    id,
    clause: '4.2',
    level: 'documented',
    result,
    reason: result === 'pass' ? '' : `reason of ${id}`,
    durationMs: 12,
    evidence: [],
    ...parts,
  };
}

/** An emulator without defects, unless told otherwise. */
export function aTarget(parts: Partial<TargetSummary> = {}): TargetSummary {
  return {
    kind: 'emulator',
    name: 'doorkeeper-5',
    authUrl: 'http://127.0.0.1:4010',
    baseUrl: 'http://127.0.0.1:4011',
    profile: 'doorkeeper-5',
    defects: [],
    abilities: ['second-application'],
    grants: { page: 3, cookies: 40 },
    ...parts,
  };
}

/** A run with its verdict and totals worked out from its results. */
export function aRun(requirements: readonly RequirementResult[], parts: Partial<Run> = {}): Results {
  return assembleResults({
    suiteVersion: '0.2.0',
    catalogueDigest: 'sha256-0123456789abcdef',
    selection: 'complete',
    strict: false,
    startedAt: STARTED_AT,
    durationMs: 8_400,
    target: aTarget(),
    requirements,
    observations: [],
    troubles: [],
    findings: [],
    leftBehind: [],
    ...parts,
  });
}

/** A catalogue that holds the requirements of a run, by clause, and one open point. */
export function aCatalogueOf(results: Results, extra: readonly RequirementView[] = []): CatalogueView {
  const own = results.requirements.map(
    ({ id, clause, level, missing = [] }): RequirementView => ({
      id,
      statement: `statement of ${id}`,
      level,
      clauses: [clause],
      needs: missing,
      ...(level === 'standard' ? { rfc: 'RFC 6749 5.2' } : {}),
    }),
  );
  const byClause = Map.groupBy([...own, ...extra], ({ clauses }) => clauses[0] ?? '?');
  return {
    clauses: [...byClause].map(([clause, requirements]) => ({
      clause,
      title: `title of ${clause}`,
      requirements,
    })),
    openPoints: [
      { id: 'token-presentation', number: 1, question: 'how the token is presented' },
      { id: 'paging', number: 4, question: 'whether long lists are paged' },
    ],
  };
}

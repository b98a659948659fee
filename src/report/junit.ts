import { type CatalogueView, type ResultRow, rowsByClause } from './catalogue-view.ts';
import { exchangeText } from './exchange-text.ts';
import { element, type Xml, xmlDocument } from './printable.ts';
import type { RequirementResult, Results } from './results.ts';
import {
  decisiveExchange,
  FINDING_WORD,
  historyLines,
  notEvaluatedLines,
  RESULT_WORD,
  rerunText,
  targetText,
  verdictText,
  wholeReason,
} from './words.ts';

type Mark = 'passed' | 'skipped' | 'failure' | 'error';

/**
 * Maps results onto the four outcomes of JUnit. Only a pass is green:
 * - `not-run` and `blocked` are errors. Most build servers show "skipped" in the colour of success, and a run without evaluation
 * would look like one without findings.
 * - `warning` and `known-deviation` are skipped with a message: they neither break the build nor pass. Under strict a warning is
 * a failure.
 */
function markOf({ result }: RequirementResult, { strict, verdict }: Results): Mark {
  // A service that retired as expected fails no build.
  if (verdict === 'retired') return 'skipped';
  if (result === 'pass') return 'passed';
  if (result === 'fail' || (strict && result === 'warning')) return 'failure';
  return result === 'blocked' || result === 'not-run' ? 'error' : 'skipped';
}

interface Case {
  readonly mark: Mark;
  readonly xml: Xml;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
  readonly ms: number;
}

interface SimpleCase {
  readonly name: string;
  readonly mark: 'failure' | 'error';
  readonly type: string;
  readonly message: string;
  readonly detail?: string;
}

export function renderJUnit(results: Results, view: CatalogueView): string {
  const clauses = rowsByClause(results, view).filter(({ rows }) => rows.length > 0);
  const suites = clauses.map(({ clause, title, rows }) => ({
    name: `clause ${clause}: ${title}`,
    cases: rows.map((row) => caseOf(row, results)),
    ms: rows.reduce((sum, { result }) => sum + result.durationMs, 0),
  }));
  const cases = casesOfRun(
    results,
    suites.flatMap((suite) => suite.cases),
  );
  const run = cases.length === 0 ? [] : [{ name: 'run', cases, ms: 0 }];
  // The verdict goes into properties of the first suite: a test case would be counted.
  const property = (name: string) => (value: string) => element('property', { name, value });
  const properties = [
    ...notEvaluatedLines(results).map(property('not evaluated')),
    ...historyLines(results).map(property('history')),
  ];
  return suitesXml(targetText(results), [...run, ...suites], properties, results);
}

/** Renders a usage error, which no requirement stands behind. */
export function usageJUnit(message: string): string {
  const usage = simpleCase({ name: 'usage', mark: 'error', type: 'usage', message });
  return suitesXml('usage', [{ name: 'usage', cases: [usage], ms: 0 }], [], { durationMs: 0 });
}

function suitesXml(
  about: string,
  suites: readonly Suite[],
  properties: readonly Xml[],
  { durationMs, startedAt }: { readonly durationMs: number; readonly startedAt?: string },
): string {
  const { skipped: _, ...counted } = counts(suites.flatMap(({ cases }) => cases));
  const timestamp = startedAt?.replace(/(\.\d+)?Z$/, '');
  return xmlDocument(
    // Jenkins' schema allows no `skipped` on the outermost element.
    element(
      'testsuites',
      { name: `legacy-api-conformance: ${about}`, ...counted, time: seconds(durationMs) },
      suites.map(({ name, cases, ms }, index) =>
        element('testsuite', { name, ...counts(cases), time: seconds(ms), timestamp }, [
          ...(index > 0 || properties.length === 0 ? [] : [element('properties', {}, properties)]),
          ...cases.map(({ xml }) => xml),
        ]),
      ),
    ),
  );
}

function caseOf({ result, requirement }: ResultRow, results: Results): Case {
  const mark = markOf(result, results);
  const exchange = decisiveExchange(result);
  const detail = exchange === undefined ? '' : `${exchange.purpose}\n${exchangeText(exchange)}`;
  const message = messageOf(result);
  const skipped = { message: `${RESULT_WORD[result.result]}: ${result.reason}` };
  const shown = result.result === 'warning' ? [wholeReason(result), detail] : [];
  const { clause, id: name, level: group, durationMs } = result;
  const attributes = { classname: `clause ${clause}`, name, group, time: seconds(durationMs) };
  const children = [
    ...(mark === 'skipped' ? [element('skipped', skipped)] : []),
    ...(isRed({ mark }) ? [element(mark, { type: result.result, message }, [joined(message, detail)])] : []),
    element('system-out', {}, [joined(aboutCase(result, requirement), ...shown)]),
  ];
  return { mark, xml: element('testcase', attributes, children) };
}

function joined(...texts: readonly string[]): string {
  return texts.filter(Boolean).join('\n\n');
}

function isRed({ mark }: Pick<Case, 'mark'>): boolean {
  return mark === 'failure' || mark === 'error';
}

/** Describes a test case as output, because Jenkins' schema allows a test case no properties. */
function aboutCase(result: RequirementResult, requirement: ResultRow['requirement']): string {
  const about = {
    statement: requirement?.statement,
    level: result.level,
    result: result.result,
    rfc: requirement?.rfc,
    'why it matters': requirement?.why,
    'how it is checked': requirement?.how,
    signature: result.signature,
    'blocked by': result.blockedBy,
    rerun: result.earlierAttempts && rerunText(result.earlierAttempts),
  };
  return Object.entries(about)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
    .join('\n');
}

function messageOf(own: RequirementResult): string {
  const { result, reason, blockedBy } = own;
  if (result === 'blocked') return `blocked by ${blockedBy ?? 'an unnamed step'}: ${reason}`;
  if (result === 'not-run') return `not run: ${reason}`;
  return wholeReason(own);
}

/** Returns the problems of the run as a whole. It is last, so that a run that does not conform is never green. */
function casesOfRun(results: Results, others: readonly Case[]): readonly Case[] {
  const cases = withOwnNames([
    ...results.troubles.map(({ kind, message, exchange }): SimpleCase => {
      return { name: kind, mark: 'error', type: kind, message, detail: exchange && exchangeText(exchange) };
    }),
    ...results.findings.map(({ kind, requirement, message }): SimpleCase => {
      return { name: `${FINDING_WORD[kind]}: ${requirement}`, mark: 'failure', type: kind, message };
    }),
  ]).map(simpleCase);
  if (results.exitCode === 0 || [...others, ...cases].some(isRed)) return cases;
  const message = `the run is ${verdictText(results)}`;
  return [...cases, simpleCase({ name: 'verdict', mark: 'error', type: results.verdict, message })];
}

/** Numbers the second and further cases of one name: build servers keep only one of them. */
function withOwnNames(cases: readonly SimpleCase[]): readonly SimpleCase[] {
  const seen = new Map<string, number>();
  return cases.map((one) => {
    const count = (seen.get(one.name) ?? 0) + 1;
    seen.set(one.name, count);
    return count === 1 ? one : { ...one, name: `${one.name} (${count})` };
  });
}

function simpleCase({ name, mark, type, message, detail }: SimpleCase): Case {
  const inner = element(mark, { type, message }, [detail === undefined ? message : `${message}\n${detail}`]);
  return { mark, xml: element('testcase', { classname: 'run', name, time: seconds(0) }, [inner]) };
}

function counts(cases: readonly Case[]) {
  const number = (mark: Mark) => cases.filter((one) => one.mark === mark).length;
  return {
    tests: cases.length,
    failures: number('failure'),
    errors: number('error'),
    skipped: number('skipped'),
  };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

import { html } from 'hono/html';
import { markdownTable, markdownText } from './markdown-text.ts';
import { type Merged, type MergedTarget, mergedWords } from './merged.ts';
import { oneLine, printableJson, printableMarkup } from './printable.ts';
import { EXIT } from './verdict.ts';
import { element, xmlDocument } from './xml.ts';

export const MERGED_FILES = ['targets.json', 'index.html', 'junit.xml'] as const;

export function renderMerged(
  merged: Merged,
): readonly { readonly name: (typeof MERGED_FILES)[number]; readonly text: string }[] {
  return [
    { name: 'targets.json', text: `${printableJson(JSON.stringify(merged, null, 2))}\n` },
    { name: 'index.html', text: page(merged) },
    { name: 'junit.xml', text: junit(merged) },
  ];
}

export function mergedText(merged: Merged): string {
  const lines = merged.targets.flatMap((target) => [
    `${oneLine(target.verdict).padEnd(14)} exit ${target.exitCode}  ${oneLine(target.name)}  ${target.totals}`.trimEnd(),
    ...target.because.map((why) => `  because ${oneLine(why, 600)}`),
  ]);
  return `${[...lines, ...merged.because.map((why) => `because ${oneLine(why, 600)}`), mergedWords(merged)].join('\n')}\n`;
}

export function mergedMarkdown(merged: Merged): string {
  const rows = merged.targets.map((target) => [
    markdownText(target.name),
    markdownText(target.verdict),
    String(target.exitCode),
    markdownText([target.totals, ...target.because].filter(Boolean).join('; ')),
  ]);
  const because = merged.because.map((why) => `- ${markdownText(why)}`).join('\n');
  const blocks = [
    `## ${markdownText(mergedWords(merged))}`,
    because,
    markdownTable(['target', 'verdict', 'exit', ''], rows),
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

function page(merged: Merged): string {
  const whole = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${mergedWords(merged)}</title></head><body><main>
<h1>${mergedWords(merged)}</h1>
${merged.because.map((why) => html`<p>${why}</p>`)}
<table><thead><tr><th scope="col">Target</th><th scope="col">Verdict</th><th scope="col">Exit code</th><th scope="col">Requirements</th><th scope="col">Why</th><th scope="col">Started</th><th scope="col">File</th></tr></thead>
<tbody>${merged.targets.map(
    (
      target,
    ) => html`<tr><th scope="row">${target.name}</th><td>${target.verdict}</td><td>${String(target.exitCode)}</td>
<td>${target.totals}</td><td>${target.because.join('; ')}</td><td>${target.startedAt ?? ''}</td><td>${target.from}</td></tr>`,
  )}</tbody></table></main></body></html>
`;
  if (whole instanceof Promise) throw new Error('the page holds an asynchronous part: render it beforehand');
  return printableMarkup(whole.toString());
}

function junit(merged: Merged): string {
  const wholeCase = merged.because.map((why) => caseOf('all targets', EXIT.inconclusive, [why]));
  const cases = [
    ...merged.targets.map((target) => caseOf(nameOf(target), target.exitCode, target.because)),
    ...wholeCase,
  ];
  const failures = merged.targets.filter(({ exitCode }) => exitCode === EXIT.violates).length;
  const good = merged.targets.filter(({ exitCode }) => exitCode === EXIT.conforms).length;
  const counts = { tests: cases.length, failures, errors: cases.length - good - failures };
  const name = 'legacy-api-conformance: all targets';
  return xmlDocument(
    element('testsuites', { name, ...counts }, [element('testsuite', { name, ...counts }, cases)]),
  );
}

function nameOf({ name, from }: MergedTarget): string {
  return name === from ? name : `${name} (${from})`;
}

function caseOf(name: string, exitCode: Merged['exitCode'], because: readonly string[]) {
  const message = because.join('; ') || `exit ${exitCode}`;
  const mark = exitCode === EXIT.violates ? 'failure' : 'error';
  const inner =
    exitCode === EXIT.conforms ? [] : [element(mark, { type: `exit ${exitCode}`, message }, [message])];
  return element('testcase', { classname: 'targets', name }, inner);
}

import { html } from 'hono/html';
import { blockedByRoot, byReason, type ClauseRows, ofKind, type RequirementView } from '../catalogue-view.ts';
import { SIGN_OF_EXIT } from '../listing.ts';
import type { RequirementResult, ResultKind, Results } from '../results.ts';
import { describeTotals } from '../totals.ts';
import { verdictOf } from '../verdict.ts';
import {
  clientFacts,
  durationText,
  explorationText,
  FINDING_WORD,
  furtherTroubles,
  notExercisedLines,
  notes,
  present,
  targetFacts,
  targetText,
  usedText,
  verdictText,
} from '../words.ts';
import { wouldHaveCaught } from '../would-have-caught.ts';
import { linkTo, type Markup, prose, redacted, sentences as said, sign } from './markup.ts';
import { pageHead } from './page.ts';

export function masthead(results: Results): Markup {
  return pageHead(
    html`Conformance of <b>${targetText(results)}</b>`,
    html`<h1 class="v-${results.verdict}">${sign(SIGN_OF_EXIT[results.exitCode])}<span>${capital(verdictText(results))}</span></h1>`,
    html`<p class="totals">${capital(describeTotals(results.requirements))}</p>
${because(results)}${noted(results)}${carriedDefects(results)}`,
  );
}

function because(results: Results): Markup {
  const troubles = furtherTroubles(results).map(({ message }) => message);
  const { because: reasons } = verdictOf(results);
  // A trouble explains the requirements that did not run, so the cause comes first.
  const sentences =
    results.verdict === 'inconclusive' ? [...troubles, ...reasons] : [...reasons, ...troubles];
  if (results.selection === 'partial')
    sentences.push('only a part of the requirements was selected: the verdict is about those alone');
  if (sentences.length === 0) return html``;
  return html`<ul class="because">${sentences.map((sentence) => html`<li>${said(capital(sentence))}</li>`)}</ul>`;
}

function noted(results: Results): Markup {
  const { length } = notExercisedLines(results);
  const unmet = `${length} not exercised: each says below how to exercise it`;
  const all = [...notes(results), ...(length === 0 ? [] : [['not evaluated', unmet] as const])];
  if (all.length === 0) return html``;
  return html`<ul class="because">${all.map(([kind, line]) => html`<li>${capital(kind)}: ${said(line)}</li>`)}</ul>`;
}

/** Says that an emulator with defects fails on purpose. */
function carriedDefects({ target }: Results): Markup {
  if (target.defects.length === 0) return html``;
  return html`<p class="defects"><b>Meant to fail.</b> The emulator carries ${target.defects.length === 1 ? 'a defect' : 'defects'}: ${codes(target.defects)}.</p>`;
}

/** Renders the most important findings, each failure with its requirement in words; nothing if all is well. */
export function attention(results: Results, clauses: readonly ClauseRows[]): Markup {
  const { requirements } = results;
  const views = new Map(
    clauses.flatMap(({ rows }) => rows.map(({ result, requirement }) => [result.id, requirement] as const)),
  );
  const single = (result: RequirementResult) => singleItem(result, views.get(result.id));
  const items = [
    ...['fail' as const, 'warning' as const].flatMap((kind) => ofKind(requirements, kind).map(single)),
    ...byReason(requirements, 'not-run').map(({ cause, results }) => group('not-run', results, cause)),
    ...blockedByRoot(requirements).map(({ cause, results }) => {
      const known = requirements.some(({ id }) => id === cause);
      return group('blocked', results, html`Behind ${known ? linkTo(cause) : redacted(cause)}`);
    }),
    ...ofKind(requirements, 'known-deviation').map(single),
    ...results.findings.map(
      (finding) =>
        html`<li>${sign('warning')}<div><span class="id">${finding.requirement}</span>
<p>${capital(`${FINDING_WORD[finding.kind]}: `)}${redacted(finding.message)}</p></div></li>`,
    ),
  ];
  if (items.length === 0) return html``;
  return html`<section aria-labelledby="h-look"><h2 id="h-look">What to look at</h2><ul class="look">${items}</ul></section>`;
}

function singleItem(result: RequirementResult, requirement: RequirementView | undefined): Markup {
  const matters = requirement?.explanation?.why;
  return html`<li>${sign(result.result)}<div>${requirement === undefined ? '' : html`<b class="must">${prose(requirement.statement)}</b>`}
${matters === undefined ? '' : html`<p class="matters">${prose(matters)}</p>`}<p>${said(firstLines(whatWasSeen(result.reason)))}</p>${linkTo(result.id)}</div></li>`;
}

function whatWasSeen(reason: string): string {
  return reason.split('\neffect on the user:')[0] ?? reason;
}

function group(kind: ResultKind, results: readonly RequirementResult[], cause: Markup | string): Markup {
  const noun = results.length === 1 ? 'requirement' : 'requirements';
  const word = kind === 'blocked' ? 'blocked' : 'not run';
  const ids = html`<p class="ids">${results.map(({ id }) => html`${linkTo(id)} `)}</p>`;
  return html`<li>${sign(kind)}<div><b>${results.length} ${noun} ${word}</b>
<p>${typeof cause === 'string' ? said(firstLines(cause)) : cause}</p>
${results.length > 12 ? html`<details class="more"><summary>Which</summary>${ids}</details>` : ids}</div></li>`;
}

export function facts(results: Results): Markup {
  const { target } = results;
  const { page, cookies } = target.grants;
  const { client, adopted, startedAt } = results;
  const about =
    client === undefined ? [] : [['client', client.name] as const, ...clientFacts(client, target.profile)];
  const ofService = <T>(value: T) => (client === undefined ? value : undefined);
  const rows = present<Markup | string | readonly string[]>([
    ...about,
    ['Target', client && targetText({ target })],
    ...targetFacts(results),
    ['Abilities', ofService(target.abilities.length === 0 ? 'none' : target.abilities)],
    ['Traffic', results.used && usedText(results.used)],
    ['Explored', results.exploration && explorationText(results.exploration)],
    [
      'Codes obtained',
      ofService(`${page} through pages in the browser, ${cookies} through the signed-in browser’s cookies`),
    ],
    ['Strength', wouldHaveCaught(results)],
    ['Selection', results.selection],
    ['Adopted', adopted],
    ['Strict', results.strict ? 'yes: warnings violate' : 'no: warnings do not violate'],
    [
      'Started',
      html`<time datetime="${startedAt}">${startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}</time>`,
    ],
    ['Took', durationText(results.durationMs)],
    ['Suite', `legacy-api-conformance ${results.suiteVersion}`],
    ['Catalogue', [results.catalogueDigest]],
    ['Exit code', String(results.exitCode)],
  ]);
  return html`<section aria-labelledby="h-run"><h2 id="h-run">The run</h2>
<dl class="facts">${rows.map(([term, value]) => html`<div><dt>${term.charAt(0).toUpperCase()}${term.slice(1)}</dt><dd>${Array.isArray(value) ? codes(value) : value}</dd></div>`)}</dl>${leftBehind(results)}</section>`;
}

function leftBehind({ leftBehind }: Results): Markup {
  if (leftBehind.length === 0) return html``;
  return html`<h3>Left at the target</h3><p class="note">What the run could not take back.</p>
<ul>${leftBehind.map((what) => html`<li>${redacted(what)}</li>`)}</ul>`;
}

function codes(values: readonly string[]): Markup {
  return html`${values.map((value, index) => html`${index > 0 ? ', ' : ''}<code>${value}</code>`)}`;
}

function firstLines(text: string): string {
  if (text.length <= 280) return text;
  const shown = text.slice(0, 280);
  const end = shown.lastIndexOf('\n');
  return end < 0 ? `${shown}…` : `${shown.slice(0, end + 1)}…`;
}

function capital(text: string): string {
  return /^[a-z]+(?:[ ,]|$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

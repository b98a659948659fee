import { html } from 'hono/html';
import { createColors } from 'picocolors';
import type { Style } from '../report/console.ts';
import { bareSign, type Markup, redacted } from '../report/html/markup.ts';
import { SIGN_OF } from '../report/html/masthead.ts';
import { pageHead, wholePage } from '../report/html/page.ts';
import { oneLine, printable } from '../report/printable.ts';
import type { ResultKind } from '../report/results.ts';
import type { RunOutcome } from '../report/verdict.ts';
import { durationText } from '../report/words.ts';
import type { InteractionOutcome, PactOutcome, PactStanding, Verification } from './verify/outcome.ts';

type Colors = ReturnType<typeof createColors>;

const HEADINGS: readonly (readonly [PactStanding, string | undefined])[] = [
  ['counts', undefined],
  ['pending', 'Pending: no version on this provider branch has satisfied these, so a failure fails no job'],
  ['beside', 'Besides: pacts of other versions of the consumer; their results do not count here'],
];

export function standingGroups({ pacts }: Verification) {
  return HEADINGS.map(([standing, heading]) => ({
    heading,
    pacts: pacts.filter((pact) => pact.standing === standing),
  })).filter((group) => group.pacts.length > 0);
}

export function renderVerification(
  verification: Verification,
  outcome: RunOutcome,
  style: Style,
  notices: readonly string[] = [],
): string {
  const colors = createColors(style === 'colour');
  const blocks = [
    ...standingGroups(verification).flatMap(({ heading, pacts }) => [
      ...(heading === undefined ? [] : [[colors.bold(heading)]]),
      ...pacts.map((pact) => aboutPact(pact, colors)),
    ]),
    ...(notices.length === 0 ? [] : [notices.map((line) => oneLine(line, LONGEST_LINE))]),
    [
      ...totalsLines(verification),
      ...outcome.because.map((why) => `  ${printable(why)}`),
      ending(outcome, verification, colors),
    ],
  ];
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}

const LONGEST_LINE = 1_000;

function aboutPact(pact: PactOutcome, colors: Colors): string[] {
  const { consumer, provider, source, why, warnings, interactions } = pact;
  const title = colors.bold(printable(`${consumer} -> ${provider}`));
  return [
    `${title}  ${printable(source)}`,
    ...why.flatMap(reasonsIn).map((reason) => colors.dim(`  because: ${oneLine(reason)}`)),
    ...interactions.flatMap((one) => aboutInteraction(one, colors)),
    ...warnings.map((text) => `  ${colors.yellow('WARNING')} ${oneLine(text, LONGEST_LINE)}`),
  ];
}

export function reasonsIn(text: string): readonly string[] {
  const criteria = [...text.matchAll(/^\s*\* (.+)$/gm)].flatMap(([, criterion]) => criterion ?? []);
  if (criteria.length > 0) return criteria;
  const wip = /'work in progress' pact \(ie\. it is the (.*?) and it has not yet/s.exec(text)?.[1];
  if (wip !== undefined) return [`work in progress: the ${wip}`];
  // The heading says that it is pending.
  return /pending state|previously been successfully verified/.test(text) ? [] : [text];
}

function aboutInteraction(outcome: InteractionOutcome, colors: Colors): string[] {
  const { description, states, reasons } = outcome;
  const given = states.length === 0 ? '' : colors.dim(`  given ${printable(states.join(' and '))}`);
  return [
    `  ${word(outcome, colors)} ${printable(description)}${given}`,
    ...reasons.map((reason) => `          ${printable(reason)}`),
  ];
}

function word({ result, pending }: InteractionOutcome, colors: Colors): string {
  if (result === 'verified') return colors.green('ok     ');
  if (result === 'not-run') return colors.yellow('NOT RUN');
  return pending ? colors.yellow('pending') : colors.red('FAIL   ');
}

export function totalsLines({ pacts }: Verification): string[] {
  const of = (standing: PactStanding) =>
    pacts.filter((pact) => pact.standing === standing).flatMap(({ interactions }) => interactions);
  const [counted, pending, beside] = [of('counts'), of('pending'), of('beside')];
  return [
    ...(counted.length === 0 && pending.length + beside.length > 0 ? [] : [total(counted)]),
    ...(pending.length === 0 ? [] : [`pending: ${total(pending)}`]),
    ...(beside.length === 0 ? [] : [`besides: ${total(beside)}`]),
  ];
}

function total(all: readonly InteractionOutcome[]): string {
  const number = (result: InteractionOutcome['result'], pending: boolean) =>
    all.filter((one) => one.result === result && (result !== 'failed' || one.pending === pending)).length;
  const further = [
    [number('failed', false), 'failed'],
    [number('failed', true), 'pending and not kept yet'],
    [number('not-run', false), 'not run'],
  ] as const;
  const said = further.filter(([count]) => count > 0).map(([count, what]) => `, ${count} ${what}`);
  return `${number('verified', false)} of ${all.length} interactions verified${said.join('')}`;
}

const ENDINGS: Readonly<Record<RunOutcome['exitCode'], string>> = {
  0: 'verified',
  1: 'does not verify',
  2: 'wrong usage',
  3: 'inconclusive',
  4: 'broken',
};

/** Returns the verdict. If all evaluated interactions are pending, it is not `verified`. */
export function endingWord({ exitCode }: RunOutcome, { pacts }: Verification): string {
  const verified = pacts.some(({ interactions }) => interactions.some(({ result }) => result === 'verified'));
  return exitCode === 0 && !verified ? 'no failure that counts' : ENDINGS[exitCode];
}

function ending(outcome: RunOutcome, verification: Verification, colors: Colors): string {
  const { exitCode } = outcome;
  const text = `${endingWord(outcome, verification)} (exit ${exitCode})`;
  return colors.bold(exitCode === 0 ? colors.green(text) : colors.red(text));
}

export function verificationPage(
  verification: Verification,
  outcome: RunOutcome,
  notices: readonly string[] = [],
): string {
  const word = endingWord(outcome, verification);
  const sentences = [...outcome.because, ...notices];
  return wholePage({
    title: `Pacts: ${word}`,
    main: html`${pageHead(
      html`Verification of <b>${pactsText(verification)}</b>`,
      html`<h1>${bareSign(SIGN_OF[outcome.verdict])}<span>${capital(word)}</span></h1>`,
      html`${totalsLines(verification).map((line) => html`<p class="totals">${capital(line)}</p>`)}
${sentences.length === 0 ? '' : html`<ul class="because">${sentences.map((sentence) => html`<li>${redacted(sentence)}</li>`)}</ul>`}`,
    )}
${standingGroups(verification).map(
  ({ heading, pacts }) =>
    html`${heading === undefined ? '' : html`<p class="note">${heading}</p>`}${pacts.map(pactSection)}`,
)}`,
    foot: html`Ordinals replace secrets. A <b>given</b> is the provider state that the suite set up before it sent the request.`,
  });
}

function pactsText({ pacts }: Verification): string {
  return pacts.length === 1 ? '1 pact' : `${pacts.length} pacts`;
}

function pactSection({ consumer, provider, source, why, warnings, interactions }: PactOutcome): Markup {
  const remarks = [
    ...why.flatMap(reasonsIn).map((reason) => `because: ${reason}`),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
  return html`<section><h2>${consumer} → ${provider}</h2><p class="note"><code>${source}</code></p>
${remarks.length === 0 ? '' : html`<ul class="because">${remarks.map((remark) => html`<li>${redacted(remark)}</li>`)}</ul>`}
<ul class="look">${interactions.map(interactionEntry)}</ul></section>`;
}

function interactionEntry(outcome: InteractionOutcome): Markup {
  const { description, states, reasons, durationMs } = outcome;
  const [kind, word] = statusOf(outcome);
  const given = states.length === 0 ? '' : html` <span class="lv">given ${states.join(' and ')}</span>`;
  return html`<li>${bareSign(kind)}<div class="grow"><b>${word}</b> ${description}${given} <span class="lv">${durationText(durationMs)}</span>${reasons.map((reason) => html`<p>${redacted(reason)}</p>`)}</div></li>`;
}

function statusOf({ result, pending }: InteractionOutcome): readonly [ResultKind, string] {
  if (result === 'verified') return ['pass', 'Verified'];
  if (result === 'not-run') return ['not-run', 'Not run'];
  return pending ? ['warning', 'Pending'] : ['fail', 'Failed'];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

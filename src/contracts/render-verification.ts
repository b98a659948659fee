import { createColors } from 'picocolors';
import type { Style } from '../report/console.ts';
import { printable } from '../report/printable.ts';
import type { Outcome } from '../report/verdict.ts';
import type { InteractionOutcome, PactOutcome, Verification } from './verify/outcome.ts';

type Colors = ReturnType<typeof createColors>;

/**
 * A verification as text for a terminal or a build log: pact by pact what came of each interaction, every reason, the
 * totals, the verdict.
 *
 * @param outcome what it came to
 * @param told what a broker was told, a line per pact
 * @returns lines, ending in a line feed
 */
export function renderVerification(
  verification: Verification,
  outcome: Outcome,
  style: Style,
  told: readonly string[] = [],
): string {
  const colors = createColors(style === 'colour');
  const blocks = [
    ...verification.pacts.map((pact) => aboutPact(pact, colors)),
    ...(told.length === 0 ? [] : [told.map((line) => printable(line))]),
    [totals(verification), ...outcome.because.map((why) => `  ${printable(why)}`), ending(outcome, colors)],
  ];
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}

function aboutPact({ consumer, provider, source, interactions }: PactOutcome, colors: Colors): string[] {
  const title = colors.bold(printable(`${consumer} -> ${provider}`));
  return [`${title}  ${printable(source)}`, ...interactions.flatMap((one) => aboutInteraction(one, colors))];
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

/** Totals that are honest: what did not run is said. */
function totals({ pacts }: Verification): string {
  const all = pacts.flatMap(({ interactions }) => interactions);
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

const ENDINGS: Readonly<Record<Outcome['exitCode'], string>> = {
  0: 'verified',
  1: 'does not verify',
  2: 'wrong usage',
  3: 'inconclusive',
  4: 'broken',
};

function ending({ exitCode }: Outcome, colors: Colors): string {
  const text = `${ENDINGS[exitCode]} (exit ${exitCode})`;
  return colors.bold(exitCode === 0 ? colors.green(text) : colors.red(text));
}

import { countText } from '../report/count-text.ts';
import type { Block, Entry, Listing } from '../report/listing.ts';
import type { ResultKind } from '../report/results.ts';
import { type RunOutcome, VERDICT_OF_EXIT } from '../report/verdict.ts';
import { durationText } from '../report/words.ts';
import type { Verification } from './verify/outcome.ts';
import type { InteractionOutcome, PactOutcome, PactStanding } from './verify/pact-outcome.ts';

const STANDING: Readonly<Record<PactStanding, readonly string[]>> = {
  counts: [],
  pending: ['Pending: no version on this provider branch has satisfied these, so a failure fails no job'],
};

export function verificationListing(
  verification: Verification,
  outcome: RunOutcome,
  notices: readonly string[] = [],
): Listing {
  const { pacts } = verification;
  const standings = Object.keys(STANDING) as PactStanding[];
  return {
    subject: `Verification of ${countText(pacts.length, 'pact')}`,
    verdict: endingWord(outcome, verification),
    exitCode: outcome.exitCode,
    totals: totals(verification),
    remarks: [...outcome.because, ...notices],
    blocks: standings.flatMap((standing) => pacts.filter((pact) => pact.standing === standing).map(blockOf)),
    foot: 'Ordinals replace secrets. A given is the provider state that the suite set up before it sent the request.',
  };
}

function blockOf({ consumer, provider, source, standing, why, warnings, interactions }: PactOutcome): Block {
  return {
    heading: `${consumer} -> ${provider}`,
    notes: [
      source,
      ...STANDING[standing],
      ...why.flatMap(reasonsIn).map((reason) => `because: ${reason}`),
      ...warnings.map((warning) => `WARNING ${warning}`),
    ],
    entries: interactions.map(entryOf),
  };
}

function entryOf(outcome: InteractionOutcome): Entry {
  const { description, states, reasons, durationMs } = outcome;
  const [sign, word] = statusOf(outcome);
  const given = states.length === 0 ? [] : [`given ${states.join(' and ')}`];
  const aside = [...given, durationText(durationMs)].join(', ');
  return { sign, word, name: description, aside, lines: reasons };
}

function statusOf({ result, pending }: InteractionOutcome): readonly [ResultKind, string] {
  if (result === 'verified') return ['pass', 'ok'];
  if (result === 'not-run') return ['not-run', 'not run'];
  return pending ? ['warning', 'pending'] : ['fail', 'fail'];
}

function reasonsIn(text: string): readonly string[] {
  const criteria = [...text.matchAll(/^\s*\* (.+)$/gm)].flatMap(([, criterion]) => criterion ?? []);
  if (criteria.length > 0) return criteria;
  const wip = /'work in progress' pact \(ie\. it is the (.*?) and it has not yet/s.exec(text)?.[1];
  if (wip !== undefined) return [`work in progress: the ${wip}`];
  // The heading says that it is pending.
  return /pending state|previously been successfully verified/.test(text) ? [] : [text];
}

function totals({ pacts }: Verification): string {
  const of = (standing: PactStanding) =>
    pacts.filter((pact) => pact.standing === standing).flatMap(({ interactions }) => interactions);
  const [counting, pending] = [of('counts'), of('pending')];
  if (pending.length === 0) return total(counting);
  return `${counting.length === 0 ? '' : `${total(counting)}; `}pending: ${total(pending)}`;
}

function total(all: readonly InteractionOutcome[]): string {
  const number = (result: InteractionOutcome['result'], pending: boolean) =>
    all.filter((one) => one.result === result && (result !== 'failed' || one.pending === pending)).length;
  const further = [
    [number('failed', false), 'failed'],
    [number('failed', true), 'pending and not kept yet'],
    [number('not-run', false), 'not run'],
  ] as const;
  const others = further.filter(([count]) => count > 0).map(([count, what]) => `, ${count} ${what}`);
  return `${number('verified', false)} of ${all.length} interactions verified${others.join('')}`;
}

const ENDINGS: Readonly<Record<RunOutcome['exitCode'], string>> = {
  ...VERDICT_OF_EXIT,
  0: 'verified',
  1: 'does not verify',
};

/** Returns the verdict. If all evaluated interactions are pending, it is not `verified`. */
function endingWord({ exitCode }: RunOutcome, { pacts }: Verification): string {
  const verified = pacts.some(({ interactions }) => interactions.some(({ result }) => result === 'verified'));
  return exitCode === 0 && !verified ? 'no failure that counts' : ENDINGS[exitCode];
}

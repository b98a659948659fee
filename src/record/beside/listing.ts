import type { BesideFile, BesideStory } from '../../../generated/schemas.d.ts';
import { isAspectId } from '../../document/profiles/aspects.ts';
import type { Catalogue } from '../../document/types.ts';
import { describeStep } from '../../evaluation/explore/steps.ts';
import type { Breaks, Comparison } from '../../report/compare/changes.ts';
import { describedAspect } from '../../report/compare/profiles.ts';
import { countText } from '../../report/count-text.ts';
import type { Entry, Listing } from '../../report/listing.ts';
import { oneLine } from '../../report/printable.ts';
import type { Difference } from './answer.ts';
import type { ConfirmedDifference } from './confirm.ts';

type Differing = BesideFile['differences'][number];

const BREAKS: readonly (Breaks | undefined)[] = ['likely', 'possible', undefined, 'unlikely'];

/** Joins what the probes and the stories showed: one entry for each aspect, likeliest to break a client first. */
export function entriesOf(
  confirmed: readonly ConfirmedDifference[],
  probed: Comparison | undefined,
  catalogue: Catalogue,
): readonly Differing[] {
  const ofOneSide = notCompared(probed);
  const differing = (probed?.changes ?? []).filter(({ what }) => !ofOneSide.includes(what));
  const probes = new Map(differing.map((change) => [change.what, change]));
  const stories = new Map(confirmed.map((one) => [one.group, one]));
  const entries = [...new Set([...probes.keys(), ...stories.keys()])].map((about): Differing => {
    const [change, story] = [probes.get(about), stories.get(about)];
    const words = isAspectId(about) ? describedAspect(about, catalogue) : undefined;
    return {
      about,
      question: words?.about,
      breaks: words?.breaks,
      probe: change && { left: oneLine(change.before, LONGEST), right: oneLine(change.after, LONGEST) },
      story: story && storyOf(story),
    };
  });
  return entries.toSorted((one, other) => BREAKS.indexOf(one.breaks) - BREAKS.indexOf(other.breaks));
}

export function notCompared(probed: Comparison | undefined): readonly string[] {
  const ofOneSide = (probed?.changes ?? []).filter(({ kind }) => kind === 'started' || kind === 'stopped');
  return ofOneSide.map(({ what }) => what);
}

const LONGEST = 600;

function storyOf({
  steps,
  difference,
  beside,
  again,
  also,
  afterRequests,
  group,
}: ConfirmedDifference): BesideStory {
  const others = beside.filter(
    (one) => one.asked === difference.asked && one.facet !== difference.facet && one.subject !== group,
  );
  return {
    steps: steps.map((step) => ({ words: describeStep(step), step: { ...step } })),
    ...written(difference),
    alsoInThisAnswer: [...new Map(others.map((one) => [one.facet, written(one)])).values()],
    alsoIn: [...also],
    again: { ...again },
    afterRequests,
  };
}

function written({ asked, facet, left, right }: Difference) {
  return { asked, facet, left, right };
}

const MOST_GAPS = 6;

export function besideListing(file: BesideFile): Listing {
  const { left, right, exitCode, differences, noise, notCompared, because } = file;
  const [played = '', ...parity] = parityLines(file);
  return {
    subject: `${left.name} (left) beside ${right.name} (right)`,
    verdict: countOf(file),
    exitCode,
    totals: played,
    remarks: [
      ...parity,
      ...noise.map(
        ({ side, asked, facet }) =>
          `noise: the ${side} side answers \`${asked}\` differently each time: ${facet}`,
      ),
      ...(notCompared.length === 0
        ? []
        : [`not compared, because one side alone showed it: ${notCompared.join(', ')}`]),
      ...because,
    ],
    blocks: [{ entries: differences.map((entry) => entryOf(file, entry)) }],
    foot: 'Both sides played the same stories. Names such as pair 2 and users such as 1 stand for the same place on both.',
  };
}

/** `12 differences`, or the reason why there is no figure. */
function countOf({ verdict, differences }: BesideFile): string {
  if (differences.length > 0) return countText(differences.length, 'difference');
  return verdict === 'alike' ? 'no difference' : `no difference seen, ${verdict}`;
}

function parityLines({ parity, requests, stories, seed }: BesideFile): readonly string[] {
  const { answers, inOutcome, inAll, gaps } = parity;
  const played = `${stories} stories, ${requests.left} and ${requests.right} requests, seed ${seed}`;
  if (answers === 0) return [`${played}: no answer could be compared`];
  const most = gaps.slice(0, MOST_GAPS).map(({ facet, answers: count }) => `${facet} ${count}`);
  return [
    `${played}: ${answers} answers compared`,
    `alike in outcome and users listed: ${share(inOutcome, answers)}`,
    `alike in everything: ${share(inAll, answers)}${most.length === 0 ? '' : `; they differ in ${most.join(', ')}`}${gaps.length > MOST_GAPS ? ' …' : ''}`,
  ];
}

function share(count: number, of: number): string {
  // Rounded down, so that 100 % means all.
  return `${count} of ${of} (${(Math.floor((count / of) * 1_000) / 10).toFixed(1)} %)`;
}

function entryOf({ left, right }: BesideFile, entry: Differing): Entry {
  const { about, question, breaks, probe, story } = entry;
  return {
    sign: 'warning',
    word: 'differs',
    name: about,
    aside: breaks && `a client breaks: ${breaks}`,
    lines: [...(question === undefined ? [] : [question]), ...(story === undefined ? [] : remarksOn(story))],
    quote: story?.steps.map(({ words }, index) => `${index + 1}. ${words}`).join('\n'),
    sides: [
      ...(probe === undefined
        ? []
        : [
            [`${left.name}, asked by a probe`, probe.left] as const,
            [`${right.name}, asked by a probe`, probe.right] as const,
          ]),
      ...(story === undefined
        ? []
        : [[left.name, answerOf(story, 'left')] as const, [right.name, answerOf(story, 'right')] as const]),
    ],
  };
}

function answerOf(story: BesideStory, side: 'left' | 'right'): string {
  const others = story.alsoInThisAnswer.map((one) => `${one.facet} ${one[side]}`);
  return [`${story.facet} ${story[side]}`, ...others].join('; ');
}

function remarksOn({ again, alsoIn, afterRequests }: BesideStory): readonly string[] {
  const times = `shown again ${again.shown} times of ${again.of}`;
  const whole = again.shown === again.of ? times : `${times}, so the story is not shortened`;
  const shown = again.of === 0 ? 'not repeated' : whole;
  const more = alsoIn.length > MOST_GAPS ? ` and ${alsoIn.length - MOST_GAPS} more` : '';
  return [
    `first seen after ${afterRequests} requests; ${shown}`,
    ...(alsoIn.length === 0 ? [] : [`also: ${alsoIn.slice(0, MOST_GAPS).join(', ')}${more}`]),
  ];
}

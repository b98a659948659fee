import type { BesideFile, BesideStory } from '../../generated/schemas.d.ts';
import { oneLine } from '../report/printable.ts';

type Entry = BesideFile['differences'][number];

const MOST_GAPS = 6;

/** Characters of one answer in a table. */
const WIDTH = 60;

export function besideText(file: BesideFile): string {
  const { left, right, differences, noise, because } = file;
  const lines = [
    `${oneLine(left.name)} (left) beside ${oneLine(right.name)} (right): ${countOf(file)}`,
    ...parityLines(file).map((line) => `  ${line}`),
    ...noise.map(
      ({ side, asked, facet }) =>
        `  noise: the ${side} side answers \`${asked}\` differently each time: ${facet}`,
    ),
    ...notComparedLines(file).map((line) => `  ${line}`),
  ];
  for (const entry of differences) lines.push('', ...entryLines(entry));
  if (because.length > 0) lines.push('', ...because.map((reason) => oneLine(reason, 600)));
  return `${lines.join('\n')}\n`;
}

/** `12 differences`, or the reason why there is no figure. */
export function countOf({ verdict, differences }: BesideFile): string {
  if (differences.length > 0) return `${differences.length} difference${differences.length === 1 ? '' : 's'}`;
  return verdict === 'alike' ? 'no difference' : `no difference seen, ${verdict}`;
}

export function parityLines({ parity, requests, stories, seed }: BesideFile): readonly string[] {
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

export function notComparedLines({ notCompared }: BesideFile): readonly string[] {
  if (notCompared.length === 0) return [];
  return [`not compared, because one side alone showed it: ${notCompared.join(', ')}`];
}

function entryLines({ about, question, breaks, probe, story }: Entry): readonly string[] {
  return [
    `${about}${breaks === undefined ? '' : ` (a client breaks: ${breaks})`}`,
    ...(question === undefined ? [] : [`  ${question}`]),
    ...(probe === undefined ? [] : ['  asked by a probe:', ...sideLines(probe.left, probe.right)]),
    ...(story === undefined ? [] : storyLines(story)),
  ];
}

function storyLines(story: BesideStory): readonly string[] {
  const { steps, facet, left, right } = story;
  return [
    ...steps.map(({ words }, index) => `  ${index + 1}. ${oneLine(words, 400)}`),
    ...sideLines(`${facet} ${left}`, `${facet} ${right}`),
    ...remarksOn(story).map((line) => `  ${line}`),
  ];
}

function sideLines(left: string, right: string): readonly string[] {
  const [one, other] = [oneLine(left, 600), oneLine(right, 600)];
  if (one.length <= WIDTH) return [`     left: ${one.padEnd(WIDTH)}  right: ${other}`];
  return [`     left:  ${one}`, `     right: ${other}`];
}

export function remarksOn({
  again,
  alsoInThisAnswer,
  alsoIn,
  afterRequests,
}: BesideStory): readonly string[] {
  const shown =
    again.of === 0
      ? 'not repeated'
      : again.shown === again.of
        ? `shown again ${again.of} times of ${again.of}`
        : `shown again ${again.shown} times of ${again.of}, so the story is not shortened`;
  return [
    `first seen after ${afterRequests} requests; ${shown}`,
    ...(alsoInThisAnswer.length === 0
      ? []
      : [`this answer also differs in ${alsoInThisAnswer.map((one) => one.facet).join(', ')}`]),
    ...(alsoIn.length === 0 ? [] : [`also: ${listed(alsoIn)}`]),
  ];
}

function listed(kinds: readonly string[]): string {
  const shown = kinds.slice(0, MOST_GAPS).join(', ');
  return kinds.length > MOST_GAPS ? `${shown} and ${kinds.length - MOST_GAPS} more` : shown;
}

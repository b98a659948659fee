import { validateSequence } from '../../../generated/validators.js';
import { describeErrors, formatKey, problemText } from '../../document/describe-errors.ts';
import { parseJson } from '../../document/input/plain-data.ts';
import { causeKey } from '../monitor/findings.ts';
import type { ExploredFinding } from './explore.ts';
import { isAboutLists, localize, type OpenFresh, replay } from './replay.ts';
import { isWrong, type SingleStep, type Step, singleSteps } from './steps.ts';

export interface ReplayFile {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Reads a sequence from a named file. @throws RangeError with the expectation and the value */
export function readReplay(text: string, name: string): ReplayFile {
  let content: unknown;
  try {
    content = parseJson(text);
  } catch (error) {
    throw new RangeError(`${name}: expected JSON, got ${(error as Error).message}`);
  }
  if (validateSequence(content)) return { name, steps: content.steps as readonly Step[] };
  const problems = describeErrors(validateSequence.errors ?? []);
  throw new RangeError(
    problems.map((one) => problemText(one, `${name}: ${formatKey(one.path)}: `)).join('; '),
  );
}

/** `found` is for readers only: a replay uses just the steps. */
export function replayText(content: {
  readonly replay: 1;
  readonly found: Readonly<Record<'requirement' | 'expected' | 'got', string>>;
  readonly seed: number;
  readonly steps: readonly Step[];
}): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

export interface OwnRecords {
  readonly projects: readonly string[];
  readonly users: readonly string[];
}

/** The reason why a sequence may not be replayed on a live target: foreign projects or users, or refusals that the user does not accept. */
export function notAllowedLive(
  steps: readonly Step[],
  { projects, users }: OwnRecords,
  refusals: boolean,
): string | undefined {
  const used = new Set<string>();
  for (const [index, outer] of steps.entries()) {
    for (const step of singleSteps([outer])) {
      const where = `step ${index + 1} (${step.do})`;
      if ('project' in step && !projects.includes(step.project))
        return `${where} names project ${step.project}; expected one of \`projects\` (${projects.join(', ')})`;
      if ('user' in step && !users.includes(step.user))
        return `${where} names user ${step.user}; expected one of \`users\` (${users.join(', ')})`;
      const spends = spentBy(step);
      const refused = isWrong(step) || (spends !== undefined && used.has(spends));
      if (refused && !refusals) return `${where} is to be refused, which needs --risk revokes`;
      if (spends !== undefined) used.add(spends);
    }
  }
  return undefined;
}

/** Returns the name of the code or pair that a step spends. */
function spentBy(step: SingleStep): string | undefined {
  if (step.do === 'exchange') return step.code;
  return step.do === 'refresh' ? step.pair : undefined;
}

export async function replayFile(
  { steps, name }: ReplayFile,
  open: OpenFresh,
): Promise<readonly ExploredFinding[]> {
  const found = await replay(steps, open);
  const kinds = new Map(found.filter(({ uncertain }) => !uncertain).map((one) => [causeKey(one), one]));
  const explained: ExploredFinding[] = [];
  for (const one of kinds.values()) {
    const located = isAboutLists(one) ? await localize(one, steps, open) : undefined;
    const shown = located ?? one;
    if (explained.some((other) => causeKey(other) === causeKey(shown))) continue;
    const { id, kind, channel, expected, got, exchanges } = shown;
    explained.push({
      id,
      kind,
      ...(channel !== undefined && { channel }),
      expected,
      got,
      exchanges,
      steps,
      again: { shown: 1, of: 1 },
      rate: { broken: 1, examples: 1 },
      afterRequests: 0,
      replayOf: name,
    });
  }
  return explained;
}

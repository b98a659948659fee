import { parseJson } from '../../document/input/plain-data.ts';
import type { ExploredFinding } from './explore.ts';
import { isAboutLists, localize, type OpenFresh, replay } from './replay.ts';
import { isWrong, type Step, singleSteps } from './steps.ts';

export interface ReplayFile {
  readonly name: string;
  readonly steps: readonly Step[];
}

export interface ReplayContent {
  readonly replay: 1;
  /** For readers only: a replay uses just the steps. */
  readonly found: { readonly requirement: string; readonly expected: string; readonly got: string };
  readonly seed: number;
  readonly steps: readonly Step[];
}

const MEMBERS: Readonly<Record<string, Readonly<Record<string, 'string' | 'number'>>>> = {
  authorize: { as: 'string', application: 'number', address: 'number', scope: 'string' },
  'authorize wrongly': { how: 'string', application: 'number' },
  exchange: { code: 'string', as: 'string' },
  'exchange wrongly': { code: 'string', how: 'string' },
  refresh: { pair: 'string', as: 'string' },
  'refresh wrongly': { pair: 'string', how: 'string' },
  assign: { project: 'string', user: 'string', with: 'string' },
  unassign: { project: 'string', user: 'string', with: 'string' },
  list: { project: 'string', with: 'string' },
  'forget consent': {},
  'create application': { as: 'string' },
  wait: { seconds: 'number' },
};

/**
 * Reads a sequence.
 *
 * @param name of the file, for messages
 * @throws RangeError with the expectation and the value
 */
export function readReplay(text: string, name: string): ReplayFile {
  let content: unknown;
  try {
    content = parseJson(text);
  } catch (error) {
    throw new RangeError(`${name}: expected JSON, got ${(error as Error).message}`);
  }
  const { replay, steps } = (content ?? {}) as Partial<ReplayContent>;
  if (replay !== 1)
    throw new RangeError(`${name}: expected "replay": 1; got ${JSON.stringify(replay) ?? 'none'}`);
  if (!Array.isArray(steps) || steps.length === 0)
    throw new RangeError(`${name}: expected "steps", at least one`);
  for (const [index, step] of steps.entries()) demandStep(step, `${name}: step ${index + 1}`);
  return { name, steps };
}

function demandStep(step: unknown, where: string): void {
  if (typeof step !== 'object' || step === null) throw new RangeError(`${where}: expected an object`);
  const { do: what, ...members } = step as Record<string, unknown>;
  if (what === 'at once') {
    const { steps } = members;
    if (!Array.isArray(steps) || steps.length < 2)
      throw new RangeError(`${where}: expected "steps", at least two`);
    for (const one of steps) demandStep(one, where);
    return;
  }
  const demanded = typeof what === 'string' ? MEMBERS[what] : undefined;
  if (demanded === undefined)
    throw new RangeError(
      `${where}: expected "do" to be one of ${[...Object.keys(MEMBERS), 'at once'].join(', ')}; got ${JSON.stringify(what)}`,
    );
  for (const [member, type] of Object.entries(demanded)) {
    if (typeof members[member] !== type)
      throw new RangeError(
        `${where} (${what}): expected ${member} to be a ${type}; got ${JSON.stringify(members[member])}`,
      );
  }
}

export function replayText(content: ReplayContent): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

export interface OwnRecords {
  readonly projects: readonly string[];
  readonly users: readonly string[];
}

/**
 * Returns the reason why a sequence from a file may not be replayed on a live target. It may name a project or user that
 * is not the suite's own, or provoke refusals, which may lock or revoke.
 *
 * @param refusals true if the user accepts that risk
 * @returns one clause; undefined if the sequence may be replayed
 */
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
      const spends = step.do === 'exchange' ? step.code : step.do === 'refresh' ? step.pair : undefined;
      const refused = isWrong(step) || (spends !== undefined && used.has(spends));
      if (refused && !refusals) return `${where} is to be refused, which needs --risk revokes`;
      if (spends !== undefined) used.add(spends);
    }
  }
  return undefined;
}

export async function replayed(
  { steps, name }: ReplayFile,
  open: OpenFresh,
): Promise<readonly ExploredFinding[]> {
  const found = await replay(steps, open);
  const kinds = new Map(
    found.filter(({ uncertain }) => !uncertain).map((one) => [`${one.id} ${one.kind}`, one]),
  );
  const explained: ExploredFinding[] = [];
  for (const one of kinds.values()) {
    const located = isAboutLists(one) ? await localize(one, steps, open) : undefined;
    const { id, kind, expected, got, exchanges } = located ?? one;
    if (explained.some((other) => other.id === id && other.kind === kind)) continue;
    explained.push({
      id,
      kind,
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

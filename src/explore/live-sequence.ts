import { isWrong, type Step, singleSteps } from './steps.ts';

export interface OwnGround {
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
  { projects, users }: OwnGround,
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

import { loadProfile } from '../../src/emulator/policy/load-profile.ts';
import { explore } from '../../src/evaluation/explore/explore.ts';
import { openToExplore } from '../../src/evaluation/explore/replay.ts';
import { describeStep } from '../../src/evaluation/explore/steps.ts';
import { emulatorTarget, emulatorToExplore } from '../../src/service/emulator.ts';
import type { Control } from '../../tests/support/controls/control.ts';
import { formControls } from '../../tests/support/controls/form-controls.ts';
import { profileControls } from '../../tests/support/controls/profile-controls.ts';

/** A service without faults: a shipped profile, or a control by its name. */
export type HealthyTask = { readonly profile: string } | { readonly control: string };

const PROFILES = ['doorkeeper-5', 'by-the-rfc', 'rotation-with-grace', 'adversarial'] as const;

/** Steps of a control, of which there are many. */
const CONTROL_STEPS = 1_000;

/** Every shipped profile, and every control. */
export async function healthyTasks(): Promise<readonly HealthyTask[]> {
  const controls = await allControls();
  return [...PROFILES.map((profile) => ({ profile })), ...controls.map(({ name }) => ({ control: name }))];
}

async function allControls(): Promise<readonly Control[]> {
  return [...profileControls(), ...formControls(await loadProfile('by-the-rfc'))];
}

/** Explores a healthy service. Returns the false findings. */
export async function exploreHealthy(
  task: HealthyTask,
  steps: number,
): Promise<{ readonly problems: readonly string[]; readonly steps: number }> {
  if ('profile' in task) {
    const { profile } = task;
    const warned = (await loadProfile(profile)).warnings.map(({ requirement }) => requirement);
    return problemsOf(profile, warned, await emulatorToExplore(profile, []), steps);
  }
  const control = (await allControls()).find(({ name }) => name === task.control);
  if (control === undefined) throw new RangeError(`there is no control ${task.control}`);
  const { profile, behaviour, start, target: connectionOptions } = control;
  const defects = behaviour === undefined ? [] : [{ id: 'control', create: behaviour }];
  const bare = await emulatorTarget({ profile, defects, sockets: false, ...(start && { start }) });
  const pairwise = control.name.startsWith('pairwise');
  return problemsOf(
    control.name,
    control.warns,
    connectionOptions?.(bare) ?? bare,
    pairwise ? steps : Math.min(steps, CONTROL_STEPS),
  );
}

async function problemsOf(
  name: string,
  declared: readonly string[],
  target: Parameters<typeof openToExplore>[0],
  steps: number,
): Promise<{ readonly problems: readonly string[]; readonly steps: number }> {
  const { watched, session, close } = await openToExplore(target);
  const explored = await explore(watched, session, { seed: 1, requests: steps, refusals: true });
  await close();
  const found = explored.findings.filter(({ id }) => !declared.includes(id));
  const problems = found.map(
    ({ id, expected, got, steps: done }) =>
      `${name}: ${id}: expected ${expected}; got ${got} after ${done.map(describeStep).join('; ')}`,
  );
  return { problems, steps: explored.steps };
}

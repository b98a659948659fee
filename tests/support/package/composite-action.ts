import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly {
      readonly id?: string;
      readonly uses?: string;
      readonly if?: string;
      readonly run?: string;
      readonly shell?: string;
      readonly 'working-directory'?: string;
      readonly env?: Readonly<Record<string, string>>;
    }[];
  };
}

export interface ActionEnded {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

/**
 * Runs a composite action as GitHub's runner does, as far as ours goes. Actions that it uses are skipped.
 * @param workspace the repository that uses the action
 * @param env of the job, such as its secrets
 */
export function runAction(
  file: string,
  workspace: string,
  given: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): ActionEnded {
  const action = parse(readFileSync(file, 'utf8')) as Action;
  if (action.runs.using !== 'composite')
    throw new Error(`expected a composite action, got ${action.runs.using}`);
  const folder = mkdtempSync(join(tmpdir(), 'runner-'));
  const [output, summary] = [join(folder, 'output'), join(folder, 'summary')];
  try {
    for (const one of [output, summary]) writeFileSync(one, '');
    const known: Record<string, string> = {};
    for (const [name, input] of Object.entries(action.inputs))
      known[`inputs.${name}`] = given[name] ?? input.default;
    const resolved = (text: string) =>
      text.replace(/\$\{\{\s*(.+?)\s*\}\}/g, (_, expression: string) => {
        const value = known[expression];
        // A step that did not run has no outputs.
        if (value === undefined && expression.startsWith('steps.')) return '';
        if (value === undefined) throw new Error(`expected an input or an output, got ${expression}`);
        return value;
      });
    const ended = { code: 0 as number | null, stdout: '', stderr: '' };
    for (const step of action.runs.steps) {
      if (step.if !== undefined && step.if !== 'always()')
        throw new Error(`expected always(), got ${step.if}`);
      if (step.run === undefined || (ended.code !== 0 && step.if === undefined)) continue;
      if (step.run.includes('${{')) throw new Error('an expression in a script can be a command: use env');
      const said = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
        cwd: join(workspace, resolved(step['working-directory'] ?? '.')),
        encoding: 'utf8',
        env: {
          ...process.env,
          RUNNER_TEMP: folder,
          GITHUB_ACTION_PATH: dirname(resolve(file)),
          ...env,
          PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
          FORCE_COLOR: '0',
          CI: 'true',
          GITHUB_ACTIONS: 'true',
          GITHUB_WORKSPACE: workspace,
          GITHUB_OUTPUT: output,
          GITHUB_STEP_SUMMARY: summary,
          ...Object.fromEntries(
            Object.entries(step.env ?? {}).map(([name, value]) => [name, resolved(value)]),
          ),
        },
      });
      for (const line of readFileSync(output, 'utf8').split('\n').filter(Boolean)) {
        const at = line.indexOf('=');
        known[`steps.${step.id}.outputs.${line.slice(0, at)}`] = line.slice(at + 1);
      }
      writeFileSync(output, '');
      ended.stdout += said.stdout;
      ended.stderr += said.stderr;
      ended.code ||= said.status;
    }
    const outputs = Object.entries(action.outputs).map(
      ([name, { value }]) => [name, resolved(value)] as const,
    );
    return {
      ...ended,
      outputs: Object.fromEntries(outputs),
      summary: readFileSync(summary, 'utf8'),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

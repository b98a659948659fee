import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

/** A recipe as its build server would run it: the lines that decide, those that run whatever came of them, and what its files must have. */
export interface Recipe {
  readonly before: readonly string[];
  readonly check: string;
  readonly after: readonly string[];
}

export function blockWith(page: string, text: string): string {
  const blocks = [...page.matchAll(/^```\w+\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  const found = blocks.find((block) => block.includes(text));
  if (found === undefined) throw new Error(`the page has no block with ${text}`);
  return found;
}

export interface GitLabJob {
  readonly before_script: readonly string[];
  readonly script: readonly string[];
  readonly after_script: readonly string[];
  readonly allow_failure?: unknown;
  readonly timeout: string;
  readonly resource_group: string;
  readonly interruptible: boolean;
  readonly artifacts: { readonly when: string; readonly reports: { readonly junit: string } };
}

export function ofGitLab({ before_script, script, after_script }: GitLabJob): Recipe {
  return { before: before_script, check: script.join('\n'), after: after_script };
}

export function gitLabJob(text: string): GitLabJob {
  return Object.values(parse(text) as Record<string, GitLabJob>)[0] as GitLabJob;
}

/** A GitLab component (header `spec`, then the configuration) with its inputs put in. @throws Error for an unknown input */
export function gitLabComponent(text: string, given: Readonly<Record<string, string>>): GitLabJob {
  const [header, body] = parseAllDocuments(text).map((document) => document.toJS());
  const { inputs } = header.spec as { inputs: Record<string, { default?: string }> };
  const stray = Object.keys(given).find((name) => !(name in inputs));
  if (stray !== undefined) throw new Error(`the component has no input ${stray}`);
  const filled = JSON.stringify(body).replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) => {
    const value = given[name] ?? inputs[name]?.default;
    if (value === undefined) throw new Error(`the input ${name} has no value`);
    return JSON.stringify(String(value)).slice(1, -1);
  });
  return Object.values(JSON.parse(filled) as Record<string, GitLabJob>)[0] as GitLabJob;
}

/** The first job of a GitHub workflow. */
export function ofGitHub(text: string): Recipe {
  const { steps } = Object.values(parse(text).jobs)[0] as { steps: readonly { run?: string; if?: string }[] };
  const lines = steps.flatMap(({ run, if: when }) => (run === undefined ? [] : [{ run, when }]));
  const at = lines.findIndex(({ run }) => run.includes(' check '));
  const unconditional = lines.slice(at + 1).filter(({ when }) => when === 'always()');
  return {
    before: lines.slice(0, at).map(({ run }) => run),
    check: lines[at]?.run ?? '',
    after: unconditional.map(({ run }) => run),
  };
}

export function ofAzure(text: string): Recipe & { readonly publishes: string } {
  const { steps } = parse(text) as {
    steps: readonly {
      script?: string;
      condition?: string;
      task?: string;
      inputs?: Record<string, string>;
    }[];
  };
  const scripts = steps.filter(({ script }) => script !== undefined);
  const at = scripts.findIndex(({ script }) => script?.includes(' check '));
  const lines = scripts.map(({ script = '' }) => script);
  const unconditional = scripts.slice(at + 1).filter(({ condition }) => condition === 'always()');
  const publish = steps.find(({ task }) => task?.startsWith('PublishTestResults'));
  return {
    before: lines.slice(0, at),
    check: lines[at] ?? '',
    after: unconditional.map(({ script = '' }) => script),
    publishes: publish?.condition === 'always()' ? (publish.inputs?.testResultsFiles ?? '') : '',
  };
}

/** The shell commands of a Jenkins pipeline; `returnStatus` marks the one whose code the script decides on. */
export function ofJenkins(text: string): Recipe {
  const check = /sh\(returnStatus: true, script: '([^']+)'\)/.exec(text)?.[1] ?? '';
  const plain = [...text.matchAll(/\bsh '([^']+)'/g)];
  const at = text.indexOf('returnStatus');
  return {
    before: plain.filter(({ index }) => index < at).map(([, line = '']) => line),
    check,
    after: plain.filter(({ index }) => index > at).map(([, line = '']) => line),
  };
}

/** Returns a Jenkins pipeline's result for an exit code of the check, by its own `if` line. */
export function jenkinsVerdict(text: string, code: number): 'success' | 'unstable' | 'failure' {
  const rule = /if \(code == (\d)\) \{ unstable\(.*?\) \} else if \(code != (\d)\) \{ error\(/.exec(text);
  if (rule === null) throw new Error('the pipeline does not decide on the exit code');
  if (code === Number(rule[1])) return 'unstable';
  return code === Number(rule[2]) ? 'success' : 'failure';
}

export interface RecipeEnded {
  readonly code: number | null;
  readonly output: string;
  /** The arguments of `npm`. */
  readonly installed: readonly string[];
}

/** Runs a recipe as a job does. `npm ci` and the browser's installation are only noted; everything else is the real thing. */
export function runRecipe(
  { before, check, after }: Recipe,
  project: string,
  env: Readonly<Record<string, string>>,
): RecipeEnded {
  const tools = mkdtempSync(join(tmpdir(), 'job-'));
  const log = join(tools, 'log');
  try {
    writeFileSync(log, '');
    mkdirSync(join(tools, 'bin'));
    const tool = (name: string, script: string) => {
      writeFileSync(join(tools, 'bin', name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(tools, 'bin', name), 0o755);
    };
    const command = join(project, 'node_modules', '.bin', 'legacy-conformance');
    tool('npm', `echo "npm $*" >> "${log}"`);
    tool(
      'npx',
      `if [ "$1 $2" = "--no-install legacy-conformance" ]; then shift 2; exec "${process.execPath}" "${command}" "$@"; fi
echo "npx $*" >> "${log}"`,
    );
    const shell = (script: string) =>
      spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
        cwd: project,
        encoding: 'utf8',
        env: {
          ...process.env,
          ...env,
          CI: 'true',
          FORCE_COLOR: '0',
          PATH: `${join(tools, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
        },
      });
    for (const line of before) {
      const { status, stderr } = shell(line);
      if (status !== 0) throw new Error(`${line}: ${stderr}`);
    }
    const checked = shell(check);
    const afterwards = after.map(shell);
    const all = [checked, ...afterwards].map(({ stdout, stderr }) => stdout + stderr);
    return {
      code: checked.status,
      output: all.join('\n'),
      installed: readFileSync(log, 'utf8').split('\n').filter(Boolean),
    };
  } finally {
    rmSync(tools, { recursive: true, force: true });
  }
}

/** Checks the pipelines' recipes with the build servers' own schemas, from packages of the registry. Needs the network. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { blockWith, gitLabComponent } from '../../tests/support/package/recipes.ts';

const GITHUB = ['@action-validator/cli@0.6.0', '@action-validator/core@0.6.0'];
const GITLAB = ['gitlab-ci-local@4.75.1'];

/** @returns the schemas' complaints, a sentence each */
export function proveRecipes(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'prove-recipes-'));
  const page = readFileSync('docs/ci.md', 'utf8');
  const component = readFileSync('templates/check.yml', 'utf8');
  try {
    // The tool derives the kind of a file from its name.
    const workflow = join(folder, '.github/workflows/gate.yml');
    mkdirSync(dirname(workflow), { recursive: true });
    writeFileSync(workflow, blockWith(page, 'github.repository =='));
    const actions = [
      'action.yml',
      'examples/gate/.github/workflows/legacy-api.yml',
      '.github/workflows/ci.yml',
      '.github/workflows/release.yml',
      workflow,
    ].map((file) => validated(file, GITHUB, ['action-validator', resolve(file)], folder));
    const job = gitLabComponent(component, { target: 'staging/conformance.config.json' });
    const pipelines = {
      'docs/ci.md, GitLab': blockWith(page, 'resource_group'),
      'examples/gate/.gitlab-ci.yml': readFileSync('examples/gate/.gitlab-ci.yml', 'utf8'),
      'templates/check.yml': stringify({ 'legacy-api': job }),
    };
    // The tool needs a repository with a remote.
    for (const args of [
      ['init', '-q'],
      ['remote', 'add', 'origin', 'https://gitlab.example/group/project.git'],
    ])
      spawnSync('git', args, { cwd: folder });
    const jobs = Object.entries(pipelines).map(([name, text]) => {
      writeFileSync(join(folder, '.gitlab-ci.yml'), text);
      return validated(name, GITLAB, ['gitlab-ci-local', '--list', '--cwd', '.'], folder);
    });
    return [...actions, ...jobs].flat();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs the steps of the release that need no rights: provenance, and the bill of materials. The package must be built.
 *
 * @returns the problems, a sentence each
 */
export function proveRelease(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'prove-release-'));
  const { jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8'));
  const steps: readonly { name?: string; run?: string; 'working-directory'?: string }[] = jobs.publish.steps;
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    GITHUB_REPOSITORY: 'owner/legacy-api-conformance',
    GITHUB_WORKSPACE: folder,
    RUNNER_TEMP: join(folder, 'temp'),
  };
  mkdirSync(env.RUNNER_TEMP);
  try {
    for (const { name = '', run = '', 'working-directory': cwd = '.' } of steps.filter(({ name }) =>
      /^(?:Where it comes|Bill of)/.test(name ?? ''),
    )) {
      const { status, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', run], {
        cwd,
        env,
        encoding: 'utf8',
      });
      if (status !== 0) return [`release: ${name}: ${stderr}`];
    }
    const { repository } = JSON.parse(readFileSync('dist/package/package.json', 'utf8'));
    const bill = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8'));
    const names: readonly string[] = bill.components.map(({ name }: { name: string }) => name);
    console.log(`release: ${names.length} components in the bill of materials, from ${repository.url}`);
    return names.includes('playwright-core') &&
      !names.includes('@playwright/test') &&
      repository.url.endsWith('.git')
      ? []
      : [`release: unexpected: ${names.join(', ')}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function validated(
  name: string,
  packages: readonly string[],
  command: readonly string[],
  cwd: string,
): readonly string[] {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['exec', '--yes', ...packages.map((one) => `--package=${one}`), '--', ...command],
    {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    },
  );
  console.log(`schema of ${name}: ${status === 0 ? 'valid' : 'refused'}`);
  return status === 0 ? [] : [`${name}: ${stdout}${stderr}`];
}

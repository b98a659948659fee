import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Results } from '../../../src/report/results.ts';
import { startCommand } from '../command.ts';
import { type Comparison, compareWith, requestsOf } from './compare.ts';
import type { Server, Setting } from './server.ts';
import { type RunningServer, serverConfiguration, startServer } from './start.ts';

const LIMIT_MS = 900_000;

/** A setting of a server, by name. */
export interface NamedSetting {
  readonly server: Server;
  readonly name: string;
  readonly setting: Setting;
}

/** A run of the command on a setting, compared with what the setting demands. */
export interface ProvenSetting extends Comparison {
  readonly of: NamedSetting;
  readonly results: Results;
  readonly seconds: number;
}

/**
 * Starts a server in a setting, and runs the whole default `check --target` on it.
 *
 * @param folder is emptied; gets the configuration, the logs and the report
 * @throws {Error} when the server does not start, or the command leaves no results
 */
export async function proveSetting(of: NamedSetting, folder: string): Promise<ProvenSetting> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const environment = { VARIANT: of.name, ...of.setting.environment };
  const running = await startServer(of.server, environment, join(folder, 'server.log'));
  try {
    const begun = performance.now();
    const { code, results } = await check(of.server, running, folder);
    const seconds = (performance.now() - begun) / 1_000;
    return { of, results, seconds, ...compareWith(of.setting, results, code) };
  } finally {
    await running.stop();
  }
}

async function check(
  server: Server,
  running: RunningServer,
  folder: string,
): Promise<{ readonly code: number | null; readonly results: Results }> {
  const target = join(folder, 'conformance.config.json');
  const report = join(folder, 'report');
  writeFileSync(target, `${JSON.stringify(serverConfiguration(server, running), null, 2)}\n`);
  const command = startCommand(['check', '--target', target, '--report', report], {
    ...running.secrets,
    CI: '1',
  });
  const late = setTimeout(command.killAll, LIMIT_MS);
  const { code, stdout, stderr } = await command.end;
  clearTimeout(late);
  writeFileSync(join(folder, 'check.log'), `${stdout}\n${stderr}`);
  try {
    return { code, results: JSON.parse(readFileSync(join(report, 'results.json'), 'utf8')) };
  } catch {
    throw new Error(`exit ${code} without results: ${stderr.trim().slice(-500)}`);
  }
}

const COUNTED = {
  pass: 'passed',
  fail: 'failed',
  warning: 'warned',
  blocked: 'blocked',
  'not-run': 'not run',
};

/** The line of a setting, and below it what is wrong. */
export function provenText(proven: ProvenSetting): string {
  const { of, results, seconds, right, problems, missed, alarms } = proven;
  const count = (result: string) => results.requirements.filter((one) => one.result === result).length;
  const counts = Object.entries(COUNTED).map(([result, word]) => `${count(result)} ${word}`);
  const spent = `${seconds.toFixed(0)} s, ${requestsOf(results)} requests`;
  return [
    `${right ? 'right' : 'WRONG'} ${of.server.name}/${of.name}: ${results.verdict}; ${counts.join(', ')}; ${spent}`,
    ...problems.map((problem) => `  ${problem}`),
    ...missed.map(({ id, result, reason }) => `  must fail, ${result}: ${id}: ${reason}`),
    ...alarms.map(({ id, reason }) => `  must not fail: ${id}: ${reason}`),
  ].join('\n');
}

import { resolve } from 'node:path';
import { findBrowser } from '../agent/browser/find-browser.ts';
import type { Configuration } from '../config/configuration.ts';
import { loadConfiguration, readConfiguration } from '../config/load-configuration.ts';
import { environmentNames } from '../config/resolve-references.ts';
import { reasonOf, unlessAborted } from '../exchange/exchange.ts';
import { SMOKE_REQUESTS } from '../flow/smoke-run.ts';
import type { RunTrouble } from '../report/results.ts';
import { conclude, EXIT, type ExitCode } from '../report/verdict.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import { connectionOptionsOf } from '../targets/live.ts';
import { liveAbilities } from '../targets/live-abilities.ts';
import { openConfigured } from '../targets/open-target.ts';
import { required } from './browser.ts';
import { authorizePage, type CheckedStep, checkSteps, networkSteps, smokeFlowSteps } from './doctor-steps.ts';
import { LIVE_REQUESTS } from './explore-plan.ts';
import { forecast } from './forecast.ts';
import { requireLive, withSession, withTarget } from './prepare.ts';
import { print, printError, printJson } from './print.ts';
import { requireWritableFolder } from './write-files.ts';

interface DoctorRequest {
  readonly target: string;
  readonly walk: boolean;
  readonly report: string;
  readonly json: boolean;
}

/**
 * The verb `doctor`: checks step by step from the configuration to the target, stops at a failed step, and lists the changes of a
 * run. Without `walk` it does not sign in, grant or obtain tokens.
 *
 * @param signal aborts the current step and closes the browser
 * @returns the exit code: 0, or 3 if a step failed
 * @throws UsageError, ConfigurationError for an unusable configuration, before anything is sent
 */
export async function doctor(request: DoctorRequest, signal?: AbortSignal): Promise<ExitCode> {
  const steps: CheckedStep[] = [];
  const line = (text: string) => (request.json ? printError : print)(`${text}\n`);
  const step: Teller['step'] = (one, clean = (text) => text) => {
    steps.push(JSON.parse(clean(JSON.stringify(one))));
    line(clean(stepText(one)));
  };
  const exitCode = await checked(request, { line, step }, signal);
  if (request.json) printJson({ target: request.target, steps, exitCode });
  return exitCode;
}

interface Teller {
  line(text: string): void;
  step(checked: CheckedStep, clean?: (text: string) => string): void;
}

async function checked(
  { target: file, walk, report }: DoctorRequest,
  tell: Teller,
  signal: AbortSignal | undefined,
): Promise<ExitCode> {
  requireLive('doctor', file);
  if (walk) requireWritableFolder('--report', report);
  tell.line(`doctor ${file}`);
  const written = await readConfiguration(file);
  tell.step({
    name: 'schema',
    end: { ok: true, observed: `${written.name}: every key is known and has a valid value` },
  });
  const configuration = await loadConfiguration(file, process.env);
  const names = environmentNames(written);
  tell.step({
    name: 'variables',
    end: { ok: true, observed: names.length === 0 ? 'the configuration names none' : names.join(', ') },
  });

  const folder = walk ? resolve(report) : undefined;
  const broken = await checkToTarget(configuration, folder, tell, signal).catch((error: unknown) => {
    if (!signal?.aborted) throw error;
    return undefined;
  });
  if (signal?.aborted) {
    tell.line(`${reasonOf(signal)} (exit ${EXIT.inconclusive})`);
    return EXIT.inconclusive;
  }
  const troubles: RunTrouble[] =
    broken === undefined ? [] : [{ kind: 'inconclusive', message: `the step ${broken} failed` }];
  const { exitCode } = conclude({ troubles, violations: [], gaps: [], evaluatedCount: 1 });
  if (broken === undefined) tell.line(epilogue(configuration, walk));
  tell.line(
    broken === undefined ? `ready (exit ${exitCode})` : `fix this and run it again (exit ${exitCode})`,
  );
  return exitCode;
}

/** Returns the name of the step that failed; undefined if none did. */
async function checkToTarget(
  configuration: Configuration,
  report: string | undefined,
  teller: Teller,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  // Without a browser nothing is sent.
  await required(false, () => findBrowser());
  const secrets = new SecretRegistry();
  let last = '';
  const tell = (checked: CheckedStep) => {
    last = checked.name;
    teller.step(checked, (text) => secrets.redact(text));
  };
  const passed = await withTarget(openConfigured(configuration, secrets, report), async (target) => {
    const ofTheNetwork = networkSteps(configuration, connectionOptionsOf(configuration), target);
    if (!(await unlessAborted(checkSteps(ofTheNetwork, tell), signal))) return false;
    return withSession(target, secrets, async (session) => {
      const ofPages = [authorizePage(session), ...(report === undefined ? [] : smokeFlowSteps(session))];
      const assigning = ofPages.filter(({ assigns }) => assigns);
      const others = ofPages.filter(({ assigns }) => !assigns);
      if (!(await unlessAborted(checkSteps(others, tell), signal))) return false;
      // After an abort, it still unassigns its users.
      return checkSteps(assigning, tell);
    });
  });
  return passed ? undefined : last;
}

function epilogue(configuration: Configuration, walked: boolean): string {
  const further = walked
    ? 'Left behind: grants, codes and pairs of tokens. The users were unassigned again.'
    : 'Not checked: sign-in, redirect, token, list, users, settings, assign. Check them with --walk: it assigns and unassigns each user once, and leaves grants, codes and pairs of tokens.';
  const changes = changesOfARun(configuration).map((line) => `  - ${line}`);
  return [further, '', 'A run (`check`) would', ...changes, ''].join('\n');
}

const NAME_WIDTH = 16;

function stepText({ name, end }: CheckedStep): string {
  return [
    `  ${end.ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(NAME_WIDTH)}${end.observed}`,
    ...(end.ok ? (end.notes ?? []).map((note) => `note: ${note}`) : [`fix: ${end.remedy}`]).map(
      (line) => `${' '.repeat(8 + NAME_WIDTH)}${line}`,
    ),
  ].join('\n');
}

function changesOfARun(configuration: Configuration): readonly string[] {
  const requests = forecast(configuration);
  const { users, projects, pacing, budget } = configuration;
  const { abilities, missing } = liveAbilities(configuration);
  const minutes = Math.max(1, Math.ceil((requests + LIVE_REQUESTS) / pacing.requestsPerSecond / 60));
  return [
    `assign and unassign ${count(users, 'user')} ${users.join(', ')} in ${count(projects, 'project')} ${projects.join(', ')}, and no other user; afterwards they are unassigned again`,
    `sign in as the owner once (at most ${budget.signIns} times), and grant the application what it asks for`,
    'leave behind a grant and the tokens of some hundred codes, because the service has no way to revoke them',
    'provoke refusals: wrong secrets, used codes, unknown projects and users, missing and altered tokens',
    ...(abilities.has('destructive-ids') ? ['send PUT and DELETE with odd ids (`destructive-ids`)'] : []),
    ...(abilities.has('create-application')
      ? ['create applications in the account area and leave them there (`create-application`)']
      : []),
    ...(configuration.clock === undefined ? [] : ['move the clock of the target forward (`clock`)']),
    `send about ${requests} requests, and ${LIVE_REQUESTS} to explore unless \`--explore\` says otherwise (at most ${budget.requests}), at ${pacing.requestsPerSecond} a second: about ${minutes} min; with \`--smoke\` at most ${SMOKE_REQUESTS}`,
    ...[...missing].map(([ability, why]) => `not check what needs ${ability}: ${why}`),
  ];
}

function count(of: readonly string[], what: string): string {
  return of.length === 1 ? `the ${what}` : `the ${of.length} ${what}s`;
}

import { resolve } from 'node:path';
import { commandFor } from '../document/input/program-name.ts';
import { loadCatalogue } from '../document/load-catalogue.ts';
import { reasonOf } from '../http/exchange.ts';
import { SecretRegistry } from '../http/secrets/registry.ts';
import type { RunTrouble } from '../report/results.ts';
import { conclude, type ExitCode } from '../report/verdict.ts';
import { findBrowser } from '../service/agent/browser/find-browser.ts';
import type { Configuration } from '../service/configuration/configuration.ts';
import { loadConfiguration, readConfiguration } from '../service/configuration/load-configuration.ts';
import { environmentNames } from '../service/configuration/resolve-references.ts';
import type { Session } from '../service/flow/session.ts';
import { connectionOptionsOf } from '../service/live.ts';
import { liveAbilities } from '../service/live-abilities.ts';
import { openConfigured } from '../service/open-target.ts';
import { required } from './browser.ts';
import { authorizePage, checkSteps, networkSteps, type StepEnd, smokeFlowSteps } from './doctor-steps.ts';
import { LIVE_REQUESTS } from './explore-plan.ts';
import { forecast } from './forecast.ts';
import { requireLive, withSession, withTarget } from './prepare.ts';
import { print } from './print.ts';
import { requireReportFolder } from './write-files.ts';

interface DoctorRequest {
  readonly target: string;
  readonly walk: boolean;
  readonly report: string;
}

/**
 * The verb `doctor`: checks step by step from the configuration to the target, stops at a failed step, and lists the changes of a
 * run. Without `walk` it does not sign in, grant or obtain tokens.
 *
 * @returns the exit code: 0, or 3 if a step failed
 * @throws UsageError, ConfigurationError for an unusable configuration, before anything is sent
 */
export async function doctor(
  { target: file, walk, report }: DoctorRequest,
  signal?: AbortSignal,
): Promise<ExitCode> {
  requireLive('doctor', file);
  if (walk) requireReportFolder(report);
  const secrets = new SecretRegistry();
  const line = (text: string) => print(`${text}\n`);
  const tell = (name: string, end: StepEnd) => line(secrets.redact(stepText(name, end)));
  const passed = (name: string, observed: string) => tell(name, { ok: true, observed });
  line(`doctor ${file}`);
  const written = await readConfiguration(file);
  passed('schema', `${written.name}: every key is known and has a valid value`);
  const configuration = await loadConfiguration(file, process.env);
  passed('variables', environmentNames(written).join(', ') || 'the configuration names none');
  if (walk && configuration.consent.shown !== 'always') line(recordFirst(configuration));
  // Without a browser nothing is sent.
  await required(() => findBrowser());
  const troubles: RunTrouble[] = [];
  try {
    const opening = openConfigured(configuration, secrets, walk ? resolve(report) : undefined);
    const failed = await withTarget(opening, async (target) => {
      const ofTheNetwork = networkSteps(configuration, connectionOptionsOf(configuration), target);
      const ofPages = (session: Session) => [
        authorizePage(session),
        ...(walk ? smokeFlowSteps(session) : []),
      ];
      return (
        (await checkSteps(ofTheNetwork, tell, signal)) ??
        withSession(target, secrets, (session) => checkSteps(ofPages(session), tell, signal))
      );
    });
    if (failed !== undefined) troubles.push({ kind: 'inconclusive', message: `the step ${failed} failed` });
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
  if (signal?.aborted) troubles.push({ kind: 'inconclusive', message: reasonOf(signal) });
  const { exitCode } = conclude({ troubles, evaluatedCount: 1 });
  if (troubles.length === 0) line(epilogue(configuration, walk));
  const last = troubles.length === 0 ? 'ready' : 'fix this and run it again';
  line(`${signal?.aborted ? reasonOf(signal) : last} (exit ${exitCode})`);
  return exitCode;
}

function epilogue(configuration: Configuration, walked: boolean): string {
  const created = liveAbilities(configuration).abilities.has('create-application');
  const further = walked
    ? `Left behind: grants, codes and pairs of tokens${created ? ', and an application' : ''}. The users were unassigned again.`
    : 'Not checked: sign-in, redirect, token, list, users, settings, assign.\nCheck them with --walk: it assigns and unassigns each user once, and leaves grants, codes and pairs of tokens.';
  const first = walked || configuration.consent.shown === 'always' ? [] : [recordFirst(configuration)];
  const changes = changesOfARun(configuration).map((line) => `  - ${line}`);
  return [further, ...first, '', 'A run (`check`) would', ...changes, ''].join('\n');
}

function recordFirst({ file, secondApplication }: Configuration): string {
  return `Record first, if the record matters: \`${commandFor('observe', file)}\`.\n--walk and \`check\` grant consent. Then the service no longer shows how it denies and remembers consent (docs/record-before-retirement.md).${secondApplication ? '' : WITHOUT_SECOND}`;
}

const WITHOUT_SECOND =
  "\nWithout `secondApplication` the record lacks two answers: how the service refuses another application's code and refresh token.";

const NAME_WIDTH = 16;

function stepText(name: string, end: StepEnd): string {
  return [
    `  ${end.ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(NAME_WIDTH)}${end.observed}`,
    ...(end.ok ? (end.notes ?? []).map((note) => `note: ${note}`) : `fix: ${end.remedy}`.split('\n')).map(
      (line) => `${' '.repeat(8 + NAME_WIDTH)}${line}`,
    ),
  ].join('\n');
}

function changesOfARun(configuration: Configuration): readonly string[] {
  const { requests, seconds } = forecast(configuration, loadCatalogue());
  const { users, projects, budget, care } = configuration;
  const careful = care === 'careful';
  const { abilities, missing } = liveAbilities(configuration);
  return [
    `assign and unassign ${count(users, 'user')} ${users.join(', ')} in ${count(projects, 'project')} ${projects.join(', ')}, and no other user; afterwards they are unassigned again`,
    `sign in as the owner once (at most ${budget.signIns} times), and grant the application what it asks for`,
    'leave behind a grant and the tokens of some hundred codes, because the service has no way to revoke them',
    `provoke refusals: wrong secrets,${careful ? '' : ' used codes,'} unknown projects and users, missing and altered tokens`,
    ...(abilities.has('destructive-ids') && !careful
      ? ['send PUT and DELETE with odd ids (`destructive-ids`)']
      : []),
    ...(abilities.has('create-application')
      ? ['create applications in the account area and leave them there (`create-application`)']
      : []),
    ...(configuration.clock === undefined ? [] : ['move the clock of the target forward (`clock`)']),
    `send about ${requests} requests in ${Math.ceil(seconds / 60)} min${careful ? '' : `, and ${LIVE_REQUESTS} to explore unless \`--explore\` says otherwise`} (at most ${budget.requests})`,
    ...(careful ? ['leave out what `care: careful` names: replays, odd ids and exploring'] : []),
    ...[...missing].map(([ability, why]) => `not check what needs ${ability}: ${why}`),
  ];
}

function count(of: readonly string[], what: string): string {
  return of.length === 1 ? `the ${what}` : `the ${of.length} ${what}s`;
}

import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import { leastRequests } from '../checks/run/least-requests.ts';
import type { Configuration } from '../config/configuration.ts';
import { loadConfiguration, readConfiguration } from '../config/load-configuration.ts';
import { environmentNames } from '../config/resolve-references.ts';
import { connect } from '../flow/connect.ts';
import type { RunTrouble } from '../report/results.ts';
import { conclude, type ExitCode } from '../report/verdict.ts';
import { SecretRegistry } from '../secrets/registry.ts';
import { reachOf } from '../targets/live.ts';
import { liveAbilities } from '../targets/live-abilities.ts';
import { openConfigured } from '../targets/open-target.ts';
import { changesOfARun } from './doctor/changes.ts';
import { networkRungs } from './doctor/network-steps.ts';
import { authorizePage, walkRungs } from './doctor/page-steps.ts';
import { type ClimbedRung, climb } from './doctor/step.ts';
import { requireLive } from './live-session.ts';
import { requireBrowserForLive } from './prepare.ts';
import { print } from './print.ts';

/** What was asked of `doctor`. */
export interface DoctorRequest {
  readonly target: string;
  /** Climb the rungs that sign in, grant and obtain a token, too. */
  readonly walk: boolean;
}

/**
 * The verb `doctor`: climbs from the configuration to the target rung by rung, stops where one does not hold, and says what a
 * run would change. Without `walk` nothing is signed in to, granted or issued.
 *
 * @returns the exit code: 0, or 3 where a rung does not hold
 * @throws UsageError, ConfigurationError where the configuration cannot be used; nothing was sent then
 */
export async function doctor({ target: file, walk }: DoctorRequest): Promise<ExitCode> {
  requireLive('doctor', file);
  printLine(`doctor ${file}`);
  const written = await readConfiguration(file);
  told({ name: 'schema', end: { holds: true, saw: `${written.name}: every key is known and has its kind` } });
  const configuration = await loadConfiguration(file, process.env);
  const names = environmentNames(written);
  told({
    name: 'variables',
    end: { holds: true, saw: names.length === 0 ? 'none are named' : names.join(', ') },
  });

  const broken = await climbToTarget(configuration, walk);
  const troubles: RunTrouble[] =
    broken === undefined ? [] : [{ kind: 'inconclusive', message: `${broken} does not hold` }];
  const { exitCode } = conclude({ troubles, violations: [], gaps: [], judged: 1 });
  if (broken === undefined) printLine(epilogue(configuration, walk));
  printLine(
    broken === undefined ? `ready (exit ${exitCode})` : `mend this and come again (exit ${exitCode})`,
  );
  return exitCode;
}

/** The name of the rung that does not hold; undefined when all do. */
async function climbToTarget(configuration: Configuration, walk: boolean): Promise<string | undefined> {
  const { executablePath } = await requireBrowserForLive();
  const secrets = new SecretRegistry();
  const target = await openConfigured(configuration, secrets);
  let last = '';
  const tell = (climbed: ClimbedRung) => {
    last = climbed.name;
    told(climbed, (text) => secrets.redact(text));
  };
  try {
    if (!(await climb(networkRungs(configuration, reachOf(configuration), target), tell))) return last;
    const { session, close } = await connect(target, secrets, executablePath);
    try {
      const rungs = [authorizePage(session), ...(walk ? walkRungs(session) : [])];
      return (await climb(rungs, tell)) ? undefined : last;
    } finally {
      await close();
    }
  } finally {
    await target.close();
  }
}

function epilogue(configuration: Configuration, walked: boolean): string {
  const further = walked
    ? 'Left behind by this climb: a grant and a pair of tokens.'
    : 'Not climbed: sign-in, redirect, token, list, users. They leave a grant and a pair of tokens; climb them with --walk.';
  const { abilities } = liveAbilities(configuration);
  const requirements = loadCatalogue().clauses.flatMap((clause) => clause.requirements);
  const applicable = requirements.filter(({ needs }) => needs.every((ability) => abilities.has(ability)));
  const least = leastRequests(applicable.map(({ id }) => id));
  const changes = changesOfARun(configuration, least).map((line) => `  - ${line}`);
  return [further, '', 'A run (`check`) would', ...changes, ''].join('\n');
}

/** Rungs stand under one another. */
const NAME_WIDTH = 16;

function told({ name, end }: ClimbedRung, clean = (text: string) => text): void {
  const lines = [
    `  ${end.holds ? 'holds ' : 'BREAKS'}  ${name.padEnd(NAME_WIDTH)}${end.saw}`,
    ...(end.holds ? (end.notes ?? []).map((note) => `note: ${note}`) : [`do: ${end.remedy}`]).map(
      (line) => `${' '.repeat(10 + NAME_WIDTH)}${line}`,
    ),
  ];
  printLine(clean(lines.join('\n')));
}

function printLine(text: string): void {
  print(`${text}\n`);
}

import { resolve } from 'node:path';
import { commandFor } from '../../document/input/program-name.ts';
import { LIVE_REQUESTS } from '../../evaluation/explore/explore.ts';
import { abortReason } from '../../http/exchange.ts';
import { SecretRegistry } from '../../http/secrets/registry.ts';
import { toleratedFaultTexts } from '../../http/tolerated-faults.ts';
import type { RunTrouble } from '../../report/results.ts';
import { conclude, type ExitCode } from '../../report/verdict.ts';
import { findBrowser } from '../../service/agent/browser/find-browser.ts';
import type { Configuration } from '../../service/configuration/configuration.ts';
import { readDraft } from '../../service/configuration/draft.ts';
import { loadConfiguration, readConfiguration } from '../../service/configuration/load-configuration.ts';
import { environmentNames } from '../../service/configuration/resolve-references.ts';
import type { Session } from '../../service/flow/session.ts';
import { connectionOptionsOf } from '../../service/live.ts';
import { liveAbilities } from '../../service/live-abilities.ts';
import { openConfigured } from '../../service/open-target.ts';
import { forecast } from '../check/forecast.ts';
import { requireBrowser } from '../shared/browser.ts';
import { withSession, withTarget } from '../shared/connection.ts';
import { print } from '../shared/print.ts';
import { requireLive } from '../shared/target.ts';
import { requireReportFolder, requireWritableFile } from '../shared/write-files.ts';
import { authorizePage, smokeFlowSteps } from './flow.ts';
import { networkSteps } from './network.ts';
import { proposalSteps } from './propose.ts';
import { checkSteps, passed, type StepEnd } from './steps.ts';

interface DoctorRequest {
  readonly target: string;
  readonly walk: boolean;
  /** Finds the steps of the sign-in and the buttons of the consent page, and grants nothing. */
  readonly propose: boolean;
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
  { target: file, walk, propose, report }: DoctorRequest,
  signal?: AbortSignal,
): Promise<ExitCode> {
  requireLive('doctor', file);
  if (walk) requireReportFolder(report);
  if (propose) requireWritableFile('--propose', file);
  const secrets = new SecretRegistry();
  const line = (text: string) => print(`${text}\n`);
  const tell = (name: string, end: StepEnd) => line(secrets.redact(stepText(name, end)));
  line(`doctor ${file}`);
  const draft = propose ? await readDraft(file) : undefined;
  const written = await readConfiguration(file, draft);
  tell('schema', passed(`${written.name}: every key is known and has a valid value`));
  const configuration = await loadConfiguration(file, process.env, true, propose ? written : undefined);
  tell('variables', passed(environmentNames(written).join(', ') || 'the configuration names none'));
  if (walk && !propose && configuration.consent.shown !== 'always') line(recordFirst(configuration));
  // Without a browser nothing is sent.
  await requireBrowser(() => findBrowser());
  const troubles: RunTrouble[] = [];
  try {
    const opening = openConfigured(configuration, secrets, walk ? resolve(report) : undefined);
    const failed = await withTarget(opening, async (target) => {
      const ofTheNetwork = networkSteps(configuration, connectionOptionsOf(configuration), target);
      const ofPages = (session: Session) => [
        authorizePage(session),
        ...(walk ? smokeFlowSteps(session) : []),
      ];
      const ofPagesChecked = () =>
        propose
          ? checkSteps(proposalSteps(target, secrets, line, signal), tell, target, signal)
          : withSession(target, secrets, (session) => checkSteps(ofPages(session), tell, target, signal));
      const end = (await checkSteps(ofTheNetwork, tell, target, signal)) ?? (await ofPagesChecked());
      toleratedFaultTexts(target.traffic?.used).map(line);
      return end;
    });
    if (failed !== undefined) troubles.push({ kind: 'inconclusive', message: `the step ${failed} failed` });
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
  if (signal?.aborted) troubles.push({ kind: 'inconclusive', message: abortReason(signal) });
  const { exitCode } = conclude({ troubles, evaluatedCount: 1 });
  if (troubles.length === 0) line(propose ? afterProposal(configuration) : epilogue(configuration, walk));
  const ready = walk ? 'ready' : 'the network and the authorize page are ready; the sign-in was not tried';
  const last = troubles.length === 0 ? ready : 'fix this and run it again';
  line(`${signal?.aborted ? abortReason(signal) : last} (exit ${exitCode})`);
  return exitCode;
}

/** At most seven lines. */
function epilogue(configuration: Configuration, walked: boolean): string {
  const created = liveAbilities(configuration).abilities.has('create-application');
  const further = walked
    ? `Left behind: grants, codes and pairs of tokens${created ? ', and an application' : ''}. The users were unassigned again.`
    : 'Not tried: sign-in, redirect, token, list, users, settings, assign. --walk tries them, with each user once, and leaves grants and tokens.';
  const first = walked || configuration.consent.shown === 'always' ? [] : [recordFirst(configuration)];
  return [further, ...first, ...changesOfARun(configuration)].join('\n');
}

function afterProposal(configuration: Configuration): string {
  const left = 'Nothing was granted: the suite signed in twice, and clicked no button of the consent page.';
  const next = `Next: \`${commandFor('doctor --walk', configuration.file)}\`, which tries these buttons.`;
  return [left, recordFirst(configuration), next].join('\n');
}

function recordFirst({ file }: Configuration): string {
  return `Record before anything grants: \`${commandFor('observe', file)}\`, if the record matters: docs/record-before-retirement.md`;
}

const NAME_WIDTH = 16;

function stepText(name: string, end: StepEnd): string {
  return [
    `  ${end.ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(NAME_WIDTH)}${end.observed}`,
    ...(end.ok ? end.notes.map((note) => `note: ${note}`) : `fix: ${end.remedy}`.split('\n')).map(
      (line) => `${' '.repeat(8 + NAME_WIDTH)}${line}`,
    ),
  ].join('\n');
}

function changesOfARun(configuration: Configuration): readonly string[] {
  const { requests, seconds } = forecast(configuration);
  const { users, projects, lock, budget, care } = configuration;
  const careful = care === 'careful';
  const { abilities, missing } = liveAbilities(configuration);
  return [
    `\`check\` assigns and unassigns users ${users.join(', ')} in projects ${projects.join(', ')}, ${lock === undefined || lock === false ? '' : `user ${lock.user} as the lock, `}and no other user`,
    `It signs in as the owner once (at most ${budget.signIns} times)${configuration.clock ? ', moves the clock' : ''}, and leaves behind a grant and the tokens of some hundred codes${abilities.has('create-application') ? ', and applications' : ''}`,
    `It provokes refusals: wrong secrets,${careful ? '' : ' used codes,'} unknown projects and users, missing and altered tokens${abilities.has('destructive-ids') && !careful ? ', odd ids' : ''}`,
    `It sends about ${requests} requests in ${Math.ceil(seconds / 60)} min${careful ? '' : `, and ${LIVE_REQUESTS} to explore unless \`--explore\` says otherwise`} (at most ${budget.requests})`,
    ...(missing.size === 0
      ? []
      : [`It evaluates nothing that needs ${[...missing.keys()].join(', ')}: docs/verdicts.md has the keys`]),
  ];
}

import { readFileSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { commandFor } from '../../document/input/program-name.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import { answerViewFor } from '../../evaluation/run/answer-view.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import { toEvidence } from '../../http/to-evidence.ts';
import {
  createHandover,
  HANDOVER_ANSWERS,
  type Handover,
  type HandoverAspect,
  type HandoverObservation,
  observeHandover,
} from '../../record/handover.ts';
import { conclude, type ExitCode } from '../../report/verdict.ts';
import type { Configuration } from '../../service/configuration/configuration.ts';
import { loadConfiguration } from '../../service/configuration/load-configuration.ts';
import { SealBroken, seal, unseal } from '../../service/configuration/sealed-file.ts';
import { endOfLock } from '../../service/flow/end-of-run.ts';
import { FlowSteps, orStopped, Stopped } from '../../service/flow/flow-steps.ts';
import { takeLock } from '../../service/flow/lock.ts';
import { ServiceClient } from '../../service/flow/service-client.ts';
import type { Session } from '../../service/flow/session.ts';
import { flowToToken, unassignLeftovers } from '../../service/flow/smoke-flow.ts';
import { endSession, onLiveTarget } from '../shared/connection.ts';
import { printConclusion, type VerbResult } from '../shared/print-result.ts';
import { requireLive } from '../shared/target.ts';
import { requireWritableFile, writeWhole } from '../shared/write-files.ts';
import { sweepSession } from '../sweep/verb.ts';

const FORMAT = 'legacy-conformance-handover/1';

interface HandoverRequest {
  readonly step: string;
  /** Configuration of the live target: the old service for `before`, and with `back`; else the new one. */
  readonly target: string;
  readonly back: boolean;
  readonly expect: string | undefined;
  readonly json: boolean;
}

type Reserved = NonNullable<Configuration['handover']>;

/**
 * The verb `handover`: leaves grants at the old service, asks the new one which of them it knows, cleans up.
 *
 * @returns the exit code: 0, 1 for an unexpected answer or a user who stays assigned, 3 for a missing answer
 * @throws UsageError, ConfigurationError before anything is sent
 */
export async function handover(request: HandoverRequest): Promise<ExitCode> {
  const { step, target: file, back, expect } = request;
  requireLive('handover', file);
  if (step !== 'after' && (back || expect !== undefined))
    throw new UsageError(`${back ? '--back' : '--expect'}: expected with \`handover after\``);
  const expected = expect === undefined ? undefined : readExpected(expect);
  const configuration = await loadConfiguration(file, process.env);
  const reserved = configuration.handover;
  if (reserved === undefined)
    throw new UsageError(
      `${file}: handover: expected the reserved user and the encrypted file, got nothing; for example {"user":"1004","file":"staging.handover","passphrase":{"env":"STAGING_HANDOVER_PASSPHRASE"}}`,
    );
  const place = resolve(dirname(file), reserved.file);
  const work = new Map<string, () => Work | Promise<Work>>([
    ['before', () => before(configuration, reserved, place)],
    ['after', () => after(reserved, place, request, expected)],
    ['clean', () => clean(configuration, reserved, place)],
  ]).get(step);
  if (work === undefined)
    throw new UsageError(`handover ${step}: expected \`before\`, \`after\` or \`clean\``);
  // With the reserved user as the only own one, nothing else can be assigned or unassigned.
  const { end, secrets } = await onLiveTarget({ ...configuration, users: [reserved.user] }, await work());
  return printConclusion(end, secrets);
}

type Work = (session: Session) => Promise<VerbResult>;

function before(configuration: Configuration, reserved: Reserved, place: string): Work {
  requireWritableFile('handover.file', place);
  return locked(async (session) => {
    const left = await orStopped(createHandover(session));
    if (left instanceof Stopped) {
      const message = `nothing was written: ${left.step}: ${left.message}; \`${commandFor('handover clean', configuration.file)}\` unassigns user ${reserved.user}`;
      return unfinished(message);
    }
    await save(left, reserved, place);
    const lines = [
      `user ${reserved.user} is assigned to project ${left.assigned.project}`,
      'left: a token pair, an unused code, the consent of the owner',
      left.expired ? 'left: a token pair whose access token has expired' : 'no expired pair: no `clock`',
      left.created ? 'left: a created application' : 'no created application: no `create-application`',
      `encrypted to ${reserved.file}; next: \`${commandFor('handover after', 'NEW')}\`, at once: codes expire within minutes`,
    ];
    return { headline: HEADLINE, lines };
  });
}

async function after(
  reserved: Reserved,
  place: string,
  { back, json }: HandoverRequest,
  expected: ReadonlyMap<HandoverAspect, string> | undefined,
): Promise<Work> {
  const left = await open(reserved, place);
  return async (session) => {
    registerAll(session.secrets, left);
    const { seen, issued } = await observeHandover(session, left, back, Date.now());
    if (!back && issued !== undefined) await save({ ...left, issuedByNew: issued }, reserved, place);
    const answers = new Map(seen.map((one) => [one.aspect, one]));
    const wrong = [...(expected ?? [])].flatMap(([aspect, answer]) => {
      const one = answers.get(aspect);
      return one?.answer === undefined || one.answer === answer
        ? []
        : [`${aspect}: expected ${answer}, got ${one.answer} (${one.reason})`];
    });
    const gaps = [...(expected ?? answers).keys()].flatMap((aspect) => {
      const one = answers.get(aspect);
      return one?.answer === undefined
        ? [`${aspect}: no answer: ${one?.reason ?? 'nothing was left to ask'}`]
        : [];
    });
    const rows = seen.map(({ aspect, answer = '(no answer)', reason }) => [aspect, answer, reason]);
    return {
      headline: `handover from ${left.from.name} (${left.at}) to ${session.target.name}${back ? ', after the roll-back' : ''}`,
      table: { head: ['aspect', 'answer', 'reason'], rows },
      violations: wrong,
      gaps,
      evaluatedCount: seen.length,
      json: json ? { observations: observationsIn(session, seen) } : undefined,
    };
  };
}

function clean(configuration: Configuration, reserved: Reserved, place: string): Work {
  return locked(async (session) => {
    session.assignedByRun.claimAll();
    const swept = await sweepSession(session);
    const removed = conclude(swept).exitCode === 0 && (await isFrom(configuration, reserved, place));
    if (removed) rmSync(place, { force: true });
    const more = removed
      ? [`removed ${reserved.file}; grants and tokens end at the service: revoke them there`]
      : [];
    return { headline: HEADLINE, ...swept, lines: [...swept.lines, ...more] };
  });
}

/** Holds the lock during the work. Exit 3, and no work, if another run holds it. */
function locked(work: Work): Work {
  return async (session) => {
    const { tokens, requestStyle, stopped } = await flowToToken(session);
    const flowSteps = new FlowSteps(new ServiceClient(session).withStyle(requestStyle));
    const token = tokens?.accessToken ?? '';
    const lock = () => unassignLeftovers(flowSteps, token, []).then(() => takeLock(flowSteps, token));
    const failed = stopped ?? (await orStopped(lock()));
    if (failed instanceof Stopped || failed === stopped) return unfinished(failed?.message ?? 'no token');
    const done = await work(session);
    const { troubles, violations } = await endSession(session, endOfLock);
    return {
      ...done,
      troubles: [...(done.troubles ?? []), ...troubles],
      violations: [...(done.violations ?? []), ...violations],
    };
  };
}

const HEADLINE = 'handover';

function unfinished(message: string): VerbResult {
  return { headline: HEADLINE, troubles: [{ kind: 'inconclusive', message }] };
}

function observationsIn({ secrets, target }: Session, seen: readonly HandoverObservation[]) {
  const view = answerViewFor(target);
  return seen.map(({ aspect, answer = null, reason, entries }) => ({
    aspect,
    answer,
    reason,
    evidence: toEvidence(entries, secrets, view),
  }));
}

async function save(left: Handover, { passphrase }: Reserved, place: string): Promise<void> {
  const head = { format: FORMAT, authUrl: left.from.authUrl, savedAt: left.at };
  await writeWhole(place, await seal(left, head, passphrase), 0o600);
}

async function open({ file, passphrase }: Reserved, place: string): Promise<Handover> {
  try {
    return (await unseal(readFileSync(place, 'utf8'), FORMAT, undefined, passphrase)) as Handover;
  } catch (error) {
    const actual =
      error instanceof SealBroken
        ? error.message
        : `a path without a readable file (${(error as NodeJS.ErrnoException).code})`;
    throw new UsageError(
      `handover.file: expected the file that \`handover before\` wrote (${file}), got ${actual}`,
      { cause: error },
    );
  }
}

async function isFrom({ baseUrl }: Configuration, reserved: Reserved, place: string): Promise<boolean> {
  try {
    return (await open(reserved, place)).from.baseUrl === baseUrl;
  } catch {
    return false;
  }
}

function registerAll(secrets: SecretRegistry, left: Handover): void {
  secrets.register('code', left.code);
  for (const pair of [left.pair, left.expired, left.issuedByNew]) {
    if (pair === undefined) continue;
    secrets.register('access_token', pair.accessToken);
    secrets.register('refresh_token', pair.refreshToken);
  }
  if (left.created !== undefined) secrets.register('client_secret', left.created.clientSecret);
}

function readExpected(file: string): ReadonlyMap<HandoverAspect, string> {
  let entries: readonly (readonly [string, unknown])[];
  try {
    entries = Object.entries(parse(readFileSync(file, 'utf8')) ?? {});
  } catch (error) {
    throw new UsageError(`--expect: ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const known = new Map<string, readonly unknown[]>(Object.entries(HANDOVER_ANSWERS));
  const wrong = entries.find(([aspect, answer]) => known.get(aspect)?.includes(answer) !== true);
  if (wrong === undefined && entries.length > 0) return new Map(entries) as Map<HandoverAspect, string>;
  const [aspect, answer] = wrong ?? ['the file', null];
  const expected =
    known.get(aspect)?.join(' or ') ?? `a map from some of ${[...known.keys()].join(', ')} to an answer`;
  throw new UsageError(`--expect: ${file}: ${aspect}: expected ${expected}, got ${JSON.stringify(answer)}`);
}

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../../document/input/usage-error.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import type { Profile } from '../../document/profiles/profile.ts';
import type { Risk } from '../../document/types.ts';
import type { MonitorEvent } from '../../evaluation/monitor/events.ts';
import { prepareTarget, type ReadyTarget } from '../../evaluation/run/prepare-target.ts';
import type { SecretRegistry } from '../../http/secrets/registry.ts';
import { emulatorSide, liveSide, type Side } from '../../record/beside/sides.ts';
import { observe } from '../../record/observe/observe.ts';
import type { RunTrouble } from '../../report/results.ts';
import type { VerdictInput } from '../../report/verdict.ts';
import type { Configuration } from '../../service/configuration/configuration.ts';
import { withoutBrowser } from '../../service/flow/connect.ts';
import { profileFrom } from '../observe/profile.ts';
import { connectingLive, endSession } from '../shared/connection.ts';
import { type ResolvedTarget, resolveTarget, type TargetRequest } from '../shared/target.ts';

/** An opened side. */
export interface OpenedBeside {
  readonly side: Side;
  /** Runs the probes of `observe`. */
  probed(risks: ReadonlySet<Risk>): Promise<Profile>;
  end(): Promise<Pick<VerdictInput, 'troubles' | 'violations'>>;
}

/** One of the two targets. Nothing was opened. */
export interface ResolvedSide extends Pick<ResolvedTarget, 'choice' | 'configuration'> {
  readonly name: string;
  readonly kind: 'live' | 'emulator';
}

/** @throws UsageError for an invalid target, before anything is sent */
export async function resolveSide({ target, profile, defects }: TargetRequest): Promise<ResolvedSide> {
  const { summary, ...resolved } = await resolveTarget({ target, profile, defects });
  const { kind, name } = summary;
  return { ...resolved, kind, name: kind === 'live' ? name : `profile ${name}` };
}

/** Resolves the target of `--beside`: a configuration file, or any value of the emulator's `--profile`. @throws UsageError */
export async function resolveOther(other: string): Promise<ResolvedSide> {
  if (!/\.(?:json|m?[jt]s)$/.test(other)) return resolveSide({ target: 'emulator', profile: other });
  if (!existsSync(other)) throw new UsageError(`--beside: there is no file ${other}`);
  return resolveSide({ target: other });
}

/** Both sides run at once, each with users and a lock of its own: neither would see only its own changes. */
export function refuseSameService(left: Configuration | undefined, right: Configuration | undefined): void {
  if (left === undefined || right === undefined || left.baseUrl !== right.baseUrl) return;
  const shared = (a: readonly string[], b: readonly string[]) => a.some((id) => b.includes(id));
  if (shared(left.projects, right.projects) && shared(left.users, right.users))
    throw new UsageError(
      '--beside: both configurations name the same users of the same service; give each side users of its own',
    );
  const { project, user } = left.lock || {};
  if (user !== undefined && right.lock && right.lock.user === user && right.lock.project === project)
    throw new UsageError(
      `--beside: expected two different locks at ${left.baseUrl}, got user ${user} in project ${project} for both: name another user in \`lock\` of one side`,
    );
}

/**
 * Opens one side. An emulator is opened again for each repeated story; a live target is connected once.
 *
 * @param report folder for the list of users that the side assigned; the right one's is below it
 * @returns a trouble if the side could not be opened
 */
export async function openSide(
  { choice, configuration }: ResolvedSide,
  name: 'left' | 'right',
  secrets: SecretRegistry,
  report: string,
  signal: AbortSignal,
): Promise<OpenedBeside | RunTrouble> {
  if (configuration === undefined)
    return {
      side: emulatorSide(choice, secrets),
      probed: async (risks) => {
        const prepared = await prepareTarget(choice, secrets, { connectTo: withoutBrowser, signal });
        try {
          if (!prepared.ready) throw new Error(prepared.trouble.message);
          return await probed(prepared, risks);
        } finally {
          await prepared.close();
        }
      },
      end: async () => ({ troubles: [], violations: [] }),
    };
  const received: MonitorEvent[] = [];
  const folder = name === 'left' ? resolve(report) : join(resolve(report), 'beside');
  const prepared = await prepareTarget({ ...choice, report: folder }, secrets, {
    connectTo: connectingLive(),
    signal,
    also: (event) => void received.push(event),
  });
  if (!prepared.ready) {
    await prepared.close();
    const { kind, message } = prepared.trouble;
    return { kind, message: `${name} side: ${message}` };
  }
  const { watched, environment } = prepared;
  return {
    side: liveSide({ watched, session: environment.session, received }),
    probed: (risks) => probed(prepared, risks),
    end: async () => {
      const left = await endSession(environment.session);
      await prepared.close();
      return left;
    },
  };
}

async function probed({ environment }: ReadyTarget, risks: ReadonlySet<Risk>) {
  const { session, smokeFlow } = environment;
  const observed = await observe(session, smokeFlow, loadCatalogue(), { risks });
  return profileFrom(observed, session.target, new Date(), risks);
}

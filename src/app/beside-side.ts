import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { StoriesFile } from '../../generated/schemas.d.ts';
import { validateStories } from '../../generated/validators.js';
import type { RecordedSequence } from '../beside/pairing.ts';
import { storiesOf } from '../beside/record.ts';
import { emulatorSide, liveSide, type Side } from '../beside/sides.ts';
import { ReceivedEvents } from '../beside/target-player.ts';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import type { Risk } from '../catalogue/types.ts';
import { prepareTarget, type ReadyTarget } from '../checks/run/prepare-target.ts';
import { unassignOwn } from '../explore/replay.ts';
import { withoutBrowser } from '../flow/connect.ts';
import { parseJson } from '../input/plain-data.ts';
import { UsageError } from '../input/usage-error.ts';
import { observe } from '../observe/observe.ts';
import type { Profile } from '../profiles/profile.ts';
import type { RunTrouble } from '../report/results.ts';
import type { SecretRegistry } from '../secrets/registry.ts';
import { profileFrom } from './observe.ts';
import { PROFILE, STORIES } from './observe-stories.ts';
import { connectingLive, describeTarget, type IntendedTarget } from './prepare.ts';
import { knownProfile } from './read-profile.ts';

export interface OpenedBeside {
  readonly side: Side;
  /** Runs the probes of `observe`. */
  probed(risks: ReadonlySet<Risk>): Promise<{ readonly profile: Profile; readonly leftBehind?: string }>;
  /** @returns the users who stay assigned, in one sentence */
  end(): Promise<string | undefined>;
}

export interface DescribedSide {
  readonly intended: IntendedTarget;
  readonly name: string;
}

/** @throws UsageError for an invalid target, before anything is sent */
export async function describeSide(
  option: string,
  target: string,
  profile: string,
  defects: readonly string[],
): Promise<DescribedSide> {
  if (target !== 'emulator' && !existsSync(target))
    throw new UsageError(`${option}: there is no file ${target}`);
  const intended = await describeTarget({ target, profile, defects });
  const { kind, name } = intended.summary;
  return { intended, name: kind === 'live' ? name : `profile ${name}` };
}

/**
 * Describes the target of `--beside`: a configuration file, or any value of the emulator's `--profile`.
 *
 * @throws UsageError
 */
export function describeOther(other: string): Promise<DescribedSide> {
  return other.endsWith('.json')
    ? describeSide('--beside', other, 'doorkeeper-5', [])
    : describeSide('--beside', 'emulator', other, []);
}

export interface RecordedSide {
  readonly name: string;
  readonly record: StoriesFile;
  readonly stories: readonly RecordedSequence[];
  readonly profile: Profile;
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** @throws UsageError for a folder without a record of `observe --stories` */
export async function describeRecord(folder: string): Promise<RecordedSide> {
  const file = join(folder, STORIES);
  if (!existsSync(file))
    throw new UsageError(
      `--beside: expected a folder that \`observe --stories\` has written; ${file} is missing`,
    );
  const written = readStories(file);
  if (!validateStories(written))
    throw new UsageError(`${file}: expected the stories that \`observe --stories\` writes`);
  const { target, at } = written;
  const { profile } = await knownProfile('--beside', join(folder, PROFILE));
  return {
    name: `${target}, recorded ${at.slice(0, 10)}`,
    record: written,
    stories: storiesOf(written),
    profile,
  };
}

function readStories(file: string): unknown {
  try {
    return parseJson(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(
      `${file}: expected the stories that \`observe --stories\` writes, got ${(error as Error).message}`,
    );
  }
}

/** Both sides must not change the same users: neither would see only its own changes. */
export function refuseSame({ intended: one }: DescribedSide, { intended: other }: DescribedSide): void {
  const [left, right] = [one.configuration, other.configuration];
  if (left === undefined || right === undefined || left.baseUrl !== right.baseUrl) return;
  const shared = (a: readonly string[], b: readonly string[]) => a.some((id) => b.includes(id));
  if (shared(left.projects, right.projects) && shared(left.users, right.users))
    throw new UsageError(
      '--beside: both configurations name the same users of the same service; give each side users of its own',
    );
}

/** A side that could not be opened, and why. */
export class SideUnready extends Error {
  readonly trouble: RunTrouble;

  constructor(name: 'left' | 'right', { kind, message }: RunTrouble) {
    super(message);
    this.trouble = { kind, message: `${name} side: ${message}` };
  }
}

/**
 * Opens one side. An emulator is opened again for each repeated story; a live target is connected once.
 *
 * @param report folder for the list of users that the side assigned; the right one's is below it
 * @throws SideUnready
 */
export async function openSide(
  { intended: { choice, configuration } }: DescribedSide,
  name: 'left' | 'right',
  secrets: SecretRegistry,
  report: string,
  signal: AbortSignal,
): Promise<OpenedBeside> {
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
      end: async () => undefined,
    };
  const received = new ReceivedEvents();
  const folder = name === 'left' ? resolve(report) : join(resolve(report), 'beside');
  const prepared = await prepareTarget({ ...choice, report: folder }, secrets, {
    ...{ connectTo: connectingLive(), signal, also: received.take },
  });
  if (!prepared.ready) {
    await prepared.close();
    throw new SideUnready(name, prepared.trouble);
  }
  const { watched, environment } = prepared;
  return {
    side: liveSide({ watched, session: environment.session, received }),
    probed: (risks) => probed(prepared, risks),
    end: async () => {
      const left = await unassignOwn(watched, environment.session);
      await prepared.close();
      return left;
    },
  };
}

async function probed({ environment }: ReadyTarget, risks: ReadonlySet<Risk>) {
  const { session, smokeFlow } = environment;
  const observed = await observe(session, smokeFlow, loadCatalogue(), { risks });
  const profile = await profileFrom(observed, session.target, new Date(), risks);
  return { profile, leftBehind: observed.leftBehind };
}

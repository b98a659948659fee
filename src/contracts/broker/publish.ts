import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrokerAccess } from './access.ts';
import { type BrokerAnswer, granted, troubled } from './answer.ts';
import type { Build } from './build.ts';
import { type CliEnd, DEADLINE_MS, runPactCli } from './pact-cli.ts';
import type { PactFile } from './pact-files.ts';
import { type BrokerTrouble, troubleOf } from './trouble.ts';

/** One pact as it went to the broker. */
interface Published {
  readonly consumer: string;
  readonly provider: string;
  readonly notices: readonly string[];
}

/**
 * Publishes pacts as of one version. The files are taken as looked at (`readPactFiles`). Pact's program sends one after
 * the other and stops at the first that is refused: what went before stays, and is told.
 *
 * @param deadlineMs milliseconds for all of them
 */
export async function publishPacts(
  access: BrokerAccess,
  files: readonly PactFile[],
  build: Build,
  deadlineMs: number = DEADLINE_MS,
): Promise<BrokerAnswer> {
  const { version, branch, buildUrl } = build;
  const end = await withCopies(files, (cwd, names) =>
    runPactCli(
      access,
      [
        'publish',
        ...names,
        `--consumer-app-version=${version}`,
        ...(branch === undefined ? [] : [`--branch=${branch}`]),
        ...(buildUrl === undefined ? [] : [`--build-url=${buildUrl}`]),
        '--output=json',
      ],
      { cwd, deadlineMs },
    ),
  );
  const published = publishedIn(end);
  const as = `version ${version}${branch === undefined ? '' : ` (branch ${branch})`}`;
  const details = published.flatMap(({ notices }) => notices);
  if (end.code === 0 && published.length === files.length) {
    const pairs = published.map(({ consumer, provider }) => `${consumer} → ${provider}`).join(', ');
    return granted(access, `published as ${as}: ${pairs}`, details);
  }
  const trouble = refusalIn(end, version) ?? troubleOf(end, access.baseUrl, deadlineMs);
  return troubled(
    access,
    { ...trouble, message: `${trouble.message}. ${whatStays(published, end, trouble)}` },
    details,
  );
}

/** What is at the broker now. Publishing the same content again is no conflict, so nobody needs to tidy up. */
function whatStays(published: readonly Published[], end: CliEnd, { kind }: BrokerTrouble): string {
  const kept = published.map(({ provider }) => provider).join(', ');
  const before = kept === '' ? '' : `Published before it, and kept: ${kept}. `;
  const sent = announcedIn(end)[published.length];
  if (sent !== undefined && (kind === 'unreachable' || kind === 'failing'))
    return `${before}Whether the pact with ${sent.provider} arrived is not known; publishing it again does no harm`;
  return before === '' ? 'Nothing was published' : before.trim().replace(/\.$/, '');
}

/** Paths are patterns to the program, so that brackets in a folder's name lead elsewhere: it gets copies, plainly named. */
async function withCopies<T>(
  files: readonly PactFile[],
  work: (folder: string, names: readonly string[]) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'pacts-'));
  try {
    const names = files.map((_, index) => `${index}.json`);
    await Promise.all(files.map(({ path }, index) => copyFile(path, join(folder, `${index}.json`))));
    return await work(folder, names);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The answers that were printed: one line of JSON for each pact that the broker took. */
function publishedIn(end: CliEnd): readonly Published[] {
  const announced = announcedIn(end);
  const answers = end.stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [noticesIn(line)] : []));
  return answers.map((notices, index) => ({
    consumer: announced[index]?.consumer ?? '',
    provider: announced[index]?.provider ?? '',
    notices,
  }));
}

/** What the program said it would send, in its order. */
function announcedIn({ stdout }: CliEnd): readonly Pick<Published, 'consumer' | 'provider'>[] {
  return [...stdout.matchAll(/publish pact for consumer: (.*) against provider: (.*)/g)].map(
    ([, consumer = '', provider = '']) => ({ consumer, provider }),
  );
}

/** What a reader needs of an answer: that it worked, and where to look. */
function noticesIn(line: string): readonly string[] {
  const { notices = [] } = JSON.parse(line) as {
    readonly notices?: readonly { readonly type: string; readonly text: string }[];
  };
  return notices
    .filter(({ type, text }) => type === 'success' || text.includes('View the published pact'))
    .map(({ text }) => text.trim());
}

/** The two ways in which a broker refuses a pact as such. */
function refusalIn({ stdout }: CliEnd, version: string): BrokerTrouble | undefined {
  const said = /Pact publication failed:\s*([\s\S]*?)(?:\n\s*\n|$)/.exec(stdout)?.[1]?.trim();
  if (said === undefined) return undefined;
  const changed = /Cannot change the content of the pact for .* and provider (.*?), as race/.exec(said)?.[1];
  if (changed !== undefined) {
    return {
      kind: 'refused',
      message: `the pact with ${changed} differs from the one that was published as version ${version} before (409): a version's pact is fixed; publish from a new commit, and see that the pact holds no random values`,
    };
  }
  const similar = /The name "(.*?)" is very similar/.exec(said)?.[1];
  if (similar !== undefined) {
    return {
      kind: 'refused',
      message: `the broker takes ${similar} for a misspelt name that it has already (409): use that name, or create ${similar} there by hand first`,
    };
  }
  return { kind: 'refused', message: `the broker refuses the pact: ${said}` };
}

/**
 * `node scripts/weaken-monitor.ts [word]`: proof that the monitor can fail. Every statement with which it finds something, or keeps
 * something in its model, is left out in turn; what was sent to healthy services and to those with a defect is then told to it
 * again, and it must find otherwise. Exits 0 when every weakening is noticed or excused, 1 when not.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Monitor } from '../src/monitor/monitor.ts';
import { EXCUSED } from './weaken/excused.ts';
import { type Weakening, weakened, weakeningsOf } from './weaken/statements.ts';
import { foundBy, recordStreams, type Stream } from './weaken/streams.ts';

const FOLDER = fileURLToPath(new URL('../src/monitor/', import.meta.url));

/** Files that hold rules and model; the others attach them and tell of them. */
const FILES = readdirSync(FOLDER).filter(
  (name) => !['attach.ts', 'attribution.ts', 'conclude.ts', 'events.ts', 'invariants.ts'].includes(name),
);

/** Weakenings by the number that stands in the address of the modules that have them. */
const numbered: Weakening[] = [];

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const number =
      context.parentURL === undefined ? null : new URL(context.parentURL).searchParams.get('weaker');
    const own = resolved.url.startsWith(pathToFileURL(FOLDER).href);
    return number === null || !own ? resolved : { ...resolved, url: `${resolved.url}?weaker=${number}` };
  },
  load(url, context, next) {
    const loaded = next(url, context);
    const { pathname, searchParams } = new URL(url);
    const weakening = numbered[Number(searchParams.get('weaker') ?? '-1')];
    if (weakening === undefined || !pathname.endsWith(`/src/monitor/${weakening.file}`)) return loaded;
    const source = readFileSync(fileURLToPath(pathToFileURL(pathname)), 'utf8');
    return { ...loaded, source: weakened(source, weakening) };
  },
});

/** The streams in which a weaker monitor finds something else. */
async function noticedIn(weakening: Weakening, streams: readonly Stream[]): Promise<readonly string[]> {
  const number = numbered.push(weakening) - 1;
  const { Monitor: Weaker } = (await import(`../src/monitor/monitor.ts?weaker=${number}`)) as {
    Monitor: typeof Monitor;
  };
  const noticed: string[] = [];
  for (const stream of streams) {
    if (found(Weaker, stream) !== stream.found) noticed.push(stream.name);
    if (noticed.length >= ENOUGH) break;
  }
  return noticed;
}

/** Streams that tell of a weakening; one would do. */
const ENOUGH = 3;

function found(Kind: typeof Monitor, stream: Stream): string {
  try {
    return foundBy(Kind, stream);
  } catch (error) {
    return `it ended with ${(error as Error).message}`;
  }
}

const [word = ''] = process.argv.slice(2);
const streams = await recordStreams((done) => process.stderr.write(`\r${done} streams`));
const weakenings = FILES.flatMap((file) =>
  weakeningsOf(file, readFileSync(`${FOLDER}${file}`, 'utf8')),
).filter(({ file, statement }) => `${file} ${statement}`.includes(word));
process.stderr.write(`\r${streams.length} streams, ${weakenings.length} weakenings\n`);
let missed = 0;
let excused = 0;
for (const weakening of weakenings) {
  const noticed = await noticedIn(weakening, streams);
  if (noticed.length > 0) continue;
  const { file, line, statement } = weakening;
  const why = EXCUSED.find((one) => one.file === file && statement.includes(one.statement))?.why;
  if (why === undefined) missed += 1;
  else excused += 1;
  console.log(
    `${why === undefined ? 'MISSED ' : 'excused'}  ${file}:${line}  ${statement.slice(0, 110)}${why ? `\n         ${why}` : ''}`,
  );
}
console.log(
  `${weakenings.length - missed - excused} of ${weakenings.length} weakenings noticed, ${excused} excused, in ${streams.length} services`,
);
process.exitCode = missed > 0 || weakenings.length === 0 ? 1 : 0;

/**
 * `node scripts/weaken-monitor.ts [word]`, run by `npm run prove`: proves that the monitor can fail. Leaves out, in turn, every
 * statement that reports a finding or changes the model. Replays the exchanges of healthy services and of those with a defect:
 * the result must differ. Exits 0 if every weakening is noticed or excused, otherwise 1.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Monitor } from '../src/evaluation/monitor/monitor.ts';
import { EXCUSED } from './weaken/excused.ts';
import { type Weakening, weakened, weakeningsOf } from './weaken/statements.ts';
import { checkedStreams, exploredStreams, foundBy, type Stream, writtenStreams } from './weaken/streams.ts';

const FOLDER = fileURLToPath(new URL('../src/evaluation/monitor/', import.meta.url));

/** Files with rules and model; the others only connect them. */
const FILES = readdirSync(FOLDER).filter(
  (name) => !['also-seen.ts', 'attach.ts', 'events.ts'].includes(name),
);

/** Weakenings by the number in the address of their modules. */
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
    if (weakening === undefined || !pathname.endsWith(`/src/evaluation/monitor/${weakening.file}`))
      return loaded;
    const source = readFileSync(fileURLToPath(pathToFileURL(pathname)), 'utf8');
    return { ...loaded, source: weakened(source, weakening) };
  },
});

const weaker = new Map<Weakening, typeof Monitor>();

/** True if a weaker monitor finds something else in some streams. */
async function isNoticed(weakening: Weakening, streams: readonly Stream[]): Promise<boolean> {
  const Weaker = weaker.get(weakening) ?? (await weakerMonitor(weakening));
  weaker.set(weakening, Weaker);
  return streams.some((stream) => found(Weaker, stream) !== stream.found);
}

async function weakerMonitor(weakening: Weakening): Promise<typeof Monitor> {
  const number = numbered.push(weakening) - 1;
  const address = `../src/evaluation/monitor/monitor.ts?weaker=${number}`;
  return ((await import(address)) as { Monitor: typeof Monitor }).Monitor;
}

function found(Kind: typeof Monitor, stream: Stream): string {
  try {
    return foundBy(Kind, stream);
  } catch (error) {
    return `it ended with ${(error as Error).message}`;
  }
}

const [word = ''] = process.argv.slice(2);
const all = FILES.flatMap((file) => weakeningsOf(file, readFileSync(`${FOLDER}${file}`, 'utf8')));
const weakenings = all.filter(({ file, statement }) => `${file} ${statement}`.includes(word));
const explored = [...writtenStreams(), ...(await exploredStreams())];
let left: Weakening[] = [];
for (const weakening of weakenings) if (!(await isNoticed(weakening, explored))) left.push(weakening);
let services = explored.length;
// The checks' own streams are large and seldom needed.
for await (const stream of checkedStreams()) {
  services += 1;
  const still: Weakening[] = [];
  for (const weakening of left) if (!(await isNoticed(weakening, [stream]))) still.push(weakening);
  left = still;
  if (left.length === 0) break;
}
const excuseOf = ({ file, statement }: Weakening) =>
  EXCUSED.find((one) => one.file === file && statement.includes(one.statement))?.why;
for (const weakening of left) {
  const { file, line, statement } = weakening;
  const why = excuseOf(weakening);
  console.log(`${why === undefined ? 'MISSED ' : 'excused'}  ${file}:${line}  ${statement.slice(0, 110)}`);
  if (why !== undefined) console.log(`         ${why}`);
}
const missed = left.filter((weakening) => excuseOf(weakening) === undefined).length;
console.log(
  `${weakenings.length - left.length} of ${weakenings.length} weakenings noticed, ${left.length - missed} excused, ${missed} missed, in ${services} services`,
);
process.exitCode = missed > 0 || weakenings.length === 0 ? 1 : 0;

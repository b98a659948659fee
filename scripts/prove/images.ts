/**
 * Builds the two images of `examples/container` from the packed package, and runs them, with buildah: it needs no daemon. Where no
 * registry of images is reached, the base is made of Debian's packages and of this repository's Node.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Emulator } from '../../src/emulator/start/start-emulator.ts';
import { emulatorSecrets, emulatorSettings } from '../../tests/support/emulator-settings.ts';
import { buildAndPack } from '../../tests/support/package/project.ts';

const BASE = 'node:24-slim';

/** Bytes that the emulator may add to its base. */
const LAYER = 40_000_000;

/** Bytes of memory that a container may take, with the engine that runs it. */
const MEMORY = { 'legacy-emulator': 192e6, 'legacy-conformance': 768e6 } as const;

type Image = keyof typeof MEMORY;

/** Neither root nor the image's own user. */
const NOBODY = '65534';

const STORAGE = ['--storage-driver', 'vfs'];
const CHROOT = ['--isolation', 'chroot'];

/** @returns a sentence for each demand that is not met */
export async function proveImages(): Promise<readonly string[]> {
  if (spawnSync('buildah', ['--version']).status !== 0)
    return ['there is no buildah to build the images with'];
  const folder = mkdtempSync(join(tmpdir(), 'prove-images-'));
  try {
    requireBase(folder);
    cpSync('examples/container', join(folder, 'context'), { recursive: true });
    const { file } = buildAndPack(folder);
    copyFileSync(file, join(folder, 'context', basename(file)));
    for (const target of Object.keys(MEMORY))
      buildah(
        'bud',
        ...CHROOT,
        '--pull-never',
        '--target',
        target,
        '-t',
        target,
        '--build-arg',
        `PACKAGE=/tmp/${basename(file)}`,
        join(folder, 'context'),
      );
    return [...tooHeavy(), ...(await runs(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function buildah(...args: readonly string[]): string {
  return execFileSync('buildah', [...STORAGE, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function sizeOf(image: string): number {
  const [container] = buildah('from', '--pull-never', image).trim().split('\n');
  const mounted = buildah('mount', container ?? '').trim();
  const size = Number(execFileSync('du', ['-sb', mounted], { encoding: 'utf8' }).split('\t')[0]);
  buildah('rm', container ?? '');
  return size;
}

function tooHeavy(): readonly string[] {
  const [base, emulator, gate] = [BASE, 'legacy-emulator', 'legacy-conformance'].map(sizeOf);
  const layer = (emulator ?? 0) - (base ?? 0);
  console.log(`images: base ${mb(base)}, emulator ${mb(emulator)} (${mb(layer)} above), gate ${mb(gate)}`);
  return layer > LAYER ? [`the emulator adds ${mb(layer)} to its base, at most ${mb(LAYER)}`] : [];
}

function mb(bytes = 0): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

/** Takes the base from a registry of images if one is reached. */
function requireBase(folder: string): void {
  const has = () => spawnSync('buildah', [...STORAGE, 'inspect', '--type', 'image', BASE]).status === 0;
  if (has()) return;
  spawnSync('buildah', [...STORAGE, 'pull', `docker.io/library/${BASE}`], { timeout: 120_000 });
  if (has()) return;
  const context = join(folder, 'base');
  mkdirSync(context);
  execFileSync('mmdebstrap', [
    '--variant=minbase',
    '--include=ca-certificates',
    'bookworm',
    join(context, 'rootfs.tar'),
  ]);
  copyFileSync('node_modules/node/bin/node', join(context, 'node'));
  const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())));
  cpSync(npm, join(context, 'npm'), { recursive: true });
  // The machine's authorities and settings, or npm inside waits without a word.
  copyFileSync('/etc/ssl/certs/ca-certificates.crt', join(context, 'ca.crt'));
  const settings = execFileSync('npm', ['config', 'get', 'globalconfig'], { encoding: 'utf8' }).trim();
  writeFileSync(join(context, 'npmrc'), existsSync(settings) ? readFileSync(settings) : '');
  writeFileSync(join(context, 'Containerfile'), BASE_OF_PACKAGES);
  buildah('bud', ...CHROOT, '--pull-never', '-t', BASE, context);
}

const BASE_OF_PACKAGES = `FROM scratch
ADD rootfs.tar /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY npmrc /usr/local/etc/npmrc
COPY ca.crt /etc/ssl/certs/ca-certificates.crt
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd --uid 1000 --create-home node
`;

async function runs(folder: string): Promise<readonly string[]> {
  const wrong: string[] = [];
  const emulator = start(
    folder,
    'legacy-emulator',
    [],
    ['emulate', '--port', '0', '--api-port', '0', '--json'],
  );
  const gateFolder = join(folder, 'work');
  mkdirSync(gateFolder);
  chmodSync(gateFolder, 0o777);
  try {
    const ready = JSON.parse(await emulator.line);
    console.log(`images: the emulator was ready after ${Math.round(emulator.readyMs())} ms`);
    if ((await fetch(`${ready.authUrl}/healthz`)).status !== 200) wrong.push('the emulator is not healthy');
    // It prints the members of its seed.
    const seen = { ...ready, seed: ready } as Emulator;
    writeFileSync(join(gateFolder, 'conformance.config.json'), JSON.stringify(emulatorSettings(seen)));
    const variables = Object.entries(emulatorSecrets(seen)).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(gateFolder, '.env'), variables.join(''));
    for (const args of [['check'], ['check', '--target', 'conformance.config.json']]) {
      const gate = start(
        folder,
        'legacy-conformance',
        ['-v', `${gateFolder}:/work`, '-e', 'LEGACY_CONFORMANCE_SANDBOX=off'],
        [...args, '--report', 'report'],
      );
      const code = await gate.end;
      if (code !== 0)
        wrong.push(`the gate's ${args.join(' ')} ended with ${code}: ${gate.text().slice(-600)}`);
      const page = join(gateFolder, 'report/index.html');
      if (!existsSync(page) || String(statSync(page).uid) !== NOBODY)
        wrong.push(`${args.join(' ')} left no report of its caller's`);
      rmSync(join(gateFolder, 'report'), { recursive: true, force: true });
    }
    const unsafe = start(folder, 'legacy-conformance', ['-v', `${gateFolder}:/work`], ['check']);
    const refused = await unsafe.end;
    if (refused !== 0 && !(refused === 2 && unsafe.text().includes('LEGACY_CONFORMANCE_SANDBOX')))
      wrong.push(`without a sandbox the gate ended with ${refused}: ${unsafe.text().slice(-300)}`);
  } finally {
    const pid = innermost(emulator.child.pid ?? 0);
    const peak = /VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    console.log(`images: the emulator took ${mb(Number(peak) * 1024)} of memory at most`);
    process.kill(pid, 'SIGTERM');
  }
  const stopped = await emulator.end;
  if (stopped !== 0) wrong.push(`the emulator ended with ${stopped} at SIGTERM`);
  return wrong;
}

function start(folder: string, image: Image, options: readonly string[], args: readonly string[]) {
  const [container = ''] = buildah('from', '--pull-never', image).trim().split('\n');
  const marker = join(folder, `marker-${image}`);
  writeFileSync(marker, '');
  const begun = performance.now();
  const child: ChildProcess = spawn('buildah', [
    ...STORAGE,
    'run',
    ...CHROOT,
    '--user',
    NOBODY,
    ...options,
    container,
    '--',
    'legacy-conformance',
    ...args,
  ]);
  limitMemory(image, child.pid ?? 0);
  let [text, readyAt] = ['', 0];
  const line = Promise.withResolvers<string>();
  const read = (data: Buffer) => {
    text += data;
    if (!text.includes('\n')) return;
    readyAt ||= performance.now();
    line.resolve(text.split('\n')[0] ?? '');
  };
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  const end = once(child, 'close').then(([code]) => {
    const written = writtenIn(container, marker);
    buildah('rm', container);
    if (written !== '') throw new Error(`${image} needs a root file system that can be written: ${written}`);
    return code as number | null;
  });
  return { child, line: line.promise, end, text: () => text, readyMs: () => readyAt - begun };
}

/** Limits a process and its children as an engine does, if the machine's control groups can be written. */
function limitMemory(image: Image, pid: number): void {
  const old = '/sys/fs/cgroup/memory';
  const [root, key] = existsSync(old) ? [old, 'memory.limit_in_bytes'] : ['/sys/fs/cgroup', 'memory.max'];
  const group = join(root, `prove-${image}`);
  try {
    mkdirSync(group, { recursive: true });
    writeFileSync(join(group, key), String(MEMORY[image]));
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
  } catch (error) {
    console.log(`images: ${image} ran without a limit of memory: ${(error as Error).message}`);
  }
}

/** Returns the process that an engine would send its signals to: the only child of the only child, and so on. */
function innermost(pid: number): number {
  // Any thread of a program in Go may have started the child.
  const [child] = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return child === undefined ? pid : innermost(Number(child));
}

/** Returns the files that a run wrote outside `/tmp` and the mounted folder: with a read-only root it would have failed. */
function writtenIn(container: string, marker: string): string {
  const root = buildah('mount', container).trim();
  const outside = ['tmp', 'work', 'proc', 'sys', 'dev', 'etc'].flatMap((name) => [
    '-not',
    '-path',
    `${root}/${name}/*`,
  ]);
  return execFileSync('find', [root, '-newer', marker, '-type', 'f', ...outside], {
    encoding: 'utf8',
  }).trim();
}

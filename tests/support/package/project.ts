import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { directDependencies, type LockFile, lockFor } from './lock.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** npm as this process was started by, else the machine's. */
const NPM = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];

export interface Packed {
  readonly file: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly size: number;
  readonly unpackedSize: number;
}

export function buildAndPack(folder: string): Packed {
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: ROOT, stdio: 'pipe' });
  const [program = '', ...args] = NPM;
  const said = execFileSync(
    program,
    [...args, 'pack', join(ROOT, 'dist/package'), '--json', `--pack-destination=${folder}`],
    { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' },
  );
  const [{ filename, files, size, unpackedSize }] = JSON.parse(said);
  return { file: join(folder, filename), files, size, unpackedSize };
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Writes package and lock file into a folder, so that npm finds in its cache what the packed package needs. */
export function writeLocked(folder: string, packed: Packed, besides: readonly string[] = []): void {
  mkdirSync(folder, { recursive: true });
  const tarball = join(folder, 'package.tgz');
  copyFileSync(packed.file, tarball);
  const checkout = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as LockFile;
  const manifest = JSON.parse(readFileSync(join(ROOT, 'dist/package/package.json'), 'utf8'));
  const lock = lockFor(checkout, tarball, manifest, besides);
  const dependencies = directDependencies(checkout, manifest.name, tarball, besides);
  // As `npm init` writes it: the integrator's own modules are CommonJS.
  const project = { name: 'project', type: 'commonjs', dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
}

/** An empty project of an integrator, with the packed package installed from npm's cache. */
export class Project {
  readonly folder: string;

  /** `besides`: further packages that the integrator has, by name, in the checkout's version. */
  constructor(packed: Packed, besides: readonly string[] = []) {
    this.folder = mkdtempSync(join(tmpdir(), 'integrator-'));
    writeLocked(this.folder, packed, besides);
    const [program = '', ...args] = NPM;
    execFileSync(program, [...args, 'ci', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: this.folder,
      stdio: 'pipe',
    });
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    writeFileSync(join(this.folder, name), text);
  }

  /** Runs the package's command, as `npx legacy-conformance` does. */
  run(...args: readonly string[]): Promise<Ended> {
    return this.node(join('node_modules', '.bin', 'legacy-conformance'), ...args);
  }

  /** Runs a file of the project by this process's Node. The test's own service can answer meanwhile. */
  async node(file: string, ...args: readonly string[]): Promise<Ended> {
    const child = spawn(process.execPath, [file, ...args], {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, FORCE_COLOR: '0', PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    });
    const [[code], stdout, stderr] = await Promise.all([
      once(child, 'close'),
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code, stdout, stderr };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type LockFile, lockFor } from './lock.ts';
import type { Packed } from './project.ts';

/** Bytes of the files below a folder. */
export function bytesOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
    0,
  );
}

/** Bytes of every package that is installed in a `node_modules`, by name; those nested in one are counted with it. */
export function installedPackages(modules: string): ReadonlyMap<string, number> {
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((part) => `${name}/${part}`) : [name],
  );
  return new Map(
    names
      .filter((name) => !name.startsWith('.'))
      .map((name) => [name, bytesOf(join(modules, name))] as const),
  );
}

/** Bytes that an optional package brings beside what is installed without it, as the checkout has it. */
export function notInstalledUnasked({ file }: Packed, name: string): number {
  const checkout = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;
  const own = JSON.parse(readFileSync('dist/package/package.json', 'utf8'));
  const paths = (besides: readonly string[]) =>
    Object.keys(lockFor(checkout, file, own, besides).packages as object);
  const before = new Set(paths([]));
  return paths([name])
    .filter((path) => !before.has(path) && existsSync(path) && path.lastIndexOf('node_modules/') === 0)
    .reduce((sum, path) => sum + bytesOf(path), 0);
}

/** A row of a table of weights. */
interface WeightRow {
  readonly what: string;
  readonly bytes: number;
  /** Only in the table of what is always installed. */
  readonly packages: number;
}

/** The two tables of `docs/install.md`: what is always installed, and what is optional. */
export function weightTables(page: string): {
  readonly installed: readonly WeightRow[];
  readonly optional: readonly WeightRow[];
} {
  const rows = [...page.matchAll(/^\| (\S[^|]*) \| (\d+\.\d) \|(?: (\d+) \|)?/gm)].map(
    ([, what = '', megabytes, packages]) => ({
      what,
      bytes: Math.round(Number(megabytes) * 1e6),
      packages: packages === undefined ? Number.NaN : Number(packages),
    }),
  );
  return {
    installed: rows.filter(({ packages }) => !Number.isNaN(packages)),
    optional: rows.filter(({ packages }) => Number.isNaN(packages)),
  };
}

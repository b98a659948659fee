import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** One entry of a lock file's `packages`. */
interface Locked {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

export interface LockFile {
  readonly packages: Readonly<Record<string, Locked>>;
}

/**
 * The lock file of a project with a packed package: dependencies as the checkout locks them, so that npm has them cached.
 * @param tarball file name of the package, in the project's folder
 * @param besides further packages that the project installs, in the checkout's version
 */
export function lockFor(
  checkout: LockFile,
  tarball: string,
  manifest: Locked & { readonly name: string },
  besides: readonly string[],
): Readonly<Record<string, unknown>> {
  const packages: Record<string, Locked> = {};
  const add = (name: string, from: string): void => {
    const path = locate(checkout, name, from);
    if (path === undefined)
      throw new Error(`the lock file has no ${name}, which ${from || manifest.name} needs`);
    const {
      dev: _dev,
      peer: _peer,
      devOptional: _devOptional,
      ...locked
    } = checkout.packages[path] as Locked;
    if (path in packages) return;
    packages[path] = locked as Locked;
    for (const needed of Object.keys(locked.dependencies ?? {})) add(needed, path);
    for (const optional of Object.keys(locked.optionalDependencies ?? {})) {
      if (locate(checkout, optional, path) !== undefined) add(optional, path);
    }
  };
  for (const name of [...Object.keys(manifest.dependencies ?? {}), ...besides]) add(name, '');
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  const { name, version, dependencies, bin, engines, peerDependencies, peerDependenciesMeta } = manifest;
  const own = { version, resolved: `file:${basename(tarball)}`, integrity, dependencies, bin, engines };
  return {
    name: 'project',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'project', dependencies: directDependencies(checkout, name, tarball, besides) },
      [`node_modules/${name}`]: { ...own, peerDependencies, peerDependenciesMeta },
      ...packages,
    },
  };
}

/** The entries of the project's `package.json`. */
export function directDependencies(
  checkout: LockFile,
  name: string,
  tarball: string,
  besides: readonly string[],
): Readonly<Record<string, string>> {
  const others = besides.map((one) => [one, checkout.packages[`node_modules/${one}`]?.version ?? '*']);
  return { [name]: `file:${basename(tarball)}`, ...Object.fromEntries(others) };
}

/** Returns the folder of a package as a place finds it: in the nearest `node_modules` above it. */
function locate({ packages }: LockFile, name: string, from: string): string | undefined {
  let folder = from;
  while (true) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return undefined;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')));
  }
}

import { existsSync } from 'node:fs';
import { describeThrown } from '../input/thrown.ts';
import { loadModule } from './loading.ts';
import { ModuleUnusable, withNames } from './sign-in-module.ts';

export interface ListAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export type ReadsList = (answer: ListAnswer) => readonly string[] | undefined;

/**
 * Loads a module that reads lists. If it throws or returns no array of ids, the list counts as unreadable.
 *
 * @param file absolute path
 * @throws ModuleUnusable if it is missing, cannot be loaded, or exports something else
 */
export async function loadListReader(file: string): Promise<ReadsList> {
  if (!existsSync(file)) throw new ModuleUnusable('no such file');
  let loaded: Record<string, unknown>;
  try {
    loaded = withNames(await loadModule(file), 'readList');
  } catch (error) {
    throw new ModuleUnusable(describeThrown(error, file));
  }
  const { readList } = loaded;
  if (typeof readList !== 'function') {
    const names = Object.keys(loaded).filter((name) => name !== '__esModule');
    throw new ModuleUnusable(`one that exports ${names.join(', ') || 'nothing'}`);
  }
  return ({ status, headers, body }) => {
    try {
      return idsOf(readList({ status, headers, body }));
    } catch {
      return undefined;
    }
  };
}

function idsOf(read: unknown): readonly string[] | undefined {
  if (!Array.isArray(read)) return undefined;
  return read.every((id) => typeof id === 'string' || typeof id === 'number') ? read.map(String) : undefined;
}

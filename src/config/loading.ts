import { pathToFileURL } from 'node:url';
import { NotPlain } from '../input/plain-data.ts';

/** Seconds that a module of the user may take to load. */
const LONGEST_SECONDS = 60;

const files: string[] = [];

/** The module of the user that is being loaded just now: whatever ends the process meanwhile is its doing. */
export function nowLoading(): string | undefined {
  return files.at(-1);
}

/**
 * Imports a module of the user.
 *
 * @param file absolute path
 * @throws whatever the module throws, and NotPlain when it does not load in {@link LONGEST_SECONDS}
 */
export async function loadModule(file: string): Promise<Record<string, unknown>> {
  files.push(file);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const why = new NotPlain(`one that did not load within ${LONGEST_SECONDS} s`);
    timer = setTimeout(() => reject(why), LONGEST_SECONDS * 1_000);
    // A process that waits for nothing else ends at once, and says why.
    timer.unref();
  });
  try {
    return (await Promise.race([import(pathToFileURL(file).href), late])) as Record<string, unknown>;
  } finally {
    clearTimeout(timer);
    files.splice(files.indexOf(file), 1);
  }
}

import { pathToFileURL } from 'node:url';
import { NotPlain } from '../input/plain-data.ts';

const LONGEST_SECONDS = 60;

const files: string[] = [];

export function nowLoading(): string | undefined {
  return files.at(-1);
}

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

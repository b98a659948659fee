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
    // Otherwise a process that waits for nothing else would stay alive for the timer.
    timer.unref();
  });
  try {
    return (await Promise.race([import(pathToFileURL(file).href), late])) as Record<string, unknown>;
  } finally {
    clearTimeout(timer);
    files.splice(files.indexOf(file), 1);
  }
}

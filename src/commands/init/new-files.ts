import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { UsageError } from '../../document/input/usage-error.ts';
import { requireWritableFile } from '../shared/write-files.ts';

/** Writes files that are not there yet. @throws UsageError if one is, unless forced */
export function writeNew(files: Readonly<Record<string, string>>, force: boolean): void {
  const there = Object.keys(files).filter((one) => existsSync(one));
  if (there.length > 0 && !force) {
    throw new UsageError(
      `init: ${there.join(' and ')} ${there.length === 1 ? 'is' : 'are'} there already; nothing was written (--force overwrites)`,
    );
  }
  for (const [file, text] of Object.entries(files)) {
    requireWritableFile('--out', file);
    writeFileSync(file, text);
  }
}

/** Reads a template of `templates/init`. */
export function template(name: string): string {
  return readFileSync(new URL(`../../../templates/init/${name}`, import.meta.url), 'utf8');
}

/**
 * Fills a template: repeats a line for each value of its placeholder `<name>`, and drops a line that begins with `<name?>` without
 * such a value.
 */
export function filled(name: string, values: Readonly<Record<string, readonly string[]>>): string {
  return template(name)
    .split('\n')
    .flatMap((line) => {
      const [, condition = '', text = ''] = /^(?:<(\w+)\?>)?(.*)$/.exec(line) ?? [];
      if (values[condition]?.length === 0) return [];
      const [, placeholder = ''] = /<(\w+)>/.exec(text) ?? [];
      return (values[placeholder] ?? ['']).map((value) => text.replaceAll(`<${placeholder}>`, () => value));
    })
    .join('\n');
}

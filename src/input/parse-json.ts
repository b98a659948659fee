import { NotPlain, plainData } from './plain-data.ts';

export function parseJson(text: string, most?: number): unknown {
  let value: unknown;
  try {
    // Editors on Windows begin a file with a byte order mark, which is no JSON.
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const [place = ''] = /\(line \d+ column \d+\)/.exec((error as Error).message) ?? [];
    throw new NotPlain(text.trim() === '' ? 'an empty file' : `text that is no JSON ${place}`.trim());
  }
  return plainData(value, most);
}

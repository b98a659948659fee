import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  parseRecording,
  type RecordedExchange,
  type Recording,
} from '../../../src/contracts/recordings/recording.ts';

/** Folder of the recordings that the project ships with. */
export const RECORDINGS = fileURLToPath(new URL('../../../contracts/recordings/', import.meta.url));

/** Every recording that the project ships with, by file name. */
export function shippedRecordings(): readonly (readonly [name: string, recording: Recording])[] {
  const files = readdirSync(RECORDINGS).filter((name) => name.endsWith('.json'));
  return files.sort().map((name) => {
    const path = join(RECORDINGS, name);
    return [name, parseRecording(readFileSync(path, 'utf8'), path)] as const;
  });
}

/** The exchange of a name. Throws where the recording has none. */
export function exchangeNamed({ of, exchanges }: Recording, name: string): RecordedExchange {
  const found = exchanges.find((exchange) => exchange.name === name);
  if (found === undefined) throw new Error(`the recording of ${of} holds no exchange "${name}"`);
  return found;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVERS_FOLDER, type Server } from './server.ts';

/** Lines of a host that make its library conform: between `repair: <ids>` and `end of repair`. */
export interface Repair {
  readonly file: string;
  readonly ids: readonly string[];
  readonly lines: readonly string[];
}

const REPAIR = /^( *)(?:\/\/|#) repair: (.+)\n([\s\S]*?)^ *(?:\/\/|#) end of repair$/gm;

/** Returns the repairs of a host, in the order of its files. */
export function repairsOf({ name }: Server): readonly Repair[] {
  const files = readdirSync(join(SERVERS_FOLDER, name)).filter((file) => /\.(?:mjs|pl|py|rb)$/.test(file));
  return files.flatMap((file) =>
    [...readFileSync(join(SERVERS_FOLDER, name, file), 'utf8').matchAll(REPAIR)].map(
      ([, indent = '', ids = '', lines = '']) => ({
        file,
        ids: ids.split(' '),
        lines: lines
          .trimEnd()
          .split('\n')
          .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)),
      }),
    ),
  );
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import type { Verdict } from '../../../src/report/results.ts';

/** A folder a server: its host, `server.yaml` and a README. */
export const SERVERS_FOLDER: string = fileURLToPath(new URL('../../servers/', import.meta.url));

/** One way to run a host, and what a default check of it must show. */
export interface Setting {
  /** The host's departure from the document, or the reason why it conforms. */
  readonly is: string;
  /** The clauses that forbid it, and the consequence for each id of `fail`. */
  readonly because?: string;
  readonly verdict: Verdict;
  /** Requirements that must fail. */
  readonly fail: readonly string[];
  /** Requirements that may fail too, by id or with `*` at the end. Any other failure is a false alarm. */
  readonly may: readonly string[];
  /** No client can be sure of this departure: any result but a pass of `fail` is right. */
  readonly weak: boolean;
  /** Variables of the host; `VARIANT` is the setting's name unless it is here. */
  readonly environment: Readonly<Record<string, string>>;
  /** Facts on the wire that differ from those of `conforming`; null: the fact is not there. `any`: not compared. */
  readonly wire: Readonly<Record<string, string | null>>;
  /** A setting that the documented flow does not get through. */
  readonly stopped?: {
    /** The refusal, as a regular expression. */
    readonly by: string;
    /** The departure from the document that gets through. */
    readonly quirk: Quirk;
  };
}

/** A departure from the document that a server demands: `state` and a code challenge sent, `%20`, JSON, HTTP Basic. */
export type Quirk = 'state' | 'challenge' | 'percent' | 'json' | 'basic';

type ConfiguredPages = Pick<ConfigurationFile, 'consent' | 'signIn' | 'abilities'> &
  Partial<ConfigurationFile>;

/** A server that is not ours, from its `server.yaml`. */
export interface Server {
  readonly name: string;
  readonly library: string;
  readonly host: string;
  readonly store: string;
  /** Debian packages that must be installed. */
  readonly packages: readonly string[];
  /** The program, then the host's file. `node` is the Node that runs this. */
  readonly start: readonly [string, string];
  readonly configuration: ConfiguredPages;
  /** The host's clock can be moved at `/clock/advance`. */
  readonly clock: boolean;
  /** Paths in the answer of the list: to the records, and in each to the id. */
  readonly list: { readonly records: string; readonly id: string };
  /** Facts on the wire of the setting `conforming`. */
  readonly wire: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, Setting>>;
}

const NOTHING_EXPECTED = {
  verdict: 'violates',
  fail: [],
  may: [],
  weak: false,
  environment: {},
  wire: {},
} as const;

/** Returns every server, by name. */
export function loadServers(): readonly Server[] {
  return readdirSync(SERVERS_FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => loadServer(name));
}

export function loadServer(name: string): Server {
  const file = parse(readFileSync(join(SERVERS_FOLDER, name, 'server.yaml'), 'utf8'));
  const settings = Object.entries(file.settings as Record<string, object>).map(
    ([setting, entry]) => [setting, { ...NOTHING_EXPECTED, ...entry }] as const,
  );
  return { name, packages: [], clock: false, ...file, settings: Object.fromEntries(settings) };
}

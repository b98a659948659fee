import { readFileSync } from 'node:fs';
import type { Problem } from '../../document/describe-errors.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import { percentDecoded } from '../../http/or-else.ts';
import type { ReadVariable } from './resolve-references.ts';
import { schemaNote } from './schema-notes.ts';

export interface ConfiguredSecret {
  readonly kind: 'client_secret' | 'login' | 'password' | 'totp_secret' | 'secret';
  readonly value: string;
}

/** Minimum length of a secret: shorter values occur by chance in decoded bytes and would redact harmless text. */
const SHORTEST_SECRET = 8;

/** Returns the secrets from variables, those in a proxy's address too. Adds a problem for each value too ordinary to redact reliably. */
export function configuredSecrets(
  read: readonly ReadVariable[],
  problems: Problem[],
): readonly ConfiguredSecret[] {
  const found = read.flatMap((variable) => (isPublic(variable) ? [] : partsOf(variable)));
  for (const { path, value } of found) {
    const actual = unfit(value);
    // A session's passphrase has a longer minimum, which its own check reports.
    const isTold = path[1] === 'session' && value.length < SHORTEST_SECRET;
    if (actual === undefined || isTold) continue;
    const expected = `at least ${SHORTEST_SECRET} characters and no word of the reports (the suite cannot redact other secrets reliably)`;
    const isSecret = path[0] === 'proxy' || schemaNote(path).secret;
    problems.push({ path, expected, actual, ...(isSecret ? {} : { advice: WRITE_IT }) });
  }
  // A public value from a variable is redacted too, if that redacts nothing else.
  return [...found, ...read.filter(isPublic)]
    .filter(({ value }) => unfit(value) === undefined)
    .map(({ path, value }) => ({ kind: KINDS[String(path.at(-1))] ?? 'secret', value }));
}

const WRITE_IT = 'if it is no secret, write it into the configuration itself';

/** A client id is no secret (RFC 6749 section 2.2), nor is an address without credentials. */
function isPublic({ path, value }: ReadVariable): boolean {
  return path.at(-1) === 'clientId' || (path[0] === 'proxy' && credentialsIn(value).length === 0);
}

function partsOf(variable: ReadVariable): readonly ReadVariable[] {
  if (variable.path[0] !== 'proxy') return [variable];
  return credentialsIn(variable.value).map((value) => ({ path: variable.path, value }));
}

function credentialsIn(address: string): readonly string[] {
  const url = URL.parse(address);
  if (url === null || url.password === '') return [];
  const name = percentDecoded(url.username);
  return [percentDecoded(url.password), ...(unfit(name) === undefined ? [name] : [])];
}

const KINDS: Readonly<Record<string, ConfiguredSecret['kind']>> = {
  clientSecret: 'client_secret',
  login: 'login',
  password: 'password',
  totpSecret: 'totp_secret',
};

/** Returns the reason why a value cannot be redacted reliably, to complete "got …"; undefined if it can. */
function unfit(written: string): string | undefined {
  const value = written.trim().toLowerCase();
  const length = [...value].length;
  if (length < SHORTEST_SECRET) return `${length} characters`;
  return reportWords().some((word) => word.includes(value)) ? 'a word of the reports' : undefined;
}

let words: readonly string[] | undefined;

/**
 * The words of every report: ids, statements, and the names in results.json. Redaction of a secret that is one of them, or a part
 * of one, would withhold every report. A phrase is no word: rewording a statement must not refuse what was accepted.
 */
function reportWords(): readonly string[] {
  if (words !== undefined) return words;
  const { clauses, openPoints } = loadCatalogue();
  const schema = JSON.parse(readFileSync(RESULTS, 'utf8'), (key, value) =>
    key === 'description' ? undefined : value,
  );
  const text = `${JSON.stringify([clauses, openPoints, schema])} ${NAMES}`.toLowerCase();
  words = [...new Set(text.split(/[^\p{L}\p{N}_.-]+/u))].filter((word) => word.length >= SHORTEST_SECRET);
  return words;
}

/** Parameters that the evidence names, and the kinds of secrets that it shows in their place. */
const NAMES =
  'access_token refresh_token client_secret redirect_uri authorization_code totp_secret password passphrase';

const RESULTS = new URL('../../../spec/results.schema.json', import.meta.url);

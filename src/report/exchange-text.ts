import { singleQuoted } from '../document/input/shell-quotes.ts';
import { oneLine, prefixedLines } from './printable.ts';
import type { EvidenceHeader, ExchangeEvidence, RequirementResult } from './results.ts';
import { evidenceInOrder, presentTexts } from './words.ts';

/** Characters of a body where the text is brief. */
const BRIEF = 400;

/** @param brief leaves out headers, and cuts bodies */
export function exchangeText(exchange: ExchangeEvidence, brief = false): string {
  const { request, response, error } = exchange;
  return presentTexts(
    message('>', `${request.method} ${request.url}`, request.headers, request.body ?? '', brief),
    response && message('<', String(response.status), response.headers, response.body, brief),
    error !== undefined && prefixedLines(`no whole answer: ${error}`, '<'),
  ).join('\n');
}

function message(
  marker: string,
  first: string,
  headers: readonly EvidenceHeader[],
  body: string,
  brief: boolean,
): string[] {
  const cut = brief ? body.length - BRIEF : 0;
  const shown = cut > 0 ? `${body.slice(0, BRIEF)}… (${cut} more characters)` : body;
  return presentTexts(
    prefixedLines(first, marker),
    !brief && headers.flatMap(([name, value]) => prefixedLines(`${name}: ${value}`, marker)),
    shown !== '' && prefixedLines(shown, marker),
  );
}

/**
 * Renders exchanges as shell commands (bash, zsh) with variables for secrets. Data from a target is quoted, so that it
 * cannot act as command, option, file or variable.
 */

/** A redacted secret: `<refresh_token#12>`, also percent-encoded, or `<hidden>`. */
const SECRET = /(<[a-z_]+#\d+>|%3C[a-z_]+%23\d+%3E|<hidden>)/gi;

const OWN_HEADERS = new Set(['host', 'content-length', 'connection', 'transfer-encoding', 'accept-encoding']);

const SHORTENED = /… \(\d+ more characters\)/;

export function curlLines({ id, evidence }: Pick<RequirementResult, 'id' | 'evidence'>): readonly string[] {
  const entries = evidenceInOrder(evidence);
  const lines: string[] = [];
  const seen = new Map<string, string>();
  entries.forEach((entry, index) => {
    const number = index + 1;
    if (entry.kind === 'step') {
      const step = entry.url === undefined ? entry.purpose : `in the browser: ${entry.purpose}: ${entry.url}`;
      lines.push('', `# ${number}. ${oneLine(step, 300)}`);
      return;
    }
    for (const name of variablesIn(sent(entry)))
      if (!seen.has(name)) seen.set(name, 'as configured, or as you have it');
    for (const name of variablesIn(JSON.stringify(entry.response ?? '')))
      if (!seen.has(name)) seen.set(name, `from the answer of ${number}`);
    const { response, error, purpose } = entry;
    const got =
      response === undefined ? oneLine(`no answer: ${error ?? ''}`, 200) : `status ${response.status}`;
    lines.push('', `# ${number}. ${oneLine(purpose, 300)}; it got ${got}`, ...command(entry));
  });
  const variables = [...seen].map(([name, where]) => `#   ${name}: ${where}`);
  return [
    `# ${oneLine(id)}: ${entries.length} steps. Set the variables as they go over the wire: percent-encoded in an address or a form.`,
    ...variables,
    ...lines,
  ];
}

function sent({ request }: ExchangeEvidence): string {
  return JSON.stringify(request);
}

function command(exchange: ExchangeEvidence): readonly string[] {
  const { method, url, headers, body } = exchange.request;
  if (sent(exchange).includes('\\u0000')) return ['# holds a NUL, which no shell can pass on'];
  const head = method.toUpperCase() === 'HEAD';
  // -q: no options file; --globoff: no patterns in addresses; --proto: web addresses only.
  const parts = presentTexts(
    `curl -q --include --globoff --path-as-is --proto '=http,https'`,
    head ? '--head' : `--request ${shellWord(method)}`,
    headers.flatMap(([name, value]) => header(name, value)),
    // --data would read a file for a body that begins with @.
    body !== undefined && `--data-raw ${shellWord(body)}`,
    `--url ${shellWord(url)}`,
  );
  return presentTexts(
    SHORTENED.test(body ?? '') && '# the report holds only the beginning of the body',
    parts.join(' \\\n  ').split('\n'),
  );
}

/** curl may read an invalid header name as something else, for example as a file. */
function header(name: string, value: string): readonly string[] {
  if (OWN_HEADERS.has(name.toLowerCase()) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return [];
  // curl drops a header without a value unless it ends in a semicolon.
  return [`--header ${shellWord(value === '' ? `${name};` : `${name}: ${value}`)}`];
}

function variablesIn(text: string): readonly string[] {
  return (text.match(SECRET) ?? []).map(variableOf);
}

function variableOf(secret: string): string {
  const [, name, number] = /^(?:<|%3C)([a-z_]+)(?:#|%23)(\d+)/i.exec(secret) ?? [];
  return name === undefined ? 'HIDDEN' : `${name}_${number}`.toUpperCase();
}

export function shellWord(text: string): string {
  const parts = text.split(SECRET);
  return parts.map((part, index) => (index % 2 ? `"$${variableOf(part)}"` : quoted(part))).join('') || "''";
}

function quoted(text: string): string {
  if (text === '') return '';
  // Build servers treat ## and :: as the start of a command.
  if (/^[ -~]*$/.test(text) && !/##|::/.test(text)) return singleQuoted(text);
  // No byte may end the line or be shown as something else.
  const bytes = [...Buffer.from(text, 'utf8')].map((byte) => {
    const letter = String.fromCharCode(byte);
    if (letter === "'" || letter === '\\') return `\\${letter}`;
    return byte >= 0x20 && byte < 0x7f && letter !== '#' && letter !== ':'
      ? letter
      : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `$'${bytes.join('')}'`;
}

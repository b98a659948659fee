import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readings } from './unpack.ts';

/** Something that must not be found anywhere. */
export interface Canary {
  /** Its kind: `password`, `access token`, `name in the list`. */
  readonly kind: string;
  readonly value: string;
}

/** Everything that a command left behind. */
export interface LeftBehind {
  /** Files and folders that it may have written. */
  readonly paths: readonly string[];
  /** Its output, by the name of the stream. */
  readonly printed: Readonly<Record<string, string>>;
}

/** Searches all that a command left behind, in every encoding and archive; one sentence for each find, without the value. */
export function findCanaries(canaries: readonly Canary[], left: LeftBehind): readonly string[] {
  const places = [
    ...left.paths.flatMap(filesIn).map((file) => ({ where: file, bytes: readFileSync(file) })),
    ...Object.entries(left.printed).map(([where, text]) => ({ where, bytes: Buffer.from(text) })),
  ];
  const wanted = canaries.map((canary) => ({ canary, spellings: spellingsOf(canary.value) }));
  return places.flatMap(({ where, bytes }) => {
    const texts = readings(bytes);
    return wanted.flatMap(({ canary, spellings }) =>
      spellings
        .filter(({ text }) => texts.some((t) => t.includes(text)))
        .map(({ as }) => `${where} holds a ${canary.kind}, ${as}`),
    );
  });
}

function filesIn(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  const entry = statSync(path);
  // Sockets and the like hold nothing.
  if (!entry.isDirectory()) return entry.isFile() ? [path] : [];
  return readdirSync(path).flatMap((name) => filesIn(join(path, name)));
}

function spellingsOf(value: string): readonly { readonly as: string; readonly text: string }[] {
  const url = encodeURIComponent(value);
  const all = [
    { as: 'raw', text: value },
    { as: 'URL-encoded', text: url },
    { as: 'URL-encoded twice', text: encodeURIComponent(url) },
    { as: 'form-encoded', text: url.replaceAll('%20', '+') },
    { as: 'JSON-encoded', text: JSON.stringify(value).slice(1, -1) },
    { as: 'HTML-encoded', text: htmlEncode(value) },
    { as: 'hex-encoded', text: Buffer.from(value).toString('hex') },
    ...[0, 1, 2].flatMap((shift) => base64At(value, shift)),
  ];
  const seen = new Set<string>();
  return all.filter(({ text }) => text !== '' && !seen.has(text) && seen.add(text));
}

function htmlEncode(value: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return value.replace(/[&<>"]/g, (c) => names[c] ?? c);
}

/** The part of a value's base64 that is the same whatever stands around it, when it begins at byte `shift` of a triple. */
function base64At(value: string, shift: number): readonly { readonly as: string; readonly text: string }[] {
  const whole = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)]);
  const triples = Math.floor(whole.length / 3);
  const core = whole.toString('base64').slice(shift === 0 ? 0 : 4, triples * 4);
  if (core.length < 8) return [];
  return [
    { as: 'base64-encoded', text: core },
    { as: 'base64url-encoded', text: core.replaceAll('+', '-').replaceAll('/', '_') },
  ];
}

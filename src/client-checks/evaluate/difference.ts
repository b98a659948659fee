/** Texts that programs write in place of a value that is missing. */
const MISSING = /^(?:undefined|null|none|nil|NaN|\[object Object\])$/i;

/** Placeholders that a developer left in place of the value. */
const PLACEHOLDER = /^[<{$]*(?:(?:your|my|the)[-_ ]?)?(?:client[-_ ]?)?(?:id|secret|code|token)[>}]*$/i;

/** Describes how a sent value differs from the issued one, and from another named one. Shows no value that is a secret. */
export function differenceOf(
  sent: string,
  given?: string,
  other?: readonly [name: string, value: string],
): string {
  if (sent === other?.[1]) return `the ${other[0]}`;
  const named = given === undefined ? 'one' : 'the given one';
  if (MISSING.test(sent) || PLACEHOLDER.test(sent)) return `the word ${JSON.stringify(sent)}`;
  if (/^(["']).*\1$/.test(sent)) return `${named} in quotes`;
  if (/[\r\n]$/.test(sent)) return `${named} with a line break behind it`;
  if (sent.trim() !== sent) return `${named} with blanks around it`;
  if (given === undefined) return `one of ${sent.length} characters that was never issued`;
  if (encodeURIComponent(given) === sent) return `${named}, encoded twice`;
  if (given.startsWith(sent)) return `the first ${sent.length} of its ${given.length} characters`;
  if (given.toLowerCase() === sent.toLowerCase()) return `${named} in other letter case`;
  return `another one, of ${sent.length} characters`;
}

import { printableJson, printableWithColours } from '../report/printable.ts';

/**
 * Prints a text of ours, in which a target, a broker or a file may have had its say. Everything that verbs print goes through here: no
 * terminal and no build server takes any of it for anything but text.
 */
export function print(text: string): void {
  process.stdout.write(printableWithColours(text));
}

/** Like {@link print}, to standard error. */
export function printError(text: string): void {
  process.stderr.write(printableWithColours(text));
}

/** Prints a value as JSON that is safe to be seen in a log, too. */
export function printJson(value: unknown): void {
  process.stdout.write(`${jsonText(value)}\n`);
}

/** The JSON that {@link printJson} prints. */
export function jsonText(value: unknown): string {
  return printableJson(JSON.stringify(value, null, 2));
}

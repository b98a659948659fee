import { printableJson, printableWithColours } from '../../report/printable.ts';

/**
 * Prints text that may include foreign content. All output goes through here, so that no terminal or build server
 * interprets control sequences.
 */
export function print(text: string): void {
  process.stdout.write(printableWithColours(text));
}

export function printError(text: string): void {
  process.stderr.write(printableWithColours(text));
}

/** Prints a text, on standard error if standard output is JSON. */
export function printBeside(json: boolean | object | undefined, text: string): void {
  (json ? printError : print)(text);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${jsonText(value)}\n`);
}

export function jsonText(value: unknown): string {
  return printableJson(JSON.stringify(value, null, 2));
}

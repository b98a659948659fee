const WIDTH = 96;

interface Explained {
  readonly id: string;
  readonly level: string;
  readonly clauses: readonly string[];
  readonly rfc?: string;
}

/** One requirement for a terminal: its head, then texts beside their names, broken between words. */
export function explanationBlock(
  { id, level, clauses, rfc }: Explained,
  items: readonly (readonly [name: string, text: string])[],
): string {
  const from = rfc === undefined ? '' : `, ${rfc}`;
  return [
    `${id}  (${level}, clause${clauses.length === 1 ? '' : 's'} ${clauses.join(', ')}${from})`,
    ...items.flatMap(([name, text]) => item(name, text)),
    '',
  ].join('\n');
}

function item(name: string, text: string): readonly string[] {
  const lines = text.match(new RegExp(`.{1,${WIDTH}}(?=\\s|$)`, 'g')) ?? [];
  return lines.map((line, index) => `  ${(index === 0 ? name : '').padEnd(10)}${line.trim()}`);
}

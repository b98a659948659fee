/**
 * The names of the members of a JSON object itself, repetitions included, in their order: a parser keeps one of each and hides the
 * rest. Empty where the text is no object. The text is taken to be valid JSON.
 */
export function membersOf(json: string): readonly string[] {
  const names: string[] = [];
  let depth = 0;
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && /^\s*:/.test(json.slice(index + token.length, index + token.length + 20)))
      names.push(JSON.parse(token) as string);
  }
  return /^\s*\{/.test(json) ? names : [];
}

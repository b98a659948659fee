interface JournalQuery {
  readonly since: number;
  readonly wait: number;
  readonly limit: number | undefined;
}

export function readJournalQuery(query: URLSearchParams): JournalQuery {
  for (const name of query.keys()) {
    if (name === 'since' || name === 'wait' || name === 'limit') continue;
    throw new RangeError(`Expected the parameters since, wait and limit, got ${name}.`);
  }
  return {
    since: number(query, 'since', /^\d{1,15}$/, 'a whole number from 0') ?? 0,
    wait: number(query, 'wait', /^\d{1,2}(\.\d{1,3})?$/, 'seconds from 0 to 60') ?? 0,
    limit: number(query, 'limit', /^[1-9]\d{0,14}$/, 'a whole number from 1'),
  };
}

function number(query: URLSearchParams, name: string, form: RegExp, expected: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (form.test(text)) return Number(text);
  throw new RangeError(`${name}: expected ${expected}, got ${JSON.stringify(text)}.`);
}

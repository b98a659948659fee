import { UsageError } from '../../document/input/usage-error.ts';

export type PactSelector = Readonly<Partial<Record<SelectorKey, string | true>>>;

const FLAGS = [
  'mainBranch',
  'matchingBranch',
  'latest',
  'deployed',
  'released',
  'deployedOrReleased',
] as const;
const TEXTS = ['branch', 'fallbackBranch', 'tag', 'fallbackTag', 'environment', 'consumer'] as const;

type SelectorKey = (typeof FLAGS)[number] | (typeof TEXTS)[number];

/** A selector needs one of these; the other keys only narrow it. */
const SELECTING: readonly SelectorKey[] = [...FLAGS, 'branch', 'tag', 'environment'];

export const DEFAULT_SELECTORS: readonly PactSelector[] = [
  { mainBranch: true },
  { deployedOrReleased: true },
];

/**
 * Reads selectors from the command line: Pact's keys with commas between them (`mainBranch`, `deployed,environment=staging`,
 * `branch=topic,fallbackBranch=main`), or Pact's JSON, an object or a list of them.
 *
 * @throws UsageError
 */
export function readSelectors(text: string): readonly PactSelector[] {
  const trimmed = text.trim();
  const values = /^[[{]/.test(trimmed) ? fromJson(trimmed) : [fromWords(trimmed)];
  return values.map((value) => checked(value, text));
}

function fromWords(text: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [key = '', ...rest] = pair.split('=');
      return [key.trim(), rest.length === 0 ? true : rest.join('=').trim()];
    }),
  );
}

function fromJson(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)].flat();
  } catch (error) {
    throw new UsageError(`a selector: expected Pact's JSON, but it is none (${(error as Error).message})`);
  }
}

function checked(value: unknown, text: string): PactSelector {
  const wrong = (what: string) => new UsageError(`the selector ${JSON.stringify(text)}: ${what}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong('expected an object, or a list of objects');
  const entries = Object.entries(value).filter(([, one]) => one !== false);
  for (const [key, one] of entries) {
    const flag = FLAGS.some((name) => name === key);
    if (!flag && !TEXTS.some((name) => name === key))
      throw wrong(`${JSON.stringify(key)} is none of its keys; they are ${[...FLAGS, ...TEXTS].join(', ')}`);
    if (flag && one !== true && one !== 'true') throw wrong(`${key} takes no value`);
    if (!flag && (typeof one !== 'string' || one === ''))
      throw wrong(`${key} wants a text, as in ${key}=NAME`);
  }
  const selector = Object.fromEntries(
    entries.map(([key, one]) => [key, one === 'true' && FLAGS.some((name) => name === key) ? true : one]),
  ) as PactSelector;
  if (!SELECTING.some((key) => key in selector)) throw wrong(`expected one of ${SELECTING.join(', ')}`);
  return selector;
}

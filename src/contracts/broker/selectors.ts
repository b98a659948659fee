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
 * Reads a selector from the command line: Pact's keys with commas between them (`mainBranch`, `deployed,environment=staging`,
 * `branch=topic,fallbackBranch=main`).
 *
 * @throws UsageError
 */
export function readSelector(text: string): PactSelector {
  const value = Object.fromEntries(
    text.split(',').map((pair) => {
      const [key = '', ...rest] = pair.split('=');
      return [key.trim(), rest.length === 0 ? true : rest.join('=').trim()];
    }),
  );
  const wrong = (what: string) => new UsageError(`the selector ${JSON.stringify(text)}: ${what}`);
  for (const [key, one] of Object.entries(value)) {
    const flag = FLAGS.some((name) => name === key);
    if (!flag && !TEXTS.some((name) => name === key))
      throw wrong(`${JSON.stringify(key)} is none of its keys; they are ${[...FLAGS, ...TEXTS].join(', ')}`);
    if (flag && one !== true) throw wrong(`${key} takes no value`);
    if (!flag && (typeof one !== 'string' || one === ''))
      throw wrong(`${key} wants a text, as in ${key}=NAME`);
  }
  if (!SELECTING.some((key) => key in value)) throw wrong(`expected one of ${SELECTING.join(', ')}`);
  return value as PactSelector;
}

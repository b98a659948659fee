import { parseDocument } from 'yaml';
import type { ConfigurationFile } from '../../../generated/schemas.d.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import type { Proposal } from '../target.ts';
import { readConfigurationFile } from './read-file.ts';

/** Stands for an element that is not known yet. */
const UNKNOWN = '*';

type Draft = Pick<ConfigurationFile, 'signIn' | 'consent'>;

/**
 * Reads a configuration whose sign-in and consent are to be found. What it says about them stays; what it lacks gets
 * placeholders, so that all else can be checked.
 * @throws UsageError for a file that signs in by other means than steps
 */
export async function readDraft(file: string): Promise<unknown> {
  const written = await readConfigurationFile(file);
  if (typeof written !== 'object' || written === null) return written;
  const { signIn, consent } = written as Partial<Draft>;
  if (signIn?.module !== undefined || signIn?.session !== undefined)
    throw new UsageError(
      '--propose: expected a configuration without `signIn.module` and `signIn.session`, which sign in; remove them to have steps proposed',
    );
  return {
    ...written,
    signIn: { ...signIn, form: UNKNOWN, steps: [{ wait: UNKNOWN }] },
    consent: { grant: UNKNOWN, shown: ASSUMED, ...consent },
  };
}

/** The careful assumption about `consent.shown`: then the suite denies before it grants. */
const ASSUMED = 'once';

/** Returns the keys `signIn` and `consent` as written, with what was found. Without a button that grants, `consent` stays. */
export async function proposedKeys(
  file: string,
  { form = UNKNOWN, steps, grant, deny }: Proposal,
): Promise<Partial<Draft>> {
  const { signIn, consent } = (await readConfigurationFile(file)) as Partial<Draft>;
  const [first, ...others] = steps;
  if (first === undefined) return {};
  return {
    signIn: { ...signIn, form, steps: [first, ...others] },
    ...(grant && { consent: { shown: ASSUMED, ...consent, grant, ...(deny && { deny }) } }),
  };
}

/** Replaces the values of keys in the text of a JSON object, or adds the keys at its end. All other text stays as it is. */
export function withKeys(text: string, keys: Readonly<Record<string, unknown>>): string {
  return Object.entries(keys).reduce((before, [key, value]) => withKey(before, key, value), text);
}

function withKey(text: string, key: string, value: unknown): string {
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  ';
  const written = JSON.stringify(value, null, indent).replaceAll('\n', `\n${indent}`);
  // JSON is YAML too, whose reader knows the places of values.
  const node = parseDocument(text).get(key, true) as { readonly range: readonly number[] } | undefined;
  if (node !== undefined) return `${text.slice(0, node.range[0])}${written}${text.slice(node.range[1])}`;
  const others = text.replace(/\s*\}\s*$/, '');
  return `${others},\n${indent}${JSON.stringify(key)}: ${written}\n}\n`;
}

import { orElse } from '../http/or-else.ts';
import { type Refusal, refuse } from './refusal.ts';

/** Parameters of a query or a form, repetitions included, in the order sent. */
export class ReceivedParameters {
  readonly #pairs: readonly (readonly [string, string])[];

  constructor(pairs: readonly (readonly [string, string])[]) {
    this.#pairs = pairs;
  }

  get(name: string): string | undefined {
    return this.#pairs.find(([candidate]) => candidate === name)?.[1];
  }

  /** Like {@link get}, but undefined for an empty value. */
  value(name: string): string | undefined {
    return this.get(name) || undefined;
  }

  entries(): readonly (readonly [string, string])[] {
    return this.#pairs;
  }

  /** Returns the first name that occurs more than once (RFC 6749 sections 3.1 and 3.2 forbid it). */
  repeated(): string | undefined {
    const seen = new Set<string>();
    for (const [name] of this.#pairs) {
      if (seen.has(name)) return name;
      seen.add(name);
    }
    return undefined;
  }

  /** Returns the same parameters with the other precedence: {@link get} finds the last value of a name. */
  lastFirst(): ReceivedParameters {
    return new ReceivedParameters(this.#pairs.toReversed());
  }

  concat(others: ReceivedParameters): ReceivedParameters {
    return new ReceivedParameters([...this.#pairs, ...others.#pairs]);
  }
}

export const NO_PARAMETERS = new ReceivedParameters([]);

/** Reads form-encoded text; a plus sign is a space (clause 4.1). Reads invalid percent-encoding as browsers do. */
export function parseForm(text: string): ReceivedParameters {
  // Without the separator, a question mark at the beginning would be dropped.
  return text === '' ? NO_PARAMETERS : new ReceivedParameters([...new URLSearchParams(`&${text}`)]);
}

export function decodeFormComponent(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  const decoded = orElse(() => decodeURIComponent(spaced), undefined);
  return decoded ?? new URLSearchParams(`v=${text}`).get('v') ?? '';
}

/** Writes parameters as form text, with plus signs for spaces. */
export function formatForm(pairs: readonly (readonly [string, string])[]): string {
  return new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
}

/** Returns the media type in lower case without parameters; empty if there is none. */
export function mediaTypeOf(contentType: string): string {
  const semicolon = contentType.indexOf(';');
  return (semicolon < 0 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase();
}

/** Applies the profile's rule for repeated parameters, which RFC 6749 sections 3.1 and 3.2 forbid. */
export function applyRepeatedRule(
  parameters: ReceivedParameters,
  /** Any answer but these two is a refusal. */
  repeated: unknown,
): ReceivedParameters | Refusal<'parameter-repeated'> {
  if (repeated === 'first-wins') return parameters;
  const name = parameters.repeated();
  if (name === undefined) return parameters;
  if (repeated === 'last-wins') return parameters.lastFirst();
  return refuse('parameter-repeated', `${name} was sent more than once`, name);
}

import { isJsonObject } from '../../document/input/plain-data.ts';
import type { Interaction, Pact } from './read-pact.ts';

const KNOWN = new Set(
  `equality regex type number integer decimal real boolean include null date time datetime timestamp semver values
  contentType content-type arrayContains array-contains statusCode status-code notEmpty not-empty
  eachKey each-key eachValue each-value`.split(/\s+/),
);

/** Finds matching rules that Pact's core cannot compare: it would end, or blame the target. @returns a sentence for each */
export function ruleProblems({ document: pact }: Pact, { document }: Interaction): readonly string[] {
  const unknown = new Set(
    [rulesOf(document.request), rulesOf(document.response)]
      .flatMap(matchersIn)
      .filter((name) => !KNOWN.has(name)),
  );
  return [
    ...pluginsOf(pact).map(
      (name) => `it needs the Pact plugin ${JSON.stringify(name)}; plugins are not run here`,
    ),
    ...[...unknown].map((name) => `Pact’s verifier knows no matcher ${JSON.stringify(name)}`),
  ];
}

function rulesOf(message: unknown): unknown {
  return isJsonObject(message) ? message.matchingRules : undefined;
}

/** Collects nested rules of variants, keys and values; the example value of `eachKey` is not a rule. */
function matchersIn(rules: unknown): readonly string[] {
  if (Array.isArray(rules)) return rules.flatMap(matchersIn);
  if (!isJsonObject(rules)) return [];
  const own = typeof rules.match === 'string' ? [rules.match] : [];
  return [
    ...own,
    ...Object.entries(rules).flatMap(([key, value]) => (key === 'value' ? [] : matchersIn(value))),
  ];
}

function pluginsOf({ metadata }: Pact['document']): readonly string[] {
  const plugins = isJsonObject(metadata) ? metadata.plugins : undefined;
  if (!Array.isArray(plugins)) return [];
  return plugins.map((plugin: unknown) => (isJsonObject(plugin) ? String(plugin.name) : String(plugin)));
}

const FORM = 'application/x-www-form-urlencoded';

/**
 * Warns about token requests that are not form-encoded, as clauses 4.2 and 4.3 demand: this target may accept them, and the next
 * one will not.
 *
 * @returns a sentence for each; none for requests that expect a refusal
 */
export function formEncodingWarnings({ interactions }: Pact): readonly string[] {
  return interactions.flatMap((interaction) => {
    const { method, path, status } = interaction;
    if (method !== 'POST' || path !== '/oauth/token' || status >= 400) return [];
    const type = contentTypeOf(interaction.document.request);
    if (type === FORM) return [];
    const sent = type === undefined ? 'without a content type' : `as ${type}`;
    return [
      `"${interaction.description}" sends its parameters ${sent}: the document wants ${FORM} (clauses 4.2 and 4.3), and a service may refuse anything else`,
    ];
  });
}

function contentTypeOf(request: unknown): string | undefined {
  const { headers, body } = (request ?? {}) as { readonly headers?: unknown; readonly body?: unknown };
  const written = Object.entries((headers ?? {}) as object).find(([name]) =>
    /^content-type$/i.test(name),
  )?.[1];
  const ofBody = (body as { readonly contentType?: unknown } | undefined | null)?.contentType;
  const [value] = [written, ofBody].flat().filter((one) => typeof one === 'string');
  if (value !== undefined) return value.split(';')[0]?.trim().toLowerCase();
  // Pact sends an object as JSON.
  return typeof body === 'object' && body !== null ? 'application/json' : undefined;
}

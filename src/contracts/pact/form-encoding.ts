import type { Interaction, Pact } from './pact.ts';

const FORM = 'application/x-www-form-urlencoded';

/**
 * Warns about token requests that are not form-encoded, as clauses 4.2 and 4.3 demand: this target may accept them, and the next
 * one will not.
 *
 * @returns a sentence for each; none for requests that expect a refusal
 */
export function formEncodingWarnings({ interactions }: Pick<Pact, 'interactions'>): readonly string[] {
  return interactions.flatMap((interaction) => {
    if (!isTokenRequest(interaction) || interaction.status >= 400) return [];
    const type = contentTypeOf(interaction.document.request);
    if (type === FORM) return [];
    const sent = type === undefined ? 'without a content type' : `as ${type}`;
    return [
      `"${interaction.description}" sends its parameters ${sent}: the document wants ${FORM} (clauses 4.2 and 4.3), and a service may refuse anything else`,
    ];
  });
}

function isTokenRequest({ method, path }: Interaction): boolean {
  return method === 'POST' && path === '/oauth/token';
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

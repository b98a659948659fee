type Json = Readonly<Record<string, unknown>>;

/**
 * Returns an interaction that Pact's native verifier understands. pact-jvm's `FormPostBuilder` writes form generators
 * under bare names (`code`), which the verifier ignores; they become `$.code`.
 */
export function withRootedGenerators(interaction: Json): Json {
  const request = objectIn(interaction.request);
  const generators = objectIn(request?.generators);
  const body = objectIn(generators?.body);
  if (request === undefined || body === undefined) return interaction;
  const rooted = Object.fromEntries(
    Object.entries(body).map(([path, generator]) => [path.startsWith('$') ? path : `$.${path}`, generator]),
  );
  return { ...interaction, request: { ...request, generators: { ...generators, body: rooted } } };
}

function objectIn(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * An interaction as Pact's native verifier reads it. pact-jvm's `FormPostBuilder` writes the generators of form fields under their bare
 * names (`code`), which the native verifier overlooks: it would send the example. They get the path that is meant (`$.code`).
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

import { isJsonObject, type JsonObject } from '../../input/plain-data.ts';

/**
 * Returns an interaction that Pact's native verifier understands. pact-jvm's `FormPostBuilder` writes form generators
 * under bare names (`code`), which the verifier ignores; they become `$.code`.
 */
export function withRootedGenerators(interaction: JsonObject): JsonObject {
  const { request } = interaction;
  if (!isJsonObject(request) || !isJsonObject(request.generators)) return interaction;
  const { generators } = request;
  if (!isJsonObject(generators.body)) return interaction;
  const rooted = Object.entries(generators.body).map(([path, generator]) => [
    path.startsWith('$') ? path : `$.${path}`,
    generator,
  ]);
  return {
    ...interaction,
    request: { ...request, generators: { ...generators, body: Object.fromEntries(rooted) } },
  };
}

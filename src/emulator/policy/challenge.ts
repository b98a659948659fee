export function challenge(
  scheme: string,
  realm: string | null,
  error?: string | null,
  description?: string,
  scope?: string,
): string {
  const parameters = { realm, error, error_description: error ? description : undefined, scope };
  const written = Object.entries(parameters).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name}="${value.replace(/["\\]/g, '\\$&')}"`] : [],
  );
  return [scheme, written.join(', ')].join(' ').trim();
}

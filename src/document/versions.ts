/**
 * Compares only the parts that `than` names: 0.2.7 is not newer than 0.2.
 *
 * @param version `0.3.0`
 * @param than `0.2` or `0.2.0`
 */
export function isNewer(version: string, than: string): boolean {
  const [parts, others] = [numbers(version), numbers(than)];
  for (const [index, other] of others.entries()) {
    const part = parts[index] ?? 0;
    if (part !== other) return part > other;
  }
  return false;
}

export function newest(versions: readonly string[]): string | undefined {
  return versions.reduce<string | undefined>(
    (best, version) => (best === undefined || isNewer(version, best) ? version : best),
    undefined,
  );
}

function numbers(version: string): readonly number[] {
  return version.split('.').map(Number);
}

import { isJsonObject, type JsonObject, jsonObjectIn } from '../../input/plain-data.ts';
export interface NativeReport {
  readonly verified: boolean;
  readonly mismatches: readonly Mismatch[];
  readonly errors: readonly string[];
  readonly unloadable?: string;
}

export interface Mismatch {
  /** `StatusMismatch`, `HeaderMismatch`, `BodyMismatch`, `BodyTypeMismatch` … */
  readonly type: string;
  readonly text: string;
  /** JSON path in a body, or header name; empty for a status. */
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
}

export function readReport(text: string): NativeReport {
  const report = jsonObjectIn(text) ?? {};
  const unloadable = loadErrorIn(report);
  if (unloadable !== undefined) return { verified: false, mismatches: [], errors: [], unloadable };
  const results = report.interactionResults;
  const [result, ...others]: unknown[] = Array.isArray(results) ? results : [];
  if (!isJsonObject(result) || others.length > 0) {
    throw new Error(
      `Pact’s native verifier gave no result for the interaction: ${text.slice(0, 200) || 'nothing'}`,
    );
  }
  const mismatch = isJsonObject(result.mismatch) ? result.mismatch : {};
  const found = Array.isArray(mismatch.mismatches) ? mismatch.mismatches.filter(isJsonObject) : [];
  return {
    verified: result.result === 'OK',
    mismatches: found.map(mismatchFrom),
    errors: typeof mismatch.message === 'string' ? [plain(mismatch.message)] : [],
  };
}

function loadErrorIn({ errors }: JsonObject): string | undefined {
  const [error]: unknown[] = Array.isArray(errors) ? errors : [];
  if (!isJsonObject(error) || error.interaction !== 'Failed to load pact' || !isJsonObject(error.mismatch))
    return undefined;
  return plain(textOf(error.mismatch.message))
    .replace(/^Failed to load pact '[^']*' - /, '')
    .replace(/\s+/g, ' ');
}

function mismatchFrom(found: JsonObject): Mismatch {
  return {
    type: textOf(found.type),
    text: plain(textOf(found.mismatch)),
    at: textOf(found.path ?? found.key),
    expected: textOf(found.expected),
    actual: textOf(found.actual),
  };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function plain(text: string): string {
  return text.replace(/\u001b\[[0-9;]*m/g, '');
}

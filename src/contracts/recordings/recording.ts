import { parseJson } from '../../input/plain-data.ts';
import { UsageError } from '../../input/usage-error.ts';
import { printableJson } from '../../report/printable.ts';

export interface Recording {
  readonly format: 1;
  readonly of: string;
  readonly cast: RecordedIdentities;
  readonly exchanges: readonly RecordedExchange[];
}

export interface RecordedIdentities {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly project: string;
  readonly user: string;
}

export type RecordedOperation = 'exchange' | 'refresh' | 'list' | 'assign' | 'unassign';

export interface RecordedExchange {
  readonly name: string;
  readonly operation: RecordedOperation;
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
}

export interface RecordedRequest extends RecordedBody {
  readonly address: 'auth' | 'api';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
}

export interface RecordedResponse extends RecordedBody {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RecordedBody {
  readonly json?: unknown;
  readonly text?: string;
}

export function renderRecording(recording: Recording): string {
  return `${printableJson(JSON.stringify(recording, null, 2))}\n`;
}

/** @throws UsageError for a text that is no recording */
export function parseRecording(text: string, source: string): Recording {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new UsageError(`${source}: expected a recording, which is JSON`);
  }
  const { format, exchanges } = (value ?? {}) as Partial<Recording>;
  if (format !== 1 || !Array.isArray(exchanges)) {
    throw new UsageError(`${source}: expected a recording of format 1, which \`contracts record\` writes`);
  }
  return value as Recording;
}

export function bodyText({ json, text }: RecordedBody): string {
  return json === undefined ? (text ?? '') : JSON.stringify(json);
}

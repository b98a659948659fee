import type { EvidenceHeader, ExchangeEvidence } from './results.ts';

/** How much of an exchange to write out. */
export interface TextSize {
  /** Whether headers are written. */
  readonly headers: boolean;
  /** Bodies are cut after this many characters. */
  readonly longestBody: number;
}

const WHOLE: TextSize = { headers: true, longestBody: Number.POSITIVE_INFINITY };

/**
 * An exchange as plain text: lines of the request behind `>`, lines of the answer behind `<`, as curl prints them.
 *
 * @param size everything unless told otherwise
 */
export function exchangeText(exchange: ExchangeEvidence, size: TextSize = WHOLE): string {
  const { request, response, error } = exchange;
  const lines = [
    ...message('>', `${request.method} ${request.url}`, request.headers, request.body ?? '', size),
    ...(response === undefined
      ? []
      : message('<', String(response.status), response.headers, response.body, size)),
    ...(error === undefined ? [] : behind('<', `no whole answer: ${error}`)),
  ];
  return lines.join('\n');
}

function message(
  marker: string,
  first: string,
  headers: readonly EvidenceHeader[],
  body: string,
  size: TextSize,
): string[] {
  const cut = body.length - size.longestBody;
  const shown = cut > 0 ? `${body.slice(0, size.longestBody)}… (${cut} more characters)` : body;
  return [
    ...behind(marker, first),
    ...(size.headers ? headers.flatMap(([name, value]) => behind(marker, `${name}: ${value}`)) : []),
    ...(shown === '' ? [] : behind(marker, shown)),
  ];
}

/** Every line behind the marker: none that a target wrote may stand where a build server looks for orders. */
function behind(marker: string, text: string): string[] {
  return text.split('\n').map((line) => `${marker} ${line}`);
}

import type { EvidenceHeader, ExchangeEvidence } from './results.ts';

export interface TextSize {
  readonly headers: boolean;
  readonly longestBody: number;
}

const WHOLE: TextSize = { headers: true, longestBody: Number.POSITIVE_INFINITY };

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

/** Prefixes every line, so that a build server finds no command in a target's text. */
function behind(marker: string, text: string): string[] {
  return text.split('\n').map((line) => `${marker} ${line}`);
}

import { headerOf, isSuccess, jsonOf, type WireResponse } from './exchange.ts';
import { orElse } from './or-else.ts';

/** Returns true if the body reports an error. Statuses are open in the document, so a refusal may have a success status. */
export function reportsError(response: WireResponse | undefined): boolean {
  return ['error', 'errors'].some((name) => {
    const code = memberOf(response, name);
    return Array.isArray(code) ? code.length > 0 : Boolean(code);
  });
}

/** Returns true for an HTML page, such as a notice of maintenance, in place of an answer of the API. */
export function isPage(response: WireResponse | undefined): boolean {
  // Some frameworks send an empty answer with this media type.
  if (response === undefined || response.body.trim() === '') return false;
  return (
    /^text\/html\b/i.test(headerOf(response, 'content-type') ?? '') ||
    /^\s*<(?:!doctype|html)\b/i.test(response.body)
  );
}

/** True if a list continues on another page (RFC 8288), where missing users may be: the document defines no paging. */
export function isPart(response: WireResponse | undefined): boolean {
  if (response === undefined) return false;
  const link = headerOf(response, 'link') ?? '';
  return /;\s*rel="?(?:[^"]*\s)?next\b/i.test(link) || Boolean(memberOf(response, 'next'));
}

/** Returns a member of the JSON object in the body; undefined without one. */
export function memberOf(response: WireResponse | undefined, name: string): unknown {
  const json = jsonOf(response);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  return Object.hasOwn(json, name) ? (json as Record<string, unknown>)[name] : undefined;
}

/** Returns the error code of a refusal (RFC 6749 section 5.2), which is no secret; of a success only one like the standard's. */
export function errorCodeOf(response: WireResponse | undefined): string | undefined {
  const error = memberOf(response, 'error');
  if (typeof error !== 'string' || (isSuccess(response) && !/^[a-z_]{1,40}$/.test(error))) return undefined;
  return error;
}

/** Words {@link errorCodeOf} for a message. @param more stands behind the code */
export function errorIn(response: WireResponse | undefined, more = ''): string {
  const error = errorCodeOf(response) ?? '';
  return /^[\x20-\x7e]{1,80}$/.test(error) ? ` (error: ${error}${more})` : '';
}

/** As {@link errorIn}, with the description of a refusal, which may repeat a code: for texts that are redacted. */
export function refusalIn(response: WireResponse | undefined): string {
  const description = isSuccess(response) ? undefined : memberOf(response, 'error_description');
  return errorIn(response, describedAs(typeof description === 'string' ? description : null));
}

/** Characters of a service's own message that are shown. */
const MOST_OF_MESSAGE = 300;

/** Returns an `error_description` to stand behind its error code; empty without one. */
export function describedAs(description: string | null): string {
  const text = description?.replace(/\s+/g, ' ').trim() ?? '';
  if (text === '') return '';
  return `: ${text.length > MOST_OF_MESSAGE ? `${text.slice(0, MOST_OF_MESSAGE)}…` : text}`;
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** Returns the members at the top of a JSON object in order, as written, with the duplicates that a parser hides. */
export function membersIn(json: string): readonly (readonly [name: string, value: string])[] {
  const members: (readonly [string, string])[] = [];
  let depth = 0;
  let name: string | undefined;
  let value = '';
  for (const [token] of json.matchAll(TOKENS)) {
    if (depth === 1 && (token === ',' || token === '}')) {
      if (name !== undefined) members.push([name, value]);
      [name, value] = [undefined, ''];
    } else if (depth === 1 && token === ':' && name === undefined)
      [name, value] = [orElse(() => String(JSON.parse(value)), value), ''];
    else if (depth > 0) value += token;
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
  }
  return members;
}

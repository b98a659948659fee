import { readJson } from '../../exchange/read-json.ts';
import type { BodyView } from '../../exchange/to-evidence.ts';
import type { Target } from '../../targets/target.ts';

/**
 * How bodies of answers may be shown in evidence. The emulator's are shown whole. On a live target a list holds people:
 * of the resource API only the shape is shown, and of values only the configured ids.
 */
export function bodyViewFor(target: Target): BodyView {
  if (target.kind === 'emulator') return (_, response) => response.body;
  const known = new Set([...target.projects, ...target.users]);
  return (request, response) => {
    if (!request.url.startsWith(`${target.baseUrl}/`) || request.url.includes('/oauth/'))
      return response.body;
    try {
      return JSON.stringify(shapeOf(readJson(response.body), known));
    } catch {
      return response.body === '' ? '' : `<${response.bytes} bytes that are no JSON>`;
    }
  };
}

function shapeOf(value: unknown, known: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => shapeOf(item, known));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item, known)]));
  }
  if (known.has(String(value))) return value;
  return value === null ? null : `<${typeof value}>`;
}

import type { AspectAnswer, AspectId } from '../../document/profiles/aspects.ts';
import { headersByAspect } from '../../document/profiles/header-kinds.ts';
import { type Exchange, type Header, isSuccess } from '../../http/exchange.ts';
import { configuredTexts } from '../../service/configured-texts.ts';
import type { Target } from '../../service/target.ts';

const VARIES = 'varies';

/**
 * Returns the headers of a run's answers by aspect of open points 16 and 21 (clauses 4, 6, 8 and 9). Of token responses and
 * operations, only honoured ones count.
 */
export function headerAnswers(
  exchanges: readonly Exchange[],
  pages: readonly (readonly Header[])[],
  target: Target,
): ReadonlyMap<AspectId, AspectAnswer> {
  const token: (readonly Header[])[] = [];
  const resource: (readonly Header[])[] = [];
  for (const { request, response } of exchanges) {
    if (!isSuccess(response)) continue;
    const url = request.url.split('?')[0] ?? '';
    if (url === `${target.authUrl}/oauth/token`) token.push(response.headers);
    else if (isOperation(request.method, url, target)) resource.push(response.headers);
  }
  if (token.length === 0 && resource.length === 0) return new Map();
  const shown = (answers: readonly (readonly Header[])[]) => valuesOf(answers, target);
  const families = { pages: shown(pages), token: shown(token), resource: shown(resource) };
  return new Map<AspectId, AspectAnswer>([
    ...headersByAspect(families),
    ['events.channels', channels([...token, ...resource])],
  ]);
}

function isOperation(method: string, url: string, { baseUrl }: Target): boolean {
  return (
    ['GET', 'PUT', 'DELETE'].includes(method) &&
    url.startsWith(`${baseUrl}/`) &&
    url.includes('/assigned_users')
  );
}

function valuesOf(answers: readonly (readonly Header[])[], target: Target): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, sent] of answers.flat()) {
    const value = anonymized(sent, target);
    const key = name.toLowerCase();
    const before = values.get(key);
    values.set(key, before === undefined || before === value ? value : VARIES);
  }
  return new Map([...values].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function channels(answers: readonly (readonly Header[])[]): readonly string[] {
  const found = new Set<string>();
  for (const [name, value] of answers.flat()) {
    if (name.toLowerCase() === 'link' && /rel="?(hub|webhook|monitor)\b/i.test(value)) found.add('link');
    if (/^(webhook|x-webhook|x-hub)/i.test(name)) found.add(name.toLowerCase());
  }
  return [...found].sort();
}

/** Replaces the target's addresses, ids and names of people by stable placeholders, because the text may be committed. */
export function anonymized(text: string, target: Target): string {
  const replaced = configuredTexts(target).reduce(
    (shown, [value, placeholder]) =>
      // A short id occurs in many words and numbers.
      value.length < 3 ? shown : shown.split(value).join(placeholder),
    text,
  );
  return replaced.replace(/[^\s"'<>@]+@[^\s"'<>@]+\.[^\s"'<>@]+/g, '{email}');
}

import { isJsonObject, type JsonObject } from '../../document/input/plain-data.ts';

export class BrokerFailed extends Error {
  /** `refused`: the broker contradicts what is published (409). `unanswered`: down or failing, so a change may have been made. */
  readonly kind: 'refused' | 'unanswered' | 'other';
  readonly details: readonly string[];

  constructor(message: string, kind: BrokerFailed['kind'] = 'other', details: readonly string[] = []) {
    super(message);
    this.name = 'BrokerFailed';
    this.kind = kind;
    this.details = details;
  }
}

export type Resource = JsonObject;

export function linkIn(resource: Resource, relation: string): string | undefined {
  const [link] = linksIn(resource, relation);
  return link?.href;
}

interface Link {
  readonly href: string;
  readonly name: string | undefined;
}

export function linksIn(resource: Resource, relation: string): readonly Link[] {
  const links = isJsonObject(resource._links) ? resource._links[relation] : undefined;
  return (Array.isArray(links) ? links : [links]).flatMap((link: unknown) =>
    isJsonObject(link) && typeof link.href === 'string'
      ? [{ href: link.href, name: typeof link.name === 'string' ? link.name : undefined }]
      : [],
  );
}

/** Returns the embedded resources of a name; undefined if the list is missing. */
export function embeddedIn(resource: Resource, name: string): readonly Resource[] | undefined {
  const list = isJsonObject(resource._embedded) ? resource._embedded[name] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : undefined;
}

interface Notice {
  readonly type: string;
  readonly when: unknown;
  readonly text: string;
}

export function brokerNotices(resource: Resource): readonly Notice[] {
  const { notices } = resource;
  return (Array.isArray(notices) ? notices : []).flatMap((notice: unknown) =>
    isJsonObject(notice) && typeof notice.text === 'string'
      ? [{ type: String(notice.type), when: notice.when, text: notice.text }]
      : [],
  );
}

/**
 * Returns the texts of a refusal. The broker uses four forms: a text, a list of texts, lists by field, and notices
 * whose `info` holds a multi-line diff.
 */
export function textsIn(body: Resource | undefined): {
  readonly sentences: readonly string[];
  readonly details: readonly string[];
} {
  if (body === undefined) return { sentences: [], details: [] };
  const notices = brokerNotices(body);
  const sentences = notices.filter(({ type }) => type === 'error').map(({ text }) => text);
  const details = notices.filter(({ type }) => type !== 'error').map(({ text }) => text);
  if (sentences.length > 0) return { sentences, details };
  const { errors, error } = body;
  if (Array.isArray(errors)) return { sentences: errors.map(String), details };
  if (isJsonObject(errors))
    return {
      sentences: Object.entries(errors).map(([field, texts]) => `${field} ${[texts].flat().join(', ')}`),
      details,
    };
  const text = isJsonObject(error) ? error.message : error;
  return { sentences: typeof text === 'string' ? [text] : [], details };
}

import { isObject, nameIn, type PactContent } from './pact-content.ts';

/** One contract of a request to publish, understood. */
export interface ContractInput {
  readonly provider: string;
  readonly content: PactContent;
  readonly onConflict: 'overwrite' | 'merge' | undefined;
}

/** A request to publish, understood. */
export interface PublishInput {
  readonly consumer: string;
  readonly version: string;
  readonly branch: string | undefined;
  readonly tags: readonly string[];
  readonly buildUrl: string | undefined;
  readonly contracts: readonly ContractInput[];
}

type Errors = Readonly<Record<string, readonly string[]>>;

/**
 * Reads the body of `POST /contracts/publish`.
 *
 * @returns messages by field where the broker would answer 400
 */
export function readPublishInput(body: unknown): { input: PublishInput } | { errors: Errors } {
  const fields = isObject(body) ? body : {};
  const errors: Record<string, string[]> = {};
  const fail = (field: string, message: string) => {
    errors[field] = [...(errors[field] ?? []), message];
  };
  for (const field of ['pacticipantName', 'pacticipantVersionNumber']) requireText(fields, field, fail);
  for (const field of ['branch', 'buildUrl']) {
    if (fields[field] !== undefined && fields[field] !== null && typeof fields[field] !== 'string')
      fail(field, 'must be a string');
  }
  if (fields.tags !== undefined && fields.tags !== null && !Array.isArray(fields.tags))
    fail('tags', 'must be an array');
  if (fields.contracts === undefined) fail('contracts', 'is missing');
  else if (!Array.isArray(fields.contracts)) fail('contracts', 'must be an array');
  const consumer = String(fields.pacticipantName);
  const contracts = (Array.isArray(fields.contracts) ? fields.contracts : []).map((contract, index) =>
    readContract(contract, consumer, (message) => fail('contracts', `${message} (at index ${index})`)),
  );
  if (Object.keys(errors).length > 0) return { errors };
  return {
    input: {
      consumer,
      version: String(fields.pacticipantVersionNumber),
      branch: textOf(fields.branch),
      tags: Array.isArray(fields.tags) ? fields.tags.map(String) : [],
      buildUrl: textOf(fields.buildUrl),
      contracts,
    },
  };
}

type Fail = (field: string, message: string) => void;

function requireText(fields: Record<string, unknown>, field: string, fail: Fail): void {
  const value = fields[field];
  if (value === undefined) fail(field, 'is missing');
  else if (value === null || value === '') fail(field, "can't be blank");
  else if (typeof value !== 'string') fail(field, 'must be a string');
  else if (value.trim() === '') fail(field, 'cannot be blank');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readContract(contract: unknown, pacticipant: string, fail: (m: string) => void): ContractInput {
  const fields = isObject(contract) ? contract : {};
  const oneOf = (field: string, allowed: readonly string[], optional = false) => {
    const value = fields[field];
    if (value === undefined && !optional) fail(`${field} is missing`);
    else if (value !== undefined && !allowed.includes(String(value)))
      fail(`${field} must be one of: ${allowed.join(', ')}`);
  };
  for (const field of ['consumerName', 'providerName', 'content'])
    requireText(fields, field, (name, message) => fail(`${name} ${message}`));
  oneOf('contentType', ['application/json']);
  oneOf('specification', ['pact']);
  oneOf('onConflict', ['overwrite', 'merge'], true);
  const decoded = decode(fields.content);
  if (decoded === undefined) fail('is not valid Base64');
  const parsed = parse(decoded);
  if (parsed === undefined && fields.contentType !== undefined)
    fail(`content could not be parsed as ${fields.contentType}`);
  const content = isObject(parsed) ? parsed : {};
  if (parsed !== undefined && !isObject(parsed))
    fail(`parsed content was expected to be a Hash but was a ${rubyClassOf(parsed)}`);
  for (const side of ['consumer', 'provider'] as const) {
    const inContent = nameIn(content, side);
    const given = fields[`${side}Name`];
    if (inContent !== undefined && given !== undefined && inContent !== given)
      fail(
        `${side} name in contract content ('${inContent}') must match ${side}Name in contract params ('${given}')`,
      );
  }
  if (typeof fields.consumerName === 'string' && fields.consumerName !== pacticipant)
    fail(`consumerName ('${fields.consumerName}') must match pacticipantName ('${pacticipant}')`);
  return { provider: String(fields.providerName), content, onConflict: conflictRule(fields.onConflict) };
}

function conflictRule(value: unknown): ContractInput['onConflict'] {
  return value === 'merge' || value === 'overwrite' ? value : undefined;
}

/** Strict Base64, as Ruby's `strict_decode64` has it. */
function decode(content: unknown): string | undefined {
  if (typeof content !== 'string') return undefined;
  const bytes = Buffer.from(content, 'base64');
  return bytes.toString('base64') === content ? bytes.toString('utf8') : undefined;
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function rubyClassOf(value: unknown): string {
  if (value === null) return 'NilClass';
  if (Array.isArray(value)) return 'Array';
  return typeof value === 'string' ? 'String' : typeof value === 'number' ? 'Integer' : 'TrueClass';
}

import { withoutMark } from '../../http/bodies.ts';
import {
  type Exchange,
  isBusy,
  isSuccess,
  jsonOf,
  type WireRequest,
  type WireResponse,
} from '../../http/exchange.ts';

/** Tokens of a token response (clause 2.1), present only as non-empty strings. */
interface FoundTokens {
  readonly accessToken?: string;
  readonly refreshToken?: string;
}

export type ReceivedTokens = FoundTokens & {
  readonly accessToken: string;
  /** As the response states it. */
  readonly scope?: string;
};

export type ReceivedPair = Required<FoundTokens>;

export interface TokenAnswer extends Exchange {
  readonly tokens: FoundTokens;
}

/** An exchange that got an answer. */
export type Answered<T extends Exchange = Exchange> = T & { readonly response: WireResponse };

/** Milliseconds from which on an answer may have a rounded `expires_in` that is a second short, where it counts down. */
export const COUNTS_DOWN_MS = 500;

/** Words a byte order mark before JSON, with which readers in Go, PHP and Ruby refuse it; undefined for none. */
export function markBefore({ body }: WireResponse): string | undefined {
  return withoutMark(body) === body
    ? undefined
    : 'a byte order mark before it, which RFC 8259 section 8.1 forbids';
}

/** Says why a code that has a blank is refused: a redirect that does not encode a plus sign gives such a code. */
export const BLANK_CODE = 'the code has a blank; a redirect must write a plus sign as %2B';

/** Says what came: `status 404`, or why there was no answer. */
export function answerText({ response, failure }: Exchange): string {
  return response === undefined ? (failure?.message ?? 'no answer') : `status ${response.status}`;
}

/** Returns why an exchange proves nothing: no complete answer, or an unavailable or busy service. */
export function provesNothing({ response, failure }: Exchange): string | undefined {
  if (response === undefined) return failure?.message ?? 'no answer';
  return isBusy(response.status) ? `the target answered ${response.status}` : undefined;
}

/** Returns the characters of a value that encodings treat in ways of their own, each once. */
export function oddCharactersIn(value: string): readonly string[] {
  return [...new Set(value.replaceAll(/[A-Za-z0-9]/g, ''))];
}

/** Returns true for a token that a client can send: an access token in a header, a refresh token in a form. */
export function isSendable(name: string, token: string): boolean {
  return name === 'access_token' ? /^[\x20-\x7e\x80-\xff]*$/.test(token) : token.isWellFormed();
}

/** Returns the tokens that an answer gives. A refusal that repeats what a known request sent gives none. */
export function tokensIn({
  request,
  response,
}: Partial<Pick<Exchange, 'request' | 'response'>>): FoundTokens {
  if (response === undefined) return {};
  const json = jsonOf(response);
  const sent = request === undefined || isSuccess(response) ? [] : valuesIn(request);
  const found = (key: string) => {
    const value = inJson(json, key) ?? inForm(response.body, key);
    return value === undefined || sent.includes(value) ? undefined : value;
  };
  const [accessToken, refreshToken] = [found('access_token'), found('refresh_token')];
  return { ...(accessToken && { accessToken }), ...(refreshToken && { refreshToken }) };
}

function valuesIn({ url, body }: WireRequest): readonly string[] {
  return [...new URL(url).searchParams.values(), ...new URLSearchParams(body).values()];
}

/** Finds a value by key at any depth, the shallowest first, because a refusal may hide a token in an envelope (clause 2.1). */
function inJson(json: unknown, key: string): string | undefined {
  let level = [json];
  while (level.length > 0) {
    const objects = level.filter((one): one is object => typeof one === 'object' && one !== null);
    for (const one of objects) {
      const own = Array.isArray(one) ? undefined : (one as Record<string, unknown>)[key];
      if (typeof own === 'string' && own !== '') return own;
    }
    level = objects.flatMap((one) => Object.values(one));
  }
  return undefined;
}

function inForm(body: string, key: string): string | undefined {
  return new RegExp(`(?:^|&)${key}=([^&\\s]+)`).exec(body)?.[1];
}

import {
  type Exchange,
  isSuccess,
  type Transport,
  type WireRequest,
  type WireResponse,
} from '../exchange/exchange.ts';
import type { Target } from '../targets/target.ts';
import type { ObtainedPair } from './actor.ts';

/** Milliseconds for which a token is handed on: far less than it lives (clause 2.1). */
const TOKEN_MS = 30 * 60_000;

/** How many checks that did not pass are made anew with nothing carried over, each to the same end. */
const MOST_MADE_ANEW = 3;

/** What a token response of the first application held, for all three scopes, and the exchange that yielded it. */
interface Carried<T> {
  readonly value: T;
  readonly exchange: Exchange;
  /** Milliseconds, of `performance.now()`. */
  readonly at: number;
}

/**
 * What one check on a live target leaves for the next, which then need not send the same requests: an access token that works, pairs that
 * nothing was done with, a code that was refused and not spent. One per session. On the emulator, where requests cost nothing, each check
 * obtains what it needs by itself.
 */
export class CarriedOver {
  #on: boolean;
  #handsTokensOn = true;
  #token: Carried<string> | undefined;
  #pairs: Carried<ObtainedPair>[] = [];
  #code: string | undefined;
  #refusalsLeaveCodes: 'left' | 'spent' | undefined;
  /** Codes and refresh tokens that were honoured, and those that are under way. */
  readonly #used = new Set<string>();
  readonly #underWay: string[] = [];
  #uses = 0;
  #changes = 0;
  #honoured = 0;
  #madeAnew = 0;

  constructor({ kind }: Pick<Target, 'kind'>) {
    this.#on = kind === 'live';
  }

  /**
   * How often something was used so far that an earlier check has left; how many requests were sent that may change a project, and how
   * many of them were honoured.
   */
  get counts(): { readonly uses: number; readonly changes: number; readonly honoured: number } {
    return { uses: this.#uses, changes: this.#changes, honoured: this.#honoured };
  }

  /** The token that an earlier check has obtained; undefined when none is to be handed on. */
  token(): Carried<string> | undefined {
    if (this.#token === undefined || isOld(this.#token)) return undefined;
    this.#uses += 1;
    return this.#token;
  }

  /** Keeps a token for the checks that follow. */
  keepToken(value: string, exchange: Exchange): void {
    if (this.#on && this.#handsTokensOn) this.#token = { value, exchange, at: performance.now() };
  }

  /** A pair of an earlier check, which does not get it again; undefined when there is none. */
  takePair(): Carried<ObtainedPair> | undefined {
    this.#pairs = this.#pairs.filter((pair) => !isOld(pair));
    const pair = this.#pairs.shift();
    if (pair !== undefined) this.#uses += 1;
    return pair;
  }

  /** Keeps a pair that nothing was done with, and that its check needs no more. */
  keepPair(value: ObtainedPair, exchange: Exchange): void {
    if (this.#on && this.#handsTokensOn) this.#pairs.push({ value, exchange, at: performance.now() });
  }

  /** The last code that was issued, where it was not exchanged; undefined when there is none. */
  takeCode(): string | undefined {
    const code = this.#code;
    this.#code = undefined;
    if (code !== undefined) this.#uses += 1;
    return code;
  }

  /** A code was issued: a service may know the last one alone. */
  codeIssued(): void {
    this.#code = undefined;
  }

  /** Whether a refused exchange was seen to leave its code as it was, or to spend it. */
  sawRefusedCode(left: boolean): void {
    this.#refusalsLeaveCodes = left && this.#refusalsLeaveCodes !== 'spent' ? 'left' : 'spent';
  }

  /** Keeps a code that an exchange was refused with, where that leaves codes as they were. */
  keepRefusedCode(value: string): void {
    if (this.#on && this.#refusalsLeaveCodes === 'left') this.#code = value;
  }

  /** The token endpoint is asked for tokens. */
  asked(request: WireRequest): void {
    this.#underWay.push(...credentialsIn(request));
  }

  /**
   * The token endpoint has answered. Where a code or refresh token was used a second time the service may end every code and token that
   * the owner has granted; where it hands a token out again, one check would end the token of another.
   */
  answered(request: WireRequest, accessToken: string | undefined): void {
    for (const credential of credentialsIn(request)) {
      this.#underWay.splice(this.#underWay.indexOf(credential), 1);
      if (this.#used.has(credential) || this.#underWay.includes(credential)) this.#forgetGranted();
      if (accessToken !== undefined) this.#used.add(credential);
    }
    const kept = [this.#token?.value, ...this.#pairs.map(({ value }) => value.accessToken)];
    if (accessToken === undefined || !kept.includes(accessToken)) return;
    this.#handsTokensOn = false;
    this.#forgetGranted();
  }

  /** Forgets all: time has passed, or a refresh may have replaced the token. */
  forget(): void {
    this.#forgetGranted();
    if (this.#refusalsLeaveCodes === 'left') this.#refusalsLeaveCodes = undefined;
  }

  #forgetGranted(): void {
    this.#token = undefined;
    this.#pairs = [];
    this.#code = undefined;
  }

  /** A check was made anew with nothing carried over. Where it came to another end, or often enough to the same, nothing is any more. */
  wasMadeAnew(toTheSame: boolean): void {
    this.#madeAnew += 1;
    if (toTheSame && this.#madeAnew < MOST_MADE_ANEW) return;
    this.#on = false;
    this.forget();
  }

  /** A service that does not answer is asked for a code first by the next check, and not to assign anyone. */
  async #answer(
    inner: Transport,
    request: WireRequest,
    signal: AbortSignal | undefined,
  ): Promise<WireResponse> {
    try {
      return await inner(request, signal);
    } catch (error) {
      this.#forgetGranted();
      throw error;
    }
  }

  /** The transport, its requests that may change a project counted. */
  guard(inner: Transport): Transport {
    return async (request, signal) => {
      const changes = request.method !== 'GET' && request.url.includes('/projects/');
      if (changes) this.#changes += 1;
      const response = await this.#answer(inner, request, signal);
      if (changes && isSuccess(response)) this.#honoured += 1;
      return response;
    };
  }
}

function isOld({ at }: Carried<unknown>): boolean {
  return performance.now() - at > TOKEN_MS;
}

/** The codes and refresh tokens that a token request presents, as form or JSON. */
function credentialsIn({ body = '' }: WireRequest): readonly string[] {
  const found = body.matchAll(/(?:^|[&"])(code|refresh_token)(?:=|"\s*:\s*")([^&"]+)/g);
  return [...found].map(([, name, value = '']) => `${name} ${decoded(value)}`);
}

/** A value as it is meant, however it is written; as it stands where that cannot be read. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

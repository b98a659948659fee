import type { Ordinals } from '../control-types.ts';
import type { RegisteredApplication } from '../records.ts';
import type { RequestOutcome } from '../request.ts';
import type { Service } from '../service.ts';
import type { Said, SentParameter } from './sent.ts';

/** Parameters whose values are shown as they came: none of them is secret. */
const SHOWN: ReadonlySet<string> = new Set([
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'grant_type',
  'code_challenge_method',
  'decision',
  'email',
]);

/** The shortest value that is taken out of other texts: a shorter one is in too many by chance. */
const SHORTEST = 8;

/** What a code or a token looks like within another value. */
const RUN = /[\w-]{8,}/g;

/** Names codes, tokens, secrets and states by ordinals, so that they can be followed by eye and shown to everybody. */
export class Labels {
  readonly #service: Service;
  readonly #unissued = { code: new Ordinal(), access_token: new Ordinal(), refresh_token: new Ordinal() };
  readonly #states = new Ordinal();

  constructor(service: Service) {
    this.#service = service;
  }

  code(value: string): string {
    const code = this.#service.store.codes.get(value);
    return code === undefined ? this.#unknown('code', value) : `code#${code.ordinal}`;
  }

  accessToken(value: string): string {
    const pair = this.#service.store.tokens.byAccessToken(value);
    return pair === undefined ? this.#unknown('access_token', value) : `access_token#${pair.accessOrdinal}`;
  }

  refreshToken(value: string): string {
    const pair = this.#service.store.tokens.byRefreshToken(value);
    return pair === undefined
      ? this.#unknown('refresh_token', value)
      : `refresh_token#${pair.refreshOrdinal}`;
  }

  presented({ code, accessToken, refreshToken }: Said): Ordinals {
    return this.#ordinals(code, accessToken, refreshToken);
  }

  issued({ code, accessToken, refreshToken }: RequestOutcome): Ordinals {
    return this.#ordinals(code, accessToken, refreshToken);
  }

  #ordinals(
    code: string | undefined,
    accessToken: string | undefined,
    refreshToken: string | undefined,
  ): Ordinals {
    return {
      ...(code === undefined ? {} : { code: this.code(code) }),
      ...(accessToken === undefined ? {} : { accessToken: this.accessToken(accessToken) }),
      ...(refreshToken === undefined ? {} : { refreshToken: this.refreshToken(refreshToken) }),
    };
  }

  /** The parameter with a value that may be shown. */
  parameter({ name, value, place }: SentParameter, said: Said): SentParameter {
    return { name: this.clean(name, said), value: this.#shown(name, value, said), place };
  }

  #shown(name: string, value: string, said: Said): string {
    if (value === '') return value;
    switch (name) {
      case 'code':
        return said.code === undefined ? this.#other(value) : this.code(value);
      case 'access_token':
      case 'bearer_token':
        return this.accessToken(value);
      case 'refresh_token':
        return this.refreshToken(value);
      case 'client_secret':
        return this.#secret(value, said);
      case 'state':
        return `state#${this.#states.of(value)}`;
      default:
        return SHOWN.has(name) ? this.clean(value, said) : this.#other(value);
    }
  }

  #secret(value: string, { clientId }: Said): string {
    const application = clientId === undefined ? undefined : this.#service.store.applications.get(clientId);
    return application?.clientSecret === value ? 'client_secret' : 'wrong_client_secret';
  }

  #other(value: string): string {
    return this.#known(value) ?? `[${value.length} characters]`;
  }

  /** The text with labels in place of every code, token and secret in it: a careless client puts them anywhere. */
  clean(value: string, { code, accessToken, refreshToken, clientSecret }: Said): string {
    const { applications } = this.#service.store;
    const secrets = [...applications.values()].map((one) => one.clientSecret);
    let clean = value.replace(RUN, (run) => this.#known(run) ?? run);
    for (const secret of [code, accessToken, refreshToken, clientSecret, ...secrets]) {
      if (secret !== undefined && secret.length >= SHORTEST) {
        clean = clean.replaceAll(secret, this.#known(secret) ?? `[${secret.length} characters]`);
      }
    }
    return clean;
  }

  /** The label of a code, token or secret that stands where it has no place. */
  #known(value: string): string | undefined {
    const { codes, tokens, applications } = this.#service.store;
    if (codes.get(value) !== undefined) return this.code(value);
    if (tokens.byAccessToken(value) !== undefined) return this.accessToken(value);
    if (tokens.byRefreshToken(value) !== undefined) return this.refreshToken(value);
    const isSecret = (one: RegisteredApplication) => one.clientSecret === value;
    return [...applications.values()].some(isSecret) ? 'client_secret' : undefined;
  }

  #unknown(kind: 'code' | 'access_token' | 'refresh_token', value: string): string {
    return `unissued_${kind}#${this.#unissued[kind].of(value)}`;
  }
}

/** Counts different values, in the order seen. */
class Ordinal {
  readonly #seen = new Map<string, number>();

  of(value: string): number {
    const known = this.#seen.get(value);
    if (known !== undefined) return known;
    this.#seen.set(value, this.#seen.size + 1);
    return this.#seen.size;
  }
}

import type { Ordinals } from '../control/control-types.ts';
import { decodeFormComponent } from '../parameters.ts';
import type { Refusal } from '../refusal.ts';
import type { RequestOutcome } from '../request.ts';
import type { Service } from '../service.ts';
import type { RegisteredApplication } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { PresentedValues, SentParameter } from './sent.ts';

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

/** Shorter values are not replaced in other texts, because they match by chance. */
const SHORTEST = 8;

/** In a larger store a comparison with each value would take too long. */
const MOST_COMPARED = 1_000;

const RUN = /[\w-]{8,}/g;

type Issued = 'code' | 'access_token' | 'refresh_token';

/** The number of an issued code or token; undefined for an unknown value. */
const ORDINALS: Readonly<Record<Issued, (store: Store, value: string) => number | undefined>> = {
  code: ({ codes }, value) => codes.get(value)?.ordinal,
  access_token: ({ tokens }, value) => tokens.byAccessToken(value)?.accessOrdinal,
  refresh_token: ({ tokens }, value) => tokens.byRefreshToken(value)?.refreshOrdinal,
};

const ISSUED = Object.keys(ORDINALS) as readonly Issued[];

/** Replaces codes, tokens, secrets and states by ordinals that readers can follow and share. */
export class Labels {
  readonly #service: Service;
  readonly #unissued = { code: new Ordinal(), access_token: new Ordinal(), refresh_token: new Ordinal() };
  readonly #states = new Ordinal();

  constructor(service: Service) {
    this.#service = service;
  }

  ordinals({ code, accessToken, refreshToken }: RequestOutcome | PresentedValues): Ordinals {
    return {
      code: code && this.#label('code', code),
      accessToken: accessToken && this.#label('access_token', accessToken),
      refreshToken: refreshToken && this.#label('refresh_token', refreshToken),
    };
  }

  parameter({ name, value, place }: SentParameter, presented: PresentedValues): SentParameter {
    return { name: this.clean(name, presented), value: this.#shown(name, value, presented), place };
  }

  #shown(name: string, value: string, presented: PresentedValues): string {
    if (value === '') return value;
    switch (name) {
      case 'code':
        return presented.code === undefined ? this.#other(value) : this.#label(name, value);
      case 'access_token':
      case 'bearer_token':
        return this.#label('access_token', value);
      case 'refresh_token':
        return this.#label(name, value);
      case 'client_secret':
        return this.#secret(value, presented);
      case 'state':
        return `state#${this.#states.of(value)}`;
      default:
        return SHOWN.has(name) ? this.clean(value, presented) : this.#other(value);
    }
  }

  #secret(value: string, { clientId }: PresentedValues): string {
    const application = clientId === undefined ? undefined : this.#service.store.applications.get(clientId);
    return application?.clientSecret === value ? 'client_secret' : 'wrong_client_secret';
  }

  #other(value: string): string {
    return this.#known(value) ?? `[${value.length} characters]`;
  }

  /** Replaces every code, token and secret in a text by its label: a careless client puts them anywhere. */
  clean(value: string, { code, accessToken, refreshToken, clientSecret }: PresentedValues): string {
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

  /** Says what an unknown code or token resembles: a client cut it, encoded it twice, or took another one. */
  resembled({ refused }: Refusal, { code, accessToken, refreshToken }: PresentedValues): string | undefined {
    const sent = accessToken ?? refreshToken ?? code;
    const { codes, tokens } = this.#service.store;
    if (!refused.endsWith('-unknown') || sent === undefined || sent.length < SHORTEST) return undefined;
    if (codes.size + tokens.size > MOST_COMPARED) return undefined;
    const pairs = [...tokens.values()].flatMap((pair) => [pair.accessToken, pair.refreshToken]);
    const how = (issued: string) => {
      const label = this.#known(issued);
      if (issued === sent) return label;
      if (issued === decodeFormComponent(sent)) return `${label}, encoded twice`;
      if (sent === decodeFormComponent(issued.split('&', 1)[0] ?? ''))
        return `${label}, not encoded in the form: a plus sign arrives as a blank`;
      if (sent === decodeFormComponent(issued)) return `${label}, decoded twice`;
      if (issued.toLowerCase() === sent.toLowerCase()) return `${label} in other letter case`;
      if (sent.includes(issued)) return `${label} and ${sent.length - issued.length} more characters`;
      return issued.startsWith(sent)
        ? `the first ${sent.length} of the ${issued.length} characters of ${label}`
        : undefined;
    };
    return [...codes.keys(), ...pairs].map(how).find((found) => found !== undefined);
  }

  #known(value: string): string | undefined {
    const { store } = this.#service;
    for (const kind of ISSUED) {
      const ordinal = ORDINALS[kind](store, value);
      if (ordinal !== undefined) return `${kind}#${ordinal}`;
    }
    const isSecret = (one: RegisteredApplication) => one.clientSecret === value;
    return [...store.applications.values()].some(isSecret) ? 'client_secret' : undefined;
  }

  #label(kind: Issued, value: string): string {
    const ordinal = ORDINALS[kind](this.#service.store, value);
    return ordinal === undefined
      ? `unissued_${kind}#${this.#unissued[kind].of(value)}`
      : `${kind}#${ordinal}`;
  }
}

class Ordinal {
  readonly #seen = new Map<string, number>();

  of(value: string): number {
    const known = this.#seen.get(value);
    if (known !== undefined) return known;
    this.#seen.set(value, this.#seen.size + 1);
    return this.#seen.size;
  }
}

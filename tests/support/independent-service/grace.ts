import type { Context, Middleware } from 'oidc-provider';
import type { Settings } from './settings.ts';

type Payload = Record<string, unknown>;

interface FirstAnswer {
  readonly body: { readonly access_token: string; readonly refresh_token: string };
  readonly scope: string | undefined;
}

/** A window after a refresh in which its token, used again, is no theft (`INDEPENDENT_SERVICE_GRACE`); `oidc-provider` has none. */
export class Grace {
  readonly #kind: NonNullable<Settings['grace']>;
  readonly #seconds: number;
  readonly #answers = new Map<string, FirstAnswer>();
  /** Tokens that their holder has used, so that it has read the answer that held them. */
  readonly #used = new Set<string>();

  constructor({ grace, graceSeconds }: Settings) {
    this.#kind = grace ?? 'refused';
    this.#seconds = grace === undefined ? 0 : graceSeconds;
  }

  use(id: string): void {
    this.#used.add(id);
  }

  /** Returns a refresh token as `oidc-provider` shall see it: undefined for one that it shall not know. */
  asSeen(id: string, payload: Payload): Payload | undefined {
    const { consumed, ...whole } = payload;
    if (typeof consumed !== 'number') {
      this.use(id);
      return payload;
    }
    if (Date.now() / 1_000 - consumed >= this.#seconds) return payload;
    if (this.#kind === 'refused') return undefined;
    return this.#kind === 'another-pair' || !this.#wasRead(id) ? whole : payload;
  }

  /** Puts the first answer in the place of a later one, if a repeated refresh gets the same pair. */
  middleware(tokenPath: string): Middleware {
    return async (ctx, next) => {
      await next();
      if (this.#kind !== 'same-pair' || ctx.path !== tokenPath || ctx.status !== 200) return;
      const { grant_type, refresh_token = '', scope } = ctx.oidc.params;
      if (grant_type !== 'refresh_token') return;
      const first = this.#answers.get(refresh_token);
      if (first === undefined)
        this.#answers.set(refresh_token, { body: ctx.body as FirstAnswer['body'], scope });
      else if (first.scope === scope) (ctx as Context).body = first.body;
    };
  }

  #wasRead(id: string): boolean {
    const { body } = this.#answers.get(id) ?? {};
    return body !== undefined && (this.#used.has(body.access_token) || this.#used.has(body.refresh_token));
  }
}

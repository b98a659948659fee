import { Provider } from 'oidc-provider';
import type { DefectId } from './defects.ts';
import type { Grace } from './grace.ts';

type Payload = Record<string, unknown>;

/** Kinds whose id is itself what is handed out: whoever holds it may act. */
const SECRET_MODELS: readonly string[] = ['AccessToken', 'AuthorizationCode', 'RefreshToken', 'Session'];

/** One kind of things of `oidc-provider`. Its own memory store forgets after a thousand entries; this one keeps all. */
class ModelStore {
  readonly #entries = new Map<string, Payload>();
  readonly #model: string;
  readonly #issued: string[];

  constructor(model: string, issued: string[]) {
    this.#model = model;
    this.#issued = issued;
  }

  async upsert(id: string, payload: Payload): Promise<void> {
    if (SECRET_MODELS.includes(this.#model) && !this.#entries.has(id)) this.#issued.push(id);
    this.#entries.set(id, payload);
  }

  async find(id: string): Promise<Payload | undefined> {
    return this.#entries.get(id);
  }

  async findByUid(uid: string): Promise<Payload | undefined> {
    return [...this.#entries.values()].find((payload) => payload.uid === uid);
  }

  async consume(id: string): Promise<void> {
    const payload = this.#entries.get(id);
    if (payload !== undefined) payload.consumed ??= Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    this.#entries.delete(id);
  }

  /** Lets time pass: what is here becomes older. */
  age(seconds: number): void {
    for (const payload of this.#entries.values())
      for (const name of MOMENTS) if (typeof payload[name] === 'number') payload[name] -= seconds;
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of this.#entries) {
      if (payload.grantId === grantId) this.#entries.delete(id);
    }
  }
}

/** Members that `oidc-provider` and this store keep as seconds since the epoch. */
const MOMENTS = ['iat', 'iiat', 'exp', 'loginTs', 'authTime', 'consumed'];

class GracefulTokens extends ModelStore {
  readonly #grace: Grace;

  constructor(model: string, issued: string[], grace: Grace) {
    super(model, issued);
    this.#grace = grace;
  }

  override async find(id: string): Promise<Payload | undefined> {
    const token = await super.find(id);
    return token === undefined ? undefined : this.#grace.asSeen(id, token);
  }
}

/** Access tokens whose use a grace window ends with. */
class NotedTokens extends ModelStore {
  readonly #grace: Grace;

  constructor(model: string, issued: string[], grace: Grace) {
    super(model, issued);
    this.#grace = grace;
  }

  override async find(id: string): Promise<Payload | undefined> {
    this.#grace.use(id);
    return super.find(id);
  }
}

/** A code that is never marked as used. */
class ReusableCodes extends ModelStore {
  override async consume(): Promise<void> {}
}

/** A code that takes on whatever redirect_uri it is exchanged with. */
class UnboundCodes extends ModelStore {
  override async find(id: string): Promise<Payload | undefined> {
    const code = await super.find(id);
    const sent = Provider.ctx?.oidc.params.redirect_uri;
    return code === undefined || sent === undefined ? code : { ...code, redirectUri: sent };
  }
}

export interface Stores {
  /** As `oidc-provider` wants its `adapter`. */
  readonly adapter: (model: string) => ModelStore;
  age(seconds: number): void;
}

/** Makes the stores, with two of the defects. `issued` gets every code, token and session that is handed out. */
export function makeStores(defect: DefectId | undefined, issued: string[], grace: Grace): Stores {
  const made: ModelStore[] = [];
  const make = (model: string) => {
    if (model === 'AuthorizationCode' && defect === 'code-reusable') return new ReusableCodes(model, issued);
    if (model === 'AuthorizationCode' && defect === 'redirect-uri-unchecked-at-exchange') {
      return new UnboundCodes(model, issued);
    }
    if (model === 'RefreshToken') return new GracefulTokens(model, issued, grace);
    if (model === 'AccessToken') return new NotedTokens(model, issued, grace);
    return new ModelStore(model, issued);
  };
  return {
    adapter: (model) => {
      const store = make(model);
      made.push(store);
      return store;
    },
    age: (seconds) => {
      for (const store of made) store.age(seconds);
    },
  };
}

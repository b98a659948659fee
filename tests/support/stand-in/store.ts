import { Provider } from 'oidc-provider';
import type { DefectId } from './defects.ts';

type Payload = Record<string, unknown>;

/** Kinds whose id is itself what is handed out: whoever holds it may act. */
const SECRET_MODELS: readonly string[] = ['AccessToken', 'AuthorizationCode', 'RefreshToken', 'Session'];

/**
 * Where `oidc-provider` keeps one kind of thing (codes, tokens, sessions …). Its own memory store forgets the oldest
 * entries after a thousand, which a conformance run reaches; this one keeps all. Expiry is `oidc-provider`'s to judge.
 */
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
    if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    this.#entries.delete(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of this.#entries) {
      if (payload.grantId === grantId) this.#entries.delete(id);
    }
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

/**
 * The store of one model, as `oidc-provider`'s `adapter` wants it; two of the defects live here.
 *
 * @param issued gets every code, token and session that is handed out, in the order of their making
 */
export function makeAdapter(defect: DefectId | undefined, issued: string[]): (model: string) => ModelStore {
  return (model) => {
    if (model === 'AuthorizationCode' && defect === 'code-reusable') return new ReusableCodes(model, issued);
    if (model === 'AuthorizationCode' && defect === 'redirect-uri-unchecked-at-exchange') {
      return new UnboundCodes(model, issued);
    }
    return new ModelStore(model, issued);
  };
}

// The library's adapter, as the example of its documentation has it, over maps.

const maps = new Map();
const grants = new Map(); // by the id of a grant: what goes with it, each a map and a key
const mapOf = (name) => {
  if (!maps.has(name)) maps.set(name, new Map());
  return maps.get(name);
};
const GRANTED = ['AuthorizationCode', 'AccessToken', 'RefreshToken'];

export class Adapter {
  constructor(name) {
    this.name = name;
    this.map = mapOf(name);
  }

  async upsert(id, payload, expiresIn) {
    if (GRANTED.includes(this.name)) {
      const { grantId } = payload;
      if (!grants.has(grantId)) grants.set(grantId, []);
      grants.get(grantId).push([this.map, id]);
    }
    const ends = expiresIn ? Date.now() + expiresIn * 1000 : Number.POSITIVE_INFINITY;
    this.map.set(id, { payload: structuredClone(payload), ends });
  }

  async find(id) {
    const held = this.map.get(id);
    return held && held.ends > Date.now() ? structuredClone(held.payload) : undefined;
  }

  async findByUid(uid) {
    for (const [id, { payload }] of this.map) if (payload.uid === uid) return this.find(id);
    return undefined;
  }

  async consume(id) {
    this.map.get(id).payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id) {
    this.map.delete(id);
  }

  async revokeByGrantId(grantId) {
    for (const [map, id] of grants.get(grantId) ?? []) map.delete(id);
    grants.delete(grantId);
  }
}

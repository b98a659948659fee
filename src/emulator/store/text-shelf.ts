/** Bytes of one slot: the length of the text, and its characters. */
const SLOT_BYTES = 48;

/** Characters of the longest text that fits; tokens have 43. */
const LONGEST = SLOT_BYTES - 1;

/** Slots that are made at a time. */
const SLOTS = 16_384;

/** Entries of the index that is empty; it doubles while more than half of it is taken. */
const FIRST_INDEX = 1_024;

const EMPTY = 0;
const REMOVED = -1;

/** Where a text is kept: the number of its slot, or the text itself where it fits into none. */
export type Place = number | string;

/**
 * Records by a text each. As a map, but the texts lie outside of the garbage-collected heap: a million tokens there would be looked at
 * by every collection, and take twice their size for the room that the collector keeps.
 */
export class TextShelf<T> {
  readonly #texts: Buffer[] = [];
  readonly #records: (T | undefined)[][] = [];
  /** Numbers of slots, plus one, by the hash of their text. */
  #index = new Int32Array(FIRST_INDEX);
  /** Entries of the index that are not empty. */
  #taken = 0;
  #slots = 0;
  readonly #free: number[] = [];
  /** Records of the texts that do not fit. */
  readonly #unfit = new Map<string, T>();

  get size(): number {
    return this.#slots - this.#free.length + this.#unfit.size;
  }

  get(text: string): T | undefined {
    if (!fits(text)) return this.#unfit.get(text);
    const entry = this.#entryOf(text);
    return entry === undefined ? undefined : this.#recordAt((this.#index[entry] ?? 0) - 1);
  }

  /** Keeps a record, in place of the one that the text had. */
  set(text: string, record: T): Place {
    if (!fits(text)) {
      this.#unfit.set(text, record);
      return text;
    }
    const entry = this.#entryOf(text);
    const slot = entry === undefined ? this.#shelve(text) : (this.#index[entry] ?? 0) - 1;
    const chunk = this.#records[Math.floor(slot / SLOTS)];
    if (chunk !== undefined) chunk[slot % SLOTS] = record;
    return slot;
  }

  /** Forgets a text; its place may be given to another. */
  delete(text: string): void {
    if (!fits(text)) {
      this.#unfit.delete(text);
      return;
    }
    const entry = this.#entryOf(text);
    if (entry === undefined) return;
    const slot = (this.#index[entry] ?? 0) - 1;
    this.#index[entry] = REMOVED;
    this.#free.push(slot);
    const chunk = this.#records[Math.floor(slot / SLOTS)];
    if (chunk !== undefined) chunk[slot % SLOTS] = undefined;
  }

  /** The text at a place. */
  textAt(place: Place): string {
    if (typeof place === 'string') return place;
    const begin = (place % SLOTS) * SLOT_BYTES;
    const chunk = this.#texts[Math.floor(place / SLOTS)];
    return chunk?.toString('latin1', begin + 1, begin + 1 + (chunk[begin] ?? 0)) ?? '';
  }

  *values(): Generator<T> {
    for (const chunk of this.#records) for (const record of chunk) if (record !== undefined) yield record;
    yield* this.#unfit.values();
  }

  #recordAt(slot: number): T | undefined {
    return this.#records[Math.floor(slot / SLOTS)]?.[slot % SLOTS];
  }

  /** Where in the index the slot of a text stands. */
  #entryOf(text: string): number | undefined {
    const mask = this.#index.length - 1;
    for (let entry = hashOf(text) & mask; ; entry = (entry + 1) & mask) {
      const found = this.#index[entry] ?? EMPTY;
      if (found === EMPTY) return undefined;
      if (found !== REMOVED && this.#holds(found - 1, text)) return entry;
    }
  }

  #holds(slot: number, text: string): boolean {
    const begin = (slot % SLOTS) * SLOT_BYTES;
    const chunk = this.#texts[Math.floor(slot / SLOTS)];
    if (chunk?.[begin] !== text.length) return false;
    for (let at = 0; at < text.length; at += 1)
      if (chunk[begin + 1 + at] !== text.charCodeAt(at)) return false;
    return true;
  }

  /** Writes a new text into a slot. */
  #shelve(text: string): number {
    if (2 * (this.#taken + 1) > this.#index.length) this.#reindex();
    const slot = this.#free.pop() ?? this.#slots++;
    if (Math.floor(slot / SLOTS) === this.#texts.length) {
      this.#texts.push(Buffer.alloc(SLOTS * SLOT_BYTES));
      this.#records.push(new Array<T | undefined>(SLOTS).fill(undefined));
    }
    const begin = (slot % SLOTS) * SLOT_BYTES;
    const chunk = this.#texts[Math.floor(slot / SLOTS)];
    if (chunk !== undefined) chunk[begin] = text.length;
    chunk?.write(text, begin + 1, 'latin1');
    this.#enter(slot, text);
    return slot;
  }

  #enter(slot: number, text: string): void {
    const mask = this.#index.length - 1;
    let entry = hashOf(text) & mask;
    while ((this.#index[entry] ?? EMPTY) !== EMPTY) entry = (entry + 1) & mask;
    this.#index[entry] = slot + 1;
    this.#taken += 1;
  }

  /** Makes room in the index, which forgets what was removed. */
  #reindex(): void {
    const old = this.#index;
    const held = this.#slots - this.#free.length;
    this.#index = new Int32Array(4 * (held + 1) > old.length ? 2 * old.length : old.length);
    this.#taken = 0;
    for (const found of old) if (found > EMPTY) this.#enter(found - 1, this.textAt(found - 1));
  }
}

function fits(text: string): boolean {
  if (text.length > LONGEST) return false;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0xff) return false;
  return true;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}

/** Options of an exploration. */
export interface ExploreOptions {
  /** Number of requests; 0 for none. Default: 2500 on the emulator, 800 on a live target, none with `only`. */
  readonly explore?: number;
  /** Seed of the sequences. Default: a random one. */
  readonly seed?: number;
  /** File with the only sequence to replay. */
  readonly replay?: string;
}

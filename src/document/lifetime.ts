/** Lifetime of an access token in seconds (clauses 2.1 and 8). The emulator states its own, so that a slip here shows. */
export const LIFETIME = 7_200;

/** The part of proper-lockfile that is used here. */
declare module 'proper-lockfile' {
  interface LockOptions {
    /** Milliseconds without a sign of life after which a lock counts as abandoned. */
    readonly stale?: number;
    /** Resolve symbolic links of the file, which must exist then. */
    readonly realpath?: boolean;
    /** Called when the lock turns out to have been taken away. */
    readonly onCompromised?: (error: Error) => void;
  }
  const lockfile: {
    /** Takes the lock or rejects with the code `ELOCKED`. Resolves to what releases it. */
    lock(file: string, options?: LockOptions): Promise<() => Promise<void>>;
  };
  export default lockfile;
}

declare module 'proper-lockfile' {
  interface LockOptions {
    /** Milliseconds without a sign of life after which a lock counts as abandoned. */
    readonly stale?: number;
    /** Resolve symbolic links of the file, which must then exist. */
    readonly realpath?: boolean;
    /** Called when another process has taken the lock. */
    readonly onCompromised?: (error: Error) => void;
  }
  const lockfile: {
    lock(file: string, options?: LockOptions): Promise<() => Promise<void>>;
  };
  export default lockfile;
}

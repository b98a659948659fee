/**
 * Tells whether a host is this machine: an address of 127.0.0.0/8, `[::1]`, `localhost` or a name below it.
 *
 * @param hostname as `URL` has it
 */
export function isLoopback(hostname: string): boolean {
  return /^(?:127(?:\.\d+){3}|\[::1\]|(?:.+\.)?localhost)$/.test(hostname);
}

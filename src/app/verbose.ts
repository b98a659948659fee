import type { Connect } from '../checks/run/ground.ts';
import { toldSession } from '../flow/told-requests.ts';
import { printError } from './print.ts';

/** What `--verbose` prints of a request: a line on standard error. */
export function tellRequest(line: string): void {
  printError(`  ${line}\n`);
}

/** Connects likewise, and with `--verbose` tells of each request as it goes. */
export function toldAsAsked(connectTo: Connect, verbose: boolean | undefined): Connect {
  if (!verbose) return connectTo;
  return async (target, secrets, signal) => {
    const connection = await connectTo(target, secrets, signal);
    return { ...connection, session: toldSession(connection.session, tellRequest) };
  };
}

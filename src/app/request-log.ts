import type { Connect } from '../checks/run/prepare-target.ts';
import { loggedSession } from '../flow/request-log.ts';
import { printError } from './print.ts';

export function printRequest(line: string): void {
  printError(`  ${line}\n`);
}

export function withRequestLog(connectTo: Connect, verbose: boolean | undefined): Connect {
  if (!verbose) return connectTo;
  return async (target, secrets, signal) => {
    const connection = await connectTo(target, secrets, signal);
    return { ...connection, session: loggedSession(connection.session, printRequest) };
  };
}

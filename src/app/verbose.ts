import type { Connect } from '../checks/run/prepare-target.ts';
import { toldSession } from '../flow/told-requests.ts';
import { printError } from './print.ts';

export function tellRequest(line: string): void {
  printError(`  ${line}\n`);
}

export function toldAsAsked(connectTo: Connect, verbose: boolean | undefined): Connect {
  if (!verbose) return connectTo;
  return async (target, secrets, signal) => {
    const connection = await connectTo(target, secrets, signal);
    return { ...connection, session: toldSession(connection.session, tellRequest) };
  };
}

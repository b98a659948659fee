import { nodeTransport } from '../../exchange/node-transport.ts';
import { connectWithoutBrowser } from '../../flow/connect.ts';
import type { Connect } from './prepare-target.ts';

/**
 * Connects to a target whose pages need no script, such as the emulator. Node's own client preserves the letter case of
 * header names.
 */
export const withoutBrowser: Connect = async (target, secrets, signal) => {
  const { transport, close } = nodeTransport();
  return {
    session: connectWithoutBrowser({ ...target, transport }, secrets, signal),
    close: async () => close(),
  };
};

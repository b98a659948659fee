import { nodeTransport } from '../../exchange/node-transport.ts';
import { connectWithoutBrowser } from '../../flow/connect.ts';
import type { Connect } from './ground.ts';

/**
 * Connects to a target whose pages need no script, as the emulator's: with the form agent, and over Node's own client, where the letter
 * case of header names shows.
 */
export const withoutBrowser: Connect = async (target, secrets, signal) => {
  const { transport, close } = nodeTransport();
  return {
    session: connectWithoutBrowser({ ...target, transport }, secrets, signal),
    close: async () => close(),
  };
};

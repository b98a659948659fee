import { Verifier } from '@pact-foundation/pact-core';
import type { NativeTask } from './native-verifier.ts';

/**
 * The process of Pact's native verifier. It prints tokens to a standard output that JavaScript cannot capture, so its
 * output is discarded.
 */

/** Milliseconds for one request. A live target is paced, and the relay waits for its answers. */
const TIMEOUT_MS = 120_000;

process.on('message', (task: NativeTask) => {
  void run(task).then((report) => process.send?.(report));
});
process.once('disconnect', () => process.exit(0));
process.send?.('ready');

async function run({ pactFile, providerUrl, statesUrl }: NativeTask): Promise<string> {
  try {
    const verifier = new Verifier({
      providerBaseUrl: providerUrl,
      pactUrls: [pactFile],
      providerStatesSetupUrl: statesUrl,
      providerStatesSetupTeardown: true,
      providerStatesSetupBody: true,
      followRedirects: false,
      timeout: TIMEOUT_MS,
      logLevel: 'error',
    });
    // The wrapper declares an object; it is JSON.
    return String(await verifier.verify());
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

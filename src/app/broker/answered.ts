import { BrokerUsage, brokerAccess } from '../../contracts/broker/access.ts';
import { type BrokerAnswer, withoutSecrets } from '../../contracts/broker/answer.ts';
import { Broker } from '../../contracts/broker/hal-client.ts';
import { NoProviderVersion } from '../../contracts/provider-version.ts';
import { UsageError } from '../../input/usage-error.ts';
import type { ExitCode } from '../../report/verdict.ts';
import { jsonText, print, printError } from '../print.ts';

/** What every verb that asks a broker is given. */
export interface BrokerVerbRequest {
  /** Else `PACT_BROKER_BASE_URL`. */
  readonly brokerBaseUrl: string | undefined;
  /** `json` prints what the broker answered to standard output, and the sentence to standard error; `table` is Pact's word for text. */
  readonly output: 'text' | 'table' | 'json';
}

/**
 * Asks a broker and prints what came of it.
 *
 * @param request every text in it must be one that CI systems do not hand over by mistake
 * @returns the exit code
 * @throws UsageError before anything is sent
 */
export async function answered(
  request: BrokerVerbRequest,
  ask: (broker: Broker) => Promise<BrokerAnswer>,
): Promise<ExitCode> {
  requireTexts(request);
  const access = usage(() => brokerAccess(process.env, request.brokerBaseUrl));
  const { exitCode, lines, body } = await usageOf(() => ask(usage(() => new Broker(access))));
  const text = `${lines.join('\n')}\n`;
  if (request.output === 'json') {
    printError(text);
    print(`${withoutSecrets(access, jsonText(body ?? { exitCode, lines }))}\n`);
  } else (exitCode === 0 ? process.stdout : process.stderr).write(text);
  return exitCode;
}

/** CI systems hand over an unset variable as an empty text. */
export function requireTexts(request: object): void {
  for (const [option, value] of Object.entries(request)) {
    if (typeof value !== 'string' || (value.trim() === value && value !== '' && !/[\r\n]/.test(value)))
      continue;
    const flag = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UsageError(
      `--${flag}: expected a text on one line without blanks around it, got ${JSON.stringify(value)}`,
    );
  }
}

/** What is wrong with what was asked of a broker is wrong usage. */
export async function usageOf<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asUsage(error);
  }
}

function usage<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asUsage(error);
  }
}

function asUsage(error: unknown): unknown {
  return error instanceof BrokerUsage || error instanceof NoProviderVersion
    ? new UsageError(error.message, { cause: error })
    : error;
}

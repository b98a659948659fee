import type { Broker } from '../../src/contracts/broker/hal-client.ts';

/** A version of a consumer. */
export interface Published {
  readonly consumer: string;
  readonly version: string;
}

interface Row {
  readonly provider: { readonly name: string; readonly version: { readonly number: string } | null };
  readonly verificationResult: { readonly success: boolean } | null;
}

/**
 * What the broker knows: for every version of a consumer and every environment whether it may be deployed there, and what that
 * rests on.
 *
 * @returns lines, the names without the part that all have
 */
export async function matrixLines(
  broker: Broker,
  versions: readonly Published[],
  environments: readonly string[],
  common: string,
): Promise<readonly string[]> {
  const short = (name: string) => name.replace(common, '');
  const lines = await Promise.all(
    versions.flatMap(({ consumer, version }) =>
      environments.map(async (environment) => {
        const address = await broker.link('pb:can-i-deploy-pacticipant-version-to-environment', {
          pacticipant: consumer,
          version,
          environment,
        });
        const { summary, matrix } = (await broker.get(address)) as {
          readonly summary?: { readonly deployable?: boolean | null };
          readonly matrix?: readonly Row[];
        };
        const answer = ANSWERS[String(summary?.deployable)] ?? '?';
        const rows = (matrix ?? []).map(
          ({ provider, verificationResult }) =>
            `${short(provider.name)} ${provider.version?.number ?? '(none)'} ${RESULTS[String(verificationResult?.success)]}`,
        );
        return `  ${`${short(consumer)} ${version}`.padEnd(12)} ${short(environment).padEnd(11)} ${answer.padEnd(8)} ${rows.join(', ')}`;
      }),
    ),
  );
  return [
    `  ${'version'.padEnd(12)} ${'environment'.padEnd(11)} ${'deploy'.padEnd(8)} verified by`,
    ...lines,
  ];
}

const ANSWERS: Readonly<Record<string, string>> = { true: 'yes', false: 'no', null: 'unknown' };
const RESULTS: Readonly<Record<string, string>> = { true: 'ok', false: 'failed', undefined: 'not verified' };

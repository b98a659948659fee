import { clientRequirementIds } from '../../../generated/ids.ts';
import { validateResults } from '../../../generated/validators.js';
import { describeErrors, problemText } from '../../document/describe-errors.ts';
import { parsedJson } from '../../document/input/plain-data.ts';
import { UsageError } from '../../document/input/usage-error.ts';
import { loadClientCatalogue } from '../../document/load-client-requirements.ts';
import { SecretRegistry } from '../../http/secrets/registry.ts';
import { linesListing } from '../../report/listing.ts';
import { withKnownDeviations } from '../../report/policy.ts';
import type { Results } from '../../report/results.ts';
import { EXIT, type ExitCode } from '../../report/verdict.ts';
import { loadKnownDeviations } from '../shared/known-deviations.ts';
import { suiteVersion } from '../shared/own-package.ts';
import { printResult } from '../shared/print-result.ts';
import { reportResults } from '../shared/report-results.ts';
import { requireReportFolder } from '../shared/write-files.ts';
import { type ClientReportOptions, clientView, requiring } from './report.ts';

interface AttachRequest extends ClientReportOptions {
  /** Address of the control port. */
  readonly attach: string;
  readonly controlToken: string;
  readonly signal?: AbortSignal;
}

/** An evaluation takes well below a second. */
const DEADLINE_MS = 30_000;

/** Fetches the report of a running emulator, prints and writes it as `client` does, and returns its exit code. */
export async function reportAttached(request: AttachRequest): Promise<ExitCode> {
  const { attach, controlToken, knownDeviations, report } = request;
  requireReportFolder(report);
  const listed = loadKnownDeviations(knownDeviations, 'emulator');
  const secrets = new SecretRegistry();
  secrets.register('secret', controlToken);
  const answer = await ask(addressOf(request), request);
  if (typeof answer === 'string') {
    const because = [`no answer from the control port at ${attach}: ${answer}; is the emulator up?`];
    const listing = linesListing(`Client at ${attach}`, { exitCode: EXIT.inconclusive, because });
    return printResult({ listing, secrets });
  }
  const results = await resultsOf(answer, attach);
  const known = withKnownDeviations(results, listed, new Set(clientRequirementIds));
  const run = requiring(request.require, known);
  return (await reportResults({ run, view: clientView(loadClientCatalogue()), secrets }, request)).exitCode;
}

function addressOf({ attach, strict }: AttachRequest): URL {
  const url = URL.parse(attach);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `--attach: expected the address of the control port, such as http://127.0.0.1:8702, got ${JSON.stringify(attach)}`,
    );
  const address = new URL('/client-report', url);
  if (strict) address.searchParams.set('strict', 'true');
  return address;
}

/** Returns the answer, or why none came. */
async function ask(
  address: URL,
  { controlToken, signal }: AttachRequest,
): Promise<{ readonly status: number; readonly text: string } | string> {
  const limit = AbortSignal.timeout(DEADLINE_MS);
  try {
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${controlToken}` },
      redirect: 'manual',
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const { cause, message } = error as Error;
    return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : message;
  }
}

/** @throws UsageError if the answer is no report of a client */
async function resultsOf(
  { status, text }: { readonly status: number; readonly text: string },
  attach: string,
): Promise<Results> {
  if (status === 401)
    throw new UsageError(`--attach: 401 from ${attach}: check --control-token or LEGACY_CONTROL_TOKEN`);
  const version = suiteVersion();
  const body = parsedJson(text);
  if (status === 200 && validateResults(body)) return body as Results;
  const error = typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : undefined;
  const [wrong] = status === 200 ? describeErrors(validateResults.errors ?? []) : [];
  const details = wrong === undefined ? error : problemText(wrong);
  throw new UsageError(
    `--attach: expected the report of an emulator of version ${version} from ${attach}, got ${status}: ${details ?? 'no JSON'}`,
  );
}

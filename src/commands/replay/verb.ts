import { statSync } from 'node:fs';
import { join } from 'node:path';
import { didYouMean, UsageError } from '../../document/input/usage-error.ts';
import { loadCatalogue } from '../../document/load-catalogue.ts';
import { curlLines } from '../../report/exchange-text.ts';
import type { RequirementResult, Results } from '../../report/results.ts';
import { EXIT, type ExitCode, ofKind } from '../../report/verdict.ts';
import { checkTarget } from '../check/verb.ts';
import { withStartingBrowser } from '../shared/browser.ts';
import { print } from '../shared/print.ts';
import { readCheckResults } from '../shared/read-results.ts';
import { resolveTarget } from '../shared/target.ts';

interface ReplayRequest {
  readonly results: string;
  readonly only: string;
  readonly target: string | undefined;
  readonly profile: string | undefined;
  readonly print: boolean;
  readonly report: string;
  readonly signal: AbortSignal;
}

/** The verb `replay`: prints the requests of a requirement as curl commands, and checks it again. Returns the exit code. */
export async function replayRequirement(request: ReplayRequest): Promise<ExitCode> {
  const { results: path } = request;
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  const results = readCheckResults(isFolder ? join(path, 'results.json') : path);
  const result = resultOf(results, request.only);
  const target = request.print ? undefined : await targetOf(results, result, request);
  print(`${curlLines(result).join('\n')}\n\n`);
  if (target === undefined) return EXIT.conforms;
  const check = {
    target,
    profile: request.profile ?? results.target.profile,
    defects: results.target.defects,
    only: [result.id],
    strict: results.strict,
    explore: 0,
    report: request.report,
    signal: request.signal,
  };
  return withStartingBrowser(target === 'emulator', (browser) => checkTarget(check, browser));
}

function resultOf({ requirements }: Results, id: string): RequirementResult {
  const known = loadCatalogue().requirements;
  const result = requirements.find((one) => one.id === id);
  if (result !== undefined) return result;
  const failed = ofKind(requirements, 'fail').map((one) => one.id);
  const ids = requirements.map((one) => one.id);
  const hint = failed.length === 0 ? '' : ` What failed: ${failed.slice(0, 5).join(', ')}.`;
  const elsewhere = known.some((one) => one.id === id) ? ' They are of a run that left it out.' : '';
  throw new UsageError(
    `--only: expected the id of a requirement in these results, got ${JSON.stringify(id)}.${elsewhere || didYouMean(id, ids)}${hint}`,
  );
}

async function targetOf(
  { target: { kind, name } }: Results,
  { id, level }: RequirementResult,
  { target }: ReplayRequest,
): Promise<string> {
  if (level === 'frozen')
    throw new UsageError(`${id}: is compared with a recorded profile; run \`check --like\`, or add --print`);
  if (kind === 'emulator') {
    if (target === undefined || target === 'emulator') return 'emulator';
    throw new UsageError('--target: the results are of the emulator; leave it out');
  }
  if (target === undefined)
    throw new UsageError(
      `--target: expected the configuration of ${JSON.stringify(name)}, which the results are of`,
    );
  const { summary } = await resolveTarget({ target });
  if (summary.kind === 'live' && summary.name === name) return target;
  throw new UsageError(
    `--target: expected the configuration of ${JSON.stringify(name)}, got that of ${JSON.stringify(summary.name)}`,
  );
}

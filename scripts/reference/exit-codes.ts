import { code, type Page, table } from './page.ts';

/** The meaning of each exit code, for every verb. `src/report/verdict.ts` decides the codes. */
export function exitCodesPage(): Page {
  const rows = [
    [
      '0',
      'conforms',
      'every selected, applicable documented requirement passed, or is a known deviation that is still current; for other verbs: done, verified, allowed',
    ],
    [
      '1',
      'violates',
      'a documented requirement failed, with `--strict` or warned; a known deviation is stale, unknown or past its date; for other verbs a finding: a pact that does not verify, not deployable, profiles that differ',
    ],
    ['2', '', 'wrong usage or configuration, or no browser; the suite sent nothing'],
    [
      '3',
      'inconclusive',
      'the suite could not evaluate the target: not reachable, refused, sign-in failed, throttled, retired, a required ability is missing, or something did not run',
    ],
    [
      '4',
      'broken',
      'the suite itself failed, could not clean up, or found a secret in what it was about to write',
    ],
  ];
  return {
    file: 'exit-codes.md',
    title: 'Exit codes',
    when: 'You need this page when a pipeline decides by the exit code of a command',
    body: `${table(
      ['exit', 'verdict', 'when'],
      rows.map(([exit = '', ...rest]) => [code(exit), ...rest]),
    )}

Where several apply, the first of 4, 2, 1, 3, 0 counts. A service that is down is 3 and not 1; a run that checked nothing is never 0. Each verb's \`--help\` says what the
codes mean for it.`,
  };
}

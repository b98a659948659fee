/** The exit codes, as every verb's help prints them. */
export const EXIT_CODES = `
Exit codes
  0  conforms      every selected, applicable documented requirement passed, or is a known deviation
  1  violates      a documented requirement failed (with --strict: or a warning), or a finding, such as
                   a known deviation that is stale or past its date
  2                wrong usage or configuration, or no browser; nothing was sent
  3  inconclusive  the target could not be evaluated: not reachable, sign-in failed, throttled, not run
  4  broken        the suite itself failed, or a secret was found in what would have been written`;

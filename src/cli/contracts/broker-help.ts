/** Access and exit codes, as the help of the broker's verbs prints them. */
export const BROKER_HELP = `
Access by environment: PACT_BROKER_BASE_URL, and PACT_BROKER_TOKEN or PACT_BROKER_USERNAME with PACT_BROKER_PASSWORD.

Exit codes
  0  done, or allowed
  1  the broker has judged: not deployable, or a pact that contradicts the one published before
  2  wrong usage; nothing was sent
  3  the broker has not judged: down, not a broker, no access, an unknown name, a verification result missing
  4  the suite itself failed`;

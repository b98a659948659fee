import { marked, oneLine } from '../../report/printable.ts';
import { conclude, type RunOutcome } from '../../report/verdict.ts';
import { SecretRegistry } from '../../secrets/registry.ts';
import { type BrokerAccess, secretsOf } from './access.ts';
import { BrokerFailed, type BrokerTrouble } from './trouble.ts';

/** What came of asking the broker, ready to be printed: exit code and lines, without credentials or control characters. */
export interface BrokerAnswer {
  readonly exitCode: RunOutcome['exitCode'];
  /** The sentence that matters first. */
  readonly lines: readonly string[];
  /** What the broker answered, for who asked for JSON. */
  readonly body?: unknown;
}

/** Done, or allowed. */
export function granted(
  access: BrokerAccess,
  sentence: string,
  details: readonly string[] = [],
): BrokerAnswer {
  const { exitCode } = conclude({ troubles: [], violations: [], gaps: [], judged: 1 });
  return { exitCode, lines: printed(access, sentence, details) };
}

/** The broker has judged, and says no. */
export function denied(
  access: BrokerAccess,
  sentence: string,
  details: readonly string[] = [],
): BrokerAnswer {
  const { exitCode } = conclude({ troubles: [], violations: [sentence], gaps: [], judged: 1 });
  return { exitCode, lines: printed(access, sentence, details) };
}

/** The broker has not judged. */
export function undecided(
  access: BrokerAccess,
  sentence: string,
  details: readonly string[] = [],
): BrokerAnswer {
  const { exitCode } = conclude({ troubles: [], violations: [], gaps: [sentence], judged: 0 });
  return { exitCode, lines: printed(access, sentence, details) };
}

/** What a failure ends in: a refusal is a finding, everything else leaves the question open. Throws what is none of the broker's. */
export function troubled(
  access: BrokerAccess,
  error: unknown,
  explain: (trouble: BrokerTrouble) => string = ({ message }) => message,
): BrokerAnswer {
  if (!(error instanceof BrokerFailed)) throw error;
  const { trouble, details } = error;
  return (trouble.kind === 'refused' ? denied : undecided)(access, explain(trouble), details);
}

/** A text of the broker's, without our credentials. */
export function withoutSecrets(access: BrokerAccess, text: string): string {
  const secrets = new SecretRegistry();
  for (const secret of secretsOf(access)) secrets.register('secret', secret);
  return secrets.redact(text);
}

/** What the broker says goes to terminals and build logs: behind a mark, so that no line of it is taken for a command. */
function printed(access: BrokerAccess, sentence: string, details: readonly string[]): readonly string[] {
  return [oneLine(sentence, 1_000), ...details.flatMap((detail) => marked(detail, ' '))].map((line) =>
    withoutSecrets(access, line),
  );
}

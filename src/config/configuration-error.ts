import { formatKey, type KeyPath } from '../catalogue/describe-errors.ts';

/** One thing in a configuration that cannot be used. No part of it holds a secret. */
export interface ConfigurationProblem {
  /** Way to the value; empty for the whole file. */
  readonly path: KeyPath;
  /** Completes "expected …". */
  readonly expected: string;
  /** Completes "got …". */
  readonly came: string;
  readonly advice?: string;
  /** A value that would do, as JSON. */
  readonly example?: string;
}

/** A configuration cannot be used. Carries every problem found; nothing has been sent when it is thrown. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** As it was asked for. */
  readonly file: string;
  readonly problems: readonly ConfigurationProblem[];

  constructor(file: string, problems: readonly ConfigurationProblem[]) {
    super(
      [`${file}: no usable configuration; nothing was sent`, ...problems.map((p) => `  ${sentence(p)}`)].join(
        '\n',
      ),
    );
    this.file = file;
    this.problems = problems;
  }
}

function sentence({ path, expected, came, advice, example }: ConfigurationProblem): string {
  const where = path.length === 0 ? '' : `${formatKey(path)}: `;
  return [
    `${where}expected ${expected}, got ${came}`,
    ...(advice === undefined ? [] : [advice]),
    ...(example === undefined ? [] : [`for example ${example}`]),
  ].join('; ');
}

import { formatKey, type KeyPath } from '../catalogue/describe-errors.ts';

export interface ConfigurationProblem {
  readonly path: KeyPath;
  /** Completes "expected …". */
  readonly expected: string;
  /** Completes "got …". */
  readonly came: string;
  readonly advice?: string;
  readonly example?: string;
}

export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly file: string;
  readonly problems: readonly ConfigurationProblem[];

  constructor(file: string, problems: readonly ConfigurationProblem[]) {
    super(
      [
        `${file}: the configuration cannot be used; the suite sent nothing`,
        ...problems.map((p) => `  ${sentence(p)}`),
      ].join('\n'),
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

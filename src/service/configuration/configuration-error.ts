import { type Problem, problemText } from '../../document/describe-errors.ts';
import { UsageError } from '../../document/input/usage-error.ts';

export class ConfigurationError extends UsageError {
  override readonly name = 'ConfigurationError';
  readonly file: string;
  readonly problems: readonly Problem[];

  constructor(file: string, problems: readonly Problem[]) {
    const lines = problems.map((one) => `  ${problemText(one, one.path.length === 0 ? '' : undefined)}`);
    super([`${file}: the configuration cannot be used; the suite sent nothing`, ...lines].join('\n'));
    this.file = file;
    this.problems = problems;
  }
}

import { isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument } from 'yaml';
import type { Validator } from '../../generated/validators.js';
import { describeErrors, type KeyPath, type Problem, problemText } from './describe-errors.ts';
import { NotPlain, plainData, readUtf8 } from './input/plain-data.ts';
import { UsageError } from './input/usage-error.ts';

export class SpecFileError extends UsageError {
  override readonly name = 'SpecFileError';

  constructor(file: string, problems: readonly LocatedProblem[]) {
    super(problems.map((problem) => placed(file, problem)).join('\n'));
  }
}

interface LocatedProblem extends Problem {
  readonly line: number;
}

export interface LocatedYaml<T> {
  readonly file: string;
  readonly value: T;
  /** Returns the line, from 1, of the key at `path`, or of its parent if the key is missing. */
  lineOf(path: KeyPath): number;
}

/**
 * Reads, parses and validates a YAML file. JSON is YAML too.
 * @throws SpecFileError naming file, line, key and what was expected.
 */
export function loadYaml<T>(file: string, validate: Validator<T>): T {
  return parseLocatedYaml(readText(file), file, validate).value;
}

export function loadLocatedYaml<T>(file: string, validate: Validator<T>): LocatedYaml<T> {
  return parseLocatedYaml(readText(file), file, validate);
}

export function parseLocatedYaml<T>(text: string, file: string, validate: Validator<T>): LocatedYaml<T> {
  const lines = new LineCounter();
  const refuse = (actual: string) =>
    new SpecFileError(file, [{ path: [], line: 1, expected: 'YAML', actual }]);
  const orRefuse = <R>(make: () => R, actual: (error: Error) => string): R => {
    try {
      return make();
    } catch (error) {
      throw refuse(actual(error as Error));
    }
  };
  const document = orRefuse(
    () => parseDocument(text, { lineCounter: lines, prettyErrors: false }),
    () => TOO_DEEP,
  );
  if (document.errors.some(({ message }) => message.includes('call stack'))) throw refuse(TOO_DEEP);
  if (document.errors.length > 0) {
    throw new SpecFileError(
      file,
      document.errors.slice(0, MOST_ERRORS).map((error) => ({
        path: [],
        line: lines.linePos(error.pos[0]).line,
        expected: 'well-formed YAML without a key twice',
        actual: error.message,
      })),
    );
  }
  const lineOf = (path: KeyPath) => Math.max(1, lines.linePos(offsetOf(document.contents, path)).line);
  // Aliases may be undefined, circular or expand to a billion values.
  const value = orRefuse(
    () => plainData(document.toJS()),
    (error) =>
      error instanceof NotPlain ? error.message : 'aliases that name nothing, or far too many values',
  );
  if (!validate(value)) {
    const problems = describeErrors(validate.errors ?? []);
    throw new SpecFileError(
      file,
      problems.map((problem) => ({ ...problem, line: lineOf(problem.path) })),
    );
  }
  return { file, value, lineOf };
}

const TOO_DEEP = 'values nested too deep';

const MOST_ERRORS = 5;

function readText(file: string): string {
  try {
    return readUtf8(file);
  } catch (error) {
    const actual = (error as Error).message;
    throw new SpecFileError(file, [{ path: [], line: 1, expected: READABLE, actual }]);
  }
}

/** Descends as far as the file goes. Returns the offset of a key, because its value may start on the next line. */
function offsetOf(root: ParsedNode | null, path: KeyPath): number {
  let node: Node | null = root;
  let offset = root?.range[0] ?? 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (pair === undefined) break;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value as Node | null;
    } else if (isSeq(node) && typeof part === 'number') {
      const item = node.items[part] as Node | undefined;
      if (item === undefined) break;
      offset = item.range?.[0] ?? offset;
      node = item;
    } else break;
  }
  return offset;
}

const READABLE = 'a file that can be read';

function placed(file: string, problem: LocatedProblem): string {
  const { expected, line } = problem;
  return expected === READABLE
    ? problemText(problem, `${file}: `)
    : `${file}:${line}: ${problemText(problem)}`;
}

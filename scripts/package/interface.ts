import { join, relative } from 'node:path';
import ts from 'typescript';
import { ENTRIES } from './manifest.ts';

const HEAD = `What a program may import, as the built declarations have it, comments left out: every entry of \`exports\` with its names, then what
those name of the package. Types of results, configuration and profile are the schemas' own (spec/*.schema.json) and stand by name.
Written by \`npm run build -- --interface\`; a test compares it. A change here is a change of the public interface: CHANGELOG and version say so.
`;

/** Named by the interface, but may change at any time: they depend on the emulator's internals. */
const OPAQUE = new Set(['Defect']);

/**
 * Returns the public interface as text: an unintended change shows in a review.
 *
 * @param root the built package
 */
export function interfaceText(root: string): string {
  const files = Object.entries(ENTRIES).map(([path, file]) => [path, join(root, `${file}.d.ts`)] as const);
  const program = ts.createProgram(
    files.map(([, file]) => file),
    {
      noEmit: true,
      allowImportingTsExtensions: true,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      noLib: true,
      types: [],
    },
  );
  const report = new Report(program.getTypeChecker(), root);
  const sections = files.map(([path, file]) => report.entry(path, program.getSourceFile(file)));
  return [HEAD, ...sections, report.named()].join('\n');
}

class Report {
  readonly #checker: ts.TypeChecker;
  readonly #root: string;
  readonly #printer = ts.createPrinter({ removeComments: true });
  readonly #shown = new Set<ts.Symbol>();
  readonly #queue: ts.Symbol[] = [];

  constructor(checker: ts.TypeChecker, root: string) {
    this.#checker = checker;
    this.#root = root;
  }

  entry(path: string, source: ts.SourceFile | undefined): string {
    const module = source && this.#checker.getSymbolAtLocation(source);
    const exported = module === undefined ? [] : this.#checker.getExportsOfModule(module);
    const texts = exported
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((symbol) => this.#text(this.#resolved(symbol), symbol.name));
    return `== legacy-api-conformance${path.slice(1)}\n\n${texts.join('\n')}\n`;
  }

  /** Returns the package's types that the declarations so far name, directly or indirectly. */
  named(): string {
    const texts: string[] = [];
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift())
      if (!this.#shown.has(next)) texts.push(this.#text(next, next.name));
    return `== named by these\n\n${texts.toSorted().join('\n')}\n`;
  }

  #text(symbol: ts.Symbol, name: string): string {
    const [first] = symbol.declarations ?? [];
    if (this.#shown.has(symbol)) return `${name}: above`;
    this.#shown.add(symbol);
    if (OPAQUE.has(name)) return `${name}: of the emulator's insides; may change at any time`;
    if (first === undefined || this.#isGenerated(first)) return `${name}: ${symbol.name} of the schemas`;
    return (symbol.declarations ?? [])
      .map((declaration) => {
        const whole = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
        this.#follow(whole);
        return this.#printer.printNode(ts.EmitHint.Unspecified, whole, whole.getSourceFile());
      })
      .join('\n');
  }

  #follow(node: ts.Node): void {
    if (ts.isIdentifier(node)) {
      const found = this.#checker.getSymbolAtLocation(node);
      const symbol = found && this.#resolved(found);
      const [declaration] = symbol?.declarations ?? [];
      if (symbol && declaration && isType(declaration) && this.#isOurs(declaration)) this.#queue.push(symbol);
    }
    node.forEachChild((child) => this.#follow(child));
  }

  #resolved(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #isOurs(node: ts.Node): boolean {
    const path = relative(this.#root, node.getSourceFile().fileName);
    return path.startsWith('src') && !path.includes('node_modules');
  }

  #isGenerated(node: ts.Node): boolean {
    return relative(this.#root, node.getSourceFile().fileName).startsWith('generated');
  }
}

function isType(node: ts.Node): boolean {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);
}

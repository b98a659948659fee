import ts from 'typescript';

/** A weakened monitor: one of its statements is left out. */
export interface Weakening {
  readonly file: string;
  readonly line: number;
  readonly statement: string;
  readonly from: number;
  readonly to: number;
  /** The replacement. */
  readonly by: string;
}

/** Rules report, and the model stores, only by a call for its effect or by an assignment. */
export function weakeningsOf(file: string, source: string): readonly Weakening[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: Weakening[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isExpressionStatement(node) && hasEffect(node.expression) && !inConstructor(node))
      found.push(weakening(file, source, tree, node, ';'));
    // A rule in the form of a condition: it never holds.
    if (ts.isIfStatement(node) && findsOrRefuses(node.thenStatement) && !onlyFinds(node.thenStatement))
      found.push(weakening(file, source, tree, node.expression, 'false as boolean'));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Returns a source without one statement. */
export function weakened(source: string, { from, to, by }: Weakening): string {
  return source.slice(0, from) + by + source.slice(to);
}

function weakening(file: string, source: string, tree: ts.SourceFile, node: ts.Node, by: string): Weakening {
  const [from, to] = [node.getStart(tree), node.getEnd()];
  const { line } = tree.getLineAndCharacterOfPosition(from);
  const statement = source.slice(from, to).replace(/\s+/g, ' ');
  return { file, line: line + 1, statement, from, to, by };
}

function hasEffect(expression: ts.Expression): boolean {
  if (ts.isBinaryExpression(expression))
    return (
      expression.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
      expression.operatorToken.kind <= ts.SyntaxKind.LastAssignment
    );
  return (
    ts.isCallExpression(expression) ||
    ts.isPrefixUnaryExpression(expression) ||
    ts.isPostfixUnaryExpression(expression)
  );
}

function inConstructor(node: ts.Node): boolean {
  return ts.findAncestor(node, ts.isConstructorDeclaration) !== undefined;
}

function findsOrRefuses(node: ts.Node): boolean {
  return /#broken\(|return true|refus/.test(node.getText());
}

/** A single statement is weakened already. */
function onlyFinds(node: ts.Statement): boolean {
  return ts.isExpressionStatement(node) || (ts.isBlock(node) && node.statements.length === 1);
}

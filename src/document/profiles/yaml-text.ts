import { Document, isMap, isScalar, isSeq, type Node, visit } from 'yaml';
import { canonical } from '../canonical.ts';
import type { Profile } from './profile.ts';

/** Longest map or list on one line, in characters. */
const ONE_LINE = 150;

const HEAD = ` A profile of the legacy service, written by \`legacy-conformance observe\`. It belongs into a repository: it holds no secrets,
 no addresses and no personal data. \`emulate --profile\` does what it says, \`check --like\` holds a target to it, \`compare\` tells what
 has changed. What its answers mean is in spec/open-points.yaml; how they were seen, under \`observed\`.`;

export function profileText(profile: Profile): string {
  const { digest, ...rest } = profile;
  const document = new Document(
    { ...rest, answers: sharing(rest.answers), digest },
    { anchorPrefix: 'like' },
  );
  document.commentBefore = HEAD;
  visit(document, {
    Collection(_, node) {
      if (isShort(node)) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** Shares equal answers, so that the YAML refers to the first one. */
function sharing(answers: Profile['answers']): Profile['answers'] {
  const known = new Map<string, unknown>();
  const shared = Object.entries(answers).map(([aspect, answer]) => {
    const text = canonical(answer);
    if (!known.has(text)) known.set(text, answer);
    return [aspect, known.get(text)];
  });
  return Object.fromEntries(shared);
}

function isShort(node: Node): boolean {
  if (isScalar(node)) return true;
  if (!isMap(node) && !isSeq(node)) return false;
  const values = isMap(node) ? node.items.map(({ value }) => value as Node | null) : (node.items as Node[]);
  if (isMap(node) && values.length > 4 && values.some((value) => !isScalar(value))) return false;
  return values.every((value) => value !== null && isShort(value)) && JSON.stringify(node).length <= ONE_LINE;
}

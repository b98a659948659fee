import { loadCatalogue } from '../../document/load-catalogue.ts';
import { type ClientRequirement, loadClientCatalogue } from '../../document/load-client-requirements.ts';
import type { Requirement } from '../../document/types.ts';
import { DEFECT_FACTS, type DefectFacts } from '../../emulator/defects/index.ts';
import { loadProfile, profileIds } from '../../emulator/policy/load-profile.ts';
import { selectRequirements } from '../shared/selection.ts';

/** A requirement with its defects, and the profiles that it warns about. */
export interface ExplainedRequirement extends Requirement {
  readonly brokenBy: readonly Pick<DefectFacts, 'id' | 'summary' | 'reference'>[];
  readonly seenWith: readonly { readonly profile: string; readonly reason: string }[];
}

/** Explains requirements on services. @throws UsageError for an unknown word */
export async function explain(which: readonly string[]): Promise<readonly ExplainedRequirement[]> {
  const catalogue = loadCatalogue();
  const profiles = await Promise.all(profileIds().map((profile) => loadProfile(profile)));
  return selectRequirements(which, 'explain').ids.map((id) => {
    return {
      ...catalogue.requirement(id),
      brokenBy: DEFECT_FACTS.filter(({ breaks }) => breaks.includes(id)).map(
        ({ id: defect, summary, reference }) => ({ id: defect, summary, reference }),
      ),
      seenWith: profiles.flatMap(({ name, warnings }) =>
        warnings
          .filter(({ requirement }) => requirement === id)
          .map(({ reason }) => ({ profile: name, reason })),
      ),
    };
  });
}

export function explainText(requirements: readonly ExplainedRequirement[]): string {
  return requirements.map(block).join('\n');
}

function block(requirement: ExplainedRequirement): string {
  const { statement, why, how, needs, brokenBy, seenWith } = requirement;
  return explanationBlock(requirement, [
    ['demands', statement],
    ['why', why],
    ['checked', how],
    ...(needs.length === 0 ? [] : [['needs', needs.join(', ')] as const]),
    ...brokenBy.map(({ id, summary }) => ['broken by', `${id}: ${summary}`] as const),
    ...seenWith.map(({ profile, reason }) => ['seen with', `${profile}: ${reason}`] as const),
  ]);
}

/** Explains requirements on services and on clients, services first. */
export async function explainAll(words: readonly string[]) {
  const [profile] = words.length === 1 && profileIds().includes(words[0] ?? '') ? words : [];
  if (profile !== undefined) return explainProfile(profile);
  const known = loadClientCatalogue().requirements;
  const ofClients = words.map((word) => known.filter(({ id }) => id === word || id.split('.')[0] === word));
  const clients = ofClients.flat();
  const others = words.filter((_, index) => ofClients[index]?.length === 0);
  const services = others.length === 0 ? [] : await explain(others);
  return {
    json: [...services, ...clients.map((requirement) => ({ ...requirement, subject: 'client' }))],
    text: [explainText(services), explainClientText(clients)].filter(Boolean).join('\n'),
  };
}

async function explainProfile(id: string) {
  const { name, title, summary, warnings } = await loadProfile(id);
  const lines = [
    ['is', `a profile of the emulator: ${summary}`],
    ['use', `emulate --profile ${name}, or check --profile ${name}`],
    ...warnings.map(({ requirement, reason }) => ['warns', `${requirement}: ${reason}`] as const),
  ] as const;
  const text = [`${name}  (${title})`, ...lines.flatMap(([label, line]) => item(label, line)), ''].join('\n');
  return { json: { name, title, summary, warnings }, text };
}

function explainClientText(requirements: readonly ClientRequirement[]): string {
  return requirements
    .map((requirement) =>
      explanationBlock(requirement, [
        ['demands', `of a client: ${requirement.statement}`],
        ['why', requirement.suffers],
        ...requirement.fix.map((line) => ['fix', line] as const),
        ['shown by', requirement.situations.join(', ')],
        ['in tests', requirement.inTests ?? 'only with `client --app`'],
      ]),
    )
    .join('\n');
}

const WIDTH = 96;

function explanationBlock(
  { id, level, clauses, rfc }: Pick<Requirement | ClientRequirement, 'id' | 'level' | 'clauses' | 'rfc'>,
  items: readonly (readonly [name: string, text: string])[],
): string {
  const from = rfc === undefined ? '' : `, ${rfc}`;
  return [
    `${id}  (${level}, clause${clauses.length === 1 ? '' : 's'} ${clauses.join(', ')}${from})`,
    ...items.flatMap(([name, text]) => item(name, text)),
    '',
  ].join('\n');
}

function item(name: string, text: string): readonly string[] {
  const lines = text.match(new RegExp(`.{1,${WIDTH}}(?=\\s|$)`, 'g')) ?? [];
  return lines.map((line, index) => `  ${(index === 0 ? name : '').padEnd(10)}${line.trim()}`);
}

/** Lists each clause with its requirements, and with the open points and notes that its sentences lead to. */
export function listClauses() {
  const clauses = listedClauses();
  const requirements = clauses.reduce((sum, clause) => sum + clause.requirements.length, 0);
  const rows = clauses.reduce((sum, clause) => sum + clause.rows, 0);
  const total = `${clauses.length} clauses, ${rows} sentences and rows read, ${requirements} requirements`;
  return { text: `${[...clauses.flatMap(clauseLines), total].join('\n')}\n`, json: { clauses } };
}

function listedClauses() {
  const { clauses, openPoints } = loadCatalogue();
  return clauses.map(({ clause, title, requirements, notes, reading }) => {
    const landed = new Set(reading.flatMap(({ lands }) => lands));
    return {
      clause,
      title,
      requirements: requirements.map(({ id, level, needs }) => ({ id, level, needs })),
      openPoints: openPoints.map(({ id }) => id).filter((id) => landed.has(id)),
      notes: notes.map(({ id }) => id),
      rows: reading.length,
    };
  });
}

function clauseLines(listed: ReturnType<typeof listedClauses>[number]): readonly string[] {
  const { clause, title, requirements, openPoints, notes, rows } = listed;
  const width = Math.max(0, ...requirements.map(({ id }) => id.length));
  return [
    `${clause.padEnd(4)}${title} (${rows} read)`,
    ...requirements.map(({ id, level, needs }) => {
      const need = needs.length === 0 ? '' : `  needs ${needs.join(', ')}`;
      return `    ${id.padEnd(width)}  ${level.padEnd(10)}${need}`.trimEnd();
    }),
    ...listLine('open', openPoints),
    ...listLine('notes', notes),
    '',
  ];
}

function listLine(label: string, ids: readonly string[]): readonly string[] {
  return ids.length === 0 ? [] : [`    ${label.padEnd(6)}${ids.join(', ')}`];
}

/** Lists the emulator's defects by clause, with the requirements that each breaks. */
export function listDefects() {
  const byClause = loadCatalogue().clauses.flatMap(({ clause, title }) => {
    const defects = DEFECT_FACTS.filter((defect) => defect.clause === clause);
    return defects.length === 0 ? [] : [`${clause} ${title}`, ...defects.flatMap(defectLines), ''];
  });
  const subtle = DEFECT_FACTS.filter(({ severity }) => severity === 'subtle').length;
  const total = `${DEFECT_FACTS.length} defects, ${subtle} of them subtle; switch them on with \`check --defect <ids>\` or \`emulate --defect <ids>\``;
  return { text: `${[...byClause, total].join('\n')}\n`, json: DEFECT_FACTS };
}

function defectLines({ id, severity, summary, reference, breaks }: DefectFacts): readonly string[] {
  const seen = reference === undefined ? '' : ` (${reference})`;
  return [`  ${id}  ${severity}`, `    ${summary}${seen}`, `    breaks ${breaks.join(', ')}`];
}

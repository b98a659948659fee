import type { SituationId } from '../../generated/ids.ts';
import { SITUATION_IDS } from '../../src/client-checks/situations/situations.ts';
import { type ExplainedRequirement, explain } from '../../src/commands/explain/verb.ts';
import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import { type ClientRequirement, loadClientCatalogue } from '../../src/document/load-client-requirements.ts';
import { code, type Page } from './page.ts';

/** A page for every clause that has requirements. */
export async function requirementPages(): Promise<readonly Page[]> {
  const all = await explain([]);
  return loadCatalogue().clauses.flatMap(({ clause, slug, title }) => {
    const requirements = all.filter((one) => one.clause === clause);
    if (requirements.length === 0) return [];
    return [
      {
        file: `requirements-${slug}.md`,
        title: `Clause ${clause}: ${title}`,
        when: `You need this page when a requirement of clause ${clause} failed, or when you want to know what it demands; \`npx legacy-conformance explain ${clause}\` prints the same`,
        body: requirements.map(entry).join('\n\n'),
      },
    ];
  });
}

function entry(requirement: ExplainedRequirement): string {
  const { id, level, clauses, rfc, statement, why, how, needs, brokenBy, seenWith } = requirement;
  const from = [
    `clause${clauses.length === 1 ? '' : 's'} ${clauses.map(clauseLink).join(', ')}`,
    ...(rfc === undefined ? [] : [rfc]),
  ];
  return [
    `### ${id}`,
    `*${level}, ${from.join(', ')}.* ${statement}`,
    `- Why: ${why}`,
    `- Checked: ${how}`,
    ...(needs.length === 0 ? [] : [`- Needs: ${needs.map(code).join(', ')}`]),
    ...(brokenBy.length === 0 ? [] : [`- Broken by: ${brokenBy.map((one) => code(one.id)).join(', ')}`]),
    ...(seenWith.length === 0
      ? []
      : [
          `- Seen with: ${seenWith.map(({ profile, reason }) => `${code(profile)} (${lower(reason)})`).join(', ')}`,
        ]),
  ].join('\n');
}

/** A numbered item, such as 5.2, is a part of its clause's section. */
function clauseLink(clause: string): string {
  const { clauses } = loadCatalogue();
  const section = clauses.some((one) => one.clause === clause) ? clause : clause.split('.')[0];
  return `[${clause}](document.md#clause-${section?.replaceAll('.', '')})`;
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}

/** A page for every clause with demands on clients, and one that maps situations to requirements. */
export function clientRequirementPages(): readonly Page[] {
  const { clauses } = loadClientCatalogue();
  return [
    ...clauses.map(({ clause, title, requirements }) => ({
      file: `client-${slug(`${clause} ${title}`)}.md`,
      title: `Clients, clause ${clause}: ${title}`,
      when: `You need this page when a run of \`client\` found something under clause ${clause}; \`npx legacy-conformance explain ${requirements[0]?.id}\` prints one entry`,
      body: requirements.map(clientEntry).join('\n\n'),
    })),
    situationsPage(),
  ];
}

function situationsPage(): Page {
  const { requirements } = loadClientCatalogue();
  const shown = (situation: SituationId) =>
    requirements.filter(({ situations }) => situations.includes(situation)).map(({ id }) => code(id));
  const rows = SITUATION_IDS.toSorted().map(
    (situation) => `| ${code(situation)} | ${shown(situation).join(', ') || 'that the client goes on'} |`,
  );
  return {
    file: 'client-situations.md',
    title: 'Situations of clients',
    when: 'You need this page when you want to know what `client --app` brings about; `--only SITUATION` chooses',
    body: [
      'Each has a fresh state of the application. Beside what is named here, the requests of every situation show what their form alone shows.',
      ['| situation | shows |', '|---|---|', ...rows].join('\n'),
    ].join('\n\n'),
  };
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function clientEntry(requirement: ClientRequirement): string {
  const { id, level, clauses, rfc, statement, suffers, whenAccepted, fix, situations, inTests } = requirement;
  const from = [
    `clause${clauses.length === 1 ? '' : 's'} ${clauses.map(clauseLink).join(', ')}`,
    ...(rfc === undefined ? [] : [rfc]),
  ];
  const head = [`### ${id}`, `*${level}, ${from.join(', ')}.* ${statement}`];
  if (level === 'observed') return head.join('\n');
  return [
    ...head,
    `- What a user suffers: ${suffers}`,
    ...(whenAccepted === undefined ? [] : [`- If the service accepts it: ${whenAccepted}`]),
    `- Fix: ${fix.join(' ')}`,
    `- Shown by: ${situations.map(code).join(', ')}`,
    `- In tests of your own: ${inTests ?? 'only with `client --app`'}`,
  ].join('\n');
}

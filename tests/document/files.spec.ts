import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { validateClientRequirements } from '../../generated/development-validators.js';
import { loadYaml, SpecFileError } from '../../src/document/load-yaml.ts';
import { readCatalogue } from '../support/catalogue/read-catalogue.ts';

const spec = fileURLToPath(new URL('../../spec/', import.meta.url));

/** One way to break a file: the first `from` becomes `to`; the refusal must point at the line that holds `at`. */
interface Breakage {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly at: string;
  readonly key: string;
  readonly expected: RegExp;
}

const versioning = 'requirements/9-versioning.yaml';
const points = 'open-points.yaml';

const breakages: readonly Breakage[] = [
  {
    name: 'an ability nobody knows',
    file: versioning,
    from: 'needs: []',
    to: 'needs: [clocks]',
    at: 'needs: [clocks]',
    key: 'requirements[0].needs[0]',
    expected: /one of "clock"/,
  },
  {
    name: 'a key that is missing',
    file: versioning,
    from: '    level: documented\n',
    to: '',
    at: '- id: version.prefix',
    key: 'requirements[0].level',
    expected: /to be there/,
  },
  {
    name: 'a key that nobody knows',
    file: versioning,
    from: 'needs: []',
    to: 'needs: []\n    severity: high',
    at: 'severity: high',
    key: 'requirements[0].severity',
    expected: /one of the keys id, statement, why, how, level/,
  },
  {
    name: 'a value of another type',
    file: versioning,
    from: 'clause: "9"',
    to: 'clause: 9',
    at: 'clause: 9',
    key: 'clause',
    expected: /string/,
  },
  {
    name: 'a statement that is empty',
    file: versioning,
    from: 'statement: The service is a legacy one that is to be retired early in 2027.',
    to: 'statement: ""',
    at: 'statement: ""',
    key: 'notes[0].statement',
    expected: /not empty/,
  },
  {
    name: 'a standard requirement that cites no RFC',
    file: versioning,
    from: 'level: documented\n    basis: stated',
    to: 'level: standard\n    basis: rfc',
    at: '- id: version.prefix',
    key: 'requirements[0].rfc',
    expected: /to be there/,
  },
  {
    name: 'a documented requirement that cites an RFC',
    file: versioning,
    from: 'needs: []',
    to: 'needs: []\n    rfc: RFC 9110 section 9.2.1',
    at: 'rfc: RFC 9110',
    key: 'requirements[0].rfc',
    expected: /not to be here/,
  },
  {
    name: 'a strictness requirement that claims to be stated',
    file: versioning,
    from: 'level: documented',
    to: 'level: strictness',
    at: 'basis: stated',
    key: 'requirements[0].basis',
    expected: /"inferred"/,
  },
  {
    name: 'a key twice',
    file: versioning,
    from: 'needs: []',
    to: 'needs: []\n    needs: [clock]',
    at: 'needs: [clock]',
    key: '(whole file)',
    expected: /without a key twice/,
  },
  {
    name: 'a file that is no YAML',
    file: versioning,
    from: 'needs: []',
    to: 'needs: [',
    at: 'monitored: false',
    key: '(whole file)',
    expected: /well-formed YAML/,
  },
  {
    name: 'an id of another file',
    file: versioning,
    from: 'id: version.prefix',
    to: 'id: lifetime.refreshed-full',
    at: 'id: lifetime.refreshed-full',
    key: 'requirements[0].id',
    expected: /no other entry has/,
  },
  {
    name: 'a requirement listed under another clause',
    file: versioning,
    from: 'clauses: ["9", "1", "4.4"]',
    to: 'clauses: ["1", "9", "4.4"]',
    at: 'clauses: ["1", "9", "4.4"]',
    key: 'requirements[0].clauses[0]',
    expected: /9, the clause of the file/,
  },
  {
    name: 'a clause that the document does not have',
    file: versioning,
    from: 'clauses: ["9", "1", "4.4"]',
    to: 'clauses: ["9", "10"]',
    at: 'clauses: ["9", "10"]',
    key: 'requirements[0].clauses[1]',
    expected: /a clause that has a file/,
  },
  {
    name: 'a clause that is not that of the file name',
    file: versioning,
    from: 'clause: "9"',
    to: 'clause: "10"',
    at: 'clause: "10"',
    key: 'clause',
    expected: /the file name begins with/,
  },
  {
    name: 'a note of the wrong kind',
    file: versioning,
    from: 'kind: notice',
    to: 'kind: client-duty',
    at: 'kind: client-duty',
    key: 'notes[0].kind',
    expected: /notice/,
  },
  {
    name: 'a sentence that leads to an unknown id',
    file: versioning,
    from: 'lands: [notice.frozen]',
    to: 'lands: [notice.melted]',
    at: 'lands: [notice.melted]',
    key: 'reading[2].lands[0]',
    expected: /the id of a requirement/,
  },
  {
    name: 'a note that no sentence leads to',
    file: versioning,
    from: 'lands: [notice.frozen]',
    to: 'lands: [notice.retirement]',
    at: 'id: notice.frozen',
    key: 'notes[1].id',
    expected: /a row under `reading`/,
  },
  {
    name: 'a gap in the numbers of the open points',
    file: points,
    from: 'number: 2\n',
    to: 'number: 22\n',
    at: 'number: 22',
    key: 'openPoints[1].number',
    expected: /^2$/,
  },
  {
    name: 'an aspect twice',
    file: points,
    from: 'name: query-access-token',
    to: 'name: bearer-header',
    at: 'Is `access_token` in the query accepted?',
    key: 'openPoints[0].aspects[2].name',
    expected: /no other aspect/,
  },
  {
    name: 'a risk nobody knows',
    file: points,
    from: 'risk: none',
    to: 'risk: some',
    at: 'risk: some',
    key: 'openPoints[2].risk',
    expected: /one of "none", "refusals"/,
  },
];

for (const breakage of breakages) {
  test(`refused with file, line and key: ${breakage.name}`, () => {
    const folder = test.info().outputPath('spec');
    cpSync(spec, folder, { recursive: true });
    const path = join(folder, breakage.file);
    const intact = readFileSync(path, 'utf8');
    const broken = intact.replace(breakage.from, breakage.to);
    expect(broken, 'the breakage must change the file').not.toBe(intact);
    writeFileSync(path, broken);

    const [said = '', ...more] = refusalOf(folder).message.split('\n');
    const { groups } =
      /^(?<file>.*?):(?<line>\d+): (?<key>.*?): expected (?<expected>.*), got/.exec(said) ?? {};
    expect(groups).toMatchObject({ file: path, key: breakage.key });
    expect(groups?.expected).toMatch(breakage.expected);
    expect(broken.split('\n')[Number(groups?.line) - 1]).toContain(breakage.at);
    expect(more, 'no line that only says that a branch failed').toEqual([]);
  });
}

test('every problem of a file is told at once, each with its line', () => {
  const folder = test.info().outputPath('spec');
  cpSync(spec, folder, { recursive: true });
  const path = join(folder, versioning);
  const text = readFileSync(path, 'utf8')
    .replace('needs: []', 'needs: [clocks]')
    .replace('kind: notice', 'kind: rumour');
  writeFileSync(path, text);
  const { message } = refusalOf(folder);
  expect(message).toContain('requirements[0].needs[0]: expected one of');
  expect(message).toContain('notes[0].kind: expected one of "client-duty", "notice", got "rumour"');
});

test('a file that is missing is named', () => {
  const folder = test.info().outputPath('spec');
  cpSync(spec, folder, { recursive: true });
  rmSync(join(folder, points));
  expect(refusalOf(folder).message).toContain(
    `${join(folder, points)}: expected a file that can be read, got no such file`,
  );
});

test('the requirements on clients fit their schema, have ids of their own, and name the clause of their file first', () => {
  const folder = join(spec, 'client-requirements');
  const files = readdirSync(folder).map((name) => loadYaml(join(folder, name), validateClientRequirements));
  const all = files.flatMap(({ clause, requirements }) => requirements.map((one) => ({ clause, ...one })));
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const { clause, clauses } of all) expect(clauses[0]).toBe(clause);
});

function refusalOf(folder: string): SpecFileError {
  try {
    readCatalogue(folder);
  } catch (error) {
    if (error instanceof SpecFileError) return error;
    throw error;
  }
  throw new Error('expected the catalogue to be refused, but it was loaded');
}

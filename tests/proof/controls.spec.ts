import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { validateProfile } from '../../generated/validators.js';
import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import { loadProfile } from '../../src/emulator/policy/load-profile.ts';
import { type Control, controlProblems, runControl } from '../support/controls/control.ts';
import { FACTORS } from '../support/controls/factors.ts';
import { formControls } from '../support/controls/form-controls.ts';
import { harmlessControls } from '../support/controls/harmless-controls.ts';
import { pairwise } from '../support/controls/pairwise.ts';
import { profileControls } from '../support/controls/profile-controls.ts';
import { untriedAnswers } from '../support/controls/untried-answers.ts';
import { firstInTest } from '../support/prove.ts';

/** Services that keep the document's word in every form that it leaves open: no check may hold a form against them. */

const PROFILES = profileControls();
const BASE = await loadProfile('by-the-rfc');
const FORMS = formControls(BASE);
const HARMLESS = harmlessControls(BASE);

test('a pairwise set holds every pair of values, and the same sizes give the same set', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(sizes, (given) => {
      const rows = pairwise(given);
      const inRange = rows.every((row) => row.every((value, factor) => value < (given[factor] ?? 0)));
      const together = given.flatMap((size, factor) =>
        given.map((otherSize, other) => {
          const pairs = new Set(rows.map((row) => `${row[factor]} ${row[other]}`)).size;
          return pairs === (factor === other ? size : size * otherSize);
        }),
      );
      return inRange && together.every(Boolean) && JSON.stringify(pairwise(given)) === JSON.stringify(rows);
    }),
  );
});

/** Answers that no profile makes the emulator give; `observe` says so. */
const NOT_EXPRESSED = [
  'token-presentation.precedence: refused',
  'operation-answers.assign.request-body: refused',
  'operation-answers.assign.repeated: refused',
  'operation-answers.unassign.request-body: refused',
  'list-shape.format: other',
  'list-shape.container: null',
  'list-shape.container-pointer: null',
  'list-shape.user-id-pointer: null',
  'list-shape.user-id-type: null',
  'list-shape.order: other',
  'refresh-fate.parallel: some',
  'consent-memory.asked-for-wider: false',
  'scope-requests.wider-on-refresh: granted',
];
test('the profiles are what the schema says, and try every answer that it permits and the emulator can give', () => {
  const path = new URL('../../generated/profile.schema.json', import.meta.url);
  const { properties } = JSON.parse(readFileSync(path, 'utf8'));
  const profiles = PROFILES.map(({ profile }) => profile);
  for (const profile of profiles) {
    expect([profile.name, validateProfile(profile), validateProfile.errors]).toEqual([
      profile.name,
      true,
      null,
    ]);
  }
  const answers = profiles.map((profile) => profile.answers);
  const untried = untriedAnswers(properties.answers.properties, answers);
  expect([...untried].sort()).toEqual([...NOT_EXPRESSED].sort());
});

test('no answer declares that it breaks what is documented', () => {
  const catalogue = loadCatalogue();
  const declared = new Set([
    ...FACTORS.flatMap((values) => values.flatMap(({ warns }) => warns)),
    ...[...FORMS, ...HARMLESS].flatMap(({ warns }) => warns),
  ]);
  expect([...declared].filter((id) => catalogue.requirement(id).level === 'documented')).toEqual([]);
});

for (const [control, details] of [...firstInTest(PROFILES, 5), ...firstInTest([...FORMS, ...HARMLESS], 15)]) {
  test(`nothing is held against ${nameOf(control)}`, details, async () => {
    expect(controlProblems(control, await runControl(control))).toEqual([]);
  });
}

function nameOf({ name, warns }: Control): string {
  return warns.length === 0 ? name : `${name}, which declares ${warns.length} warnings`;
}

import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { validateProfile } from '../../generated/validators.js';
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts';
import { loadProfile } from '../../src/emulator/load-profile.ts';
import { type Control, controlProblems, runControl } from '../support/controls/control.ts';
import { FACTORS } from '../support/controls/factors.ts';
import { formControls } from '../support/controls/form-controls.ts';
import { harmlessControls } from '../support/controls/harmless-controls.ts';
import { pairwise } from '../support/controls/pairwise.ts';
import { profileControls } from '../support/controls/profile-controls.ts';
import { type AnswerSchema, untriedAnswers } from '../support/controls/untried-answers.ts';
import { dailySample } from '../support/daily-sample.ts';

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

test('the profiles are what the schema says, and try every answer that it permits', () => {
  const path = new URL('../../spec/profile.schema.json', import.meta.url);
  const { $defs } = JSON.parse(readFileSync(path, 'utf8')) as { $defs: Record<string, AnswerSchema> };
  const profiles = PROFILES.map(({ profile }) => profile);
  for (const profile of profiles) {
    expect([profile.name, validateProfile(profile), validateProfile.errors]).toEqual([
      profile.name,
      true,
      null,
    ]);
  }
  const untried = untriedAnswers(
    { $ref: '#/$defs/answers' },
    $defs,
    profiles.map(({ answers }) => answers),
  );
  // Only profiles that were recorded before it was asked lack it.
  expect(untried).toEqual(['client-authentication.basicEncoding: left out']);
});

test('no answer declares that it breaks what is documented', () => {
  const catalogue = loadCatalogue();
  const declared = new Set([
    ...FACTORS.flatMap(({ values }) => values.flatMap(({ warns }) => warns)),
    ...[...FORMS, ...HARMLESS].flatMap(({ warns }) => warns),
  ]);
  expect([...declared].filter((id) => catalogue.requirement(id).level === 'documented')).toEqual([]);
});

/** Controls of one run of the tests, other ones every day; the pairwise profiles are the slower ones. */
const TODAY = [...dailySample(PROFILES, 14), ...dailySample([...FORMS, ...HARMLESS], 40)];

for (const control of TODAY) {
  test(`nothing is held against ${nameOf(control)}`, async () => {
    expect(controlProblems(control, await runControl(control))).toEqual([]);
  });
}

function nameOf({ name, warns }: Control): string {
  return warns.length === 0 ? name : `${name}, which declares ${warns.length} warnings`;
}

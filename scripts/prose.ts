/**
 * `node scripts/prose.ts [FILE…]` checks the English of the documentation: sentence length, passive voice, wordings that have a
 * plainer one. Prints a line for each problem; exits 1 where there is one.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lintProse } from './prose/lint.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** The pages that a user or a contributor reads. `docs/reference/` holds the strings of the command line and the catalogue. */
function pages(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  return listed.filter((file) => file !== '' && !file.startsWith('tests/'));
}

const rulesOf = (file: string) => (file.startsWith('docs/reference/') ? 'terse' : 'all');

const named = process.argv.slice(2);
let problems = 0;
for (const file of named.length > 0 ? named : pages()) {
  for (const { line, message } of await lintProse(readFileSync(join(ROOT, file), 'utf8'), rulesOf(file))) {
    console.log(`${file}:${line}: ${message}`);
    problems += 1;
  }
}
if (problems > 0) {
  console.log(
    `${problems} problems. CONTRIBUTING.md says how texts read; <!-- prose: the reason --> excuses a paragraph.`,
  );
  process.exitCode = 1;
}

/**
 * `node scripts/prose.ts [FILE…]` checks the English of the documentation: sentence length, passive voice, wordings that have a
 * plainer one. Of source files it checks the beginnings of comments, and of `src` the
 * strings that are prose. Prints a line for each problem; exits 1 if there is one.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lintComments } from './prose/comments.ts';
import { lintProse, type Problem } from './prose/lint.ts';
import { lintStrings } from './prose/strings.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** The pages that a user or a contributor reads. `docs/reference/` holds the strings of the command line and the catalogue. */
function pages(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  return listed.filter((file) => file !== '' && !file.startsWith('tests/'));
}

/** Source files, whose comments a contributor reads. */
function sources(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', 'src', 'scripts', 'tests', 'examples'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return listed.split('\n').filter((file) => /\.[jt]s$/.test(file));
}

const rulesOf = (file: string) => (file.startsWith('docs/reference/') ? 'terse' : 'all');

async function problemsIn(file: string): Promise<readonly Problem[]> {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (file.endsWith('.md')) return await lintProse(text, rulesOf(file));
  // Only strings of `src` reach a user.
  return [...lintComments(text), ...(file.startsWith('src/') ? lintStrings(text) : [])];
}

const named = process.argv.slice(2);
let problems = 0;
for (const file of named.length > 0 ? named : [...pages(), ...sources()]) {
  for (const { line, message } of await problemsIn(file)) {
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

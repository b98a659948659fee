#!/usr/bin/env -S node --max-semi-space-size=8 --
// Plain JavaScript without any import that needs a new Node: it must still run, and explain, on an old one.
// `--max-semi-space-size` in the first line, in MB: without it a run on a large project takes 150 MB more, and no less time.
// `--` in the first line: Node would take `--env-file` for an option of its own, and end with 9 where there is no such file.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
const newEnough = major > 22 || (major === 22 && minor >= 18);

// They make the test runner, the browser's protocol and Node print whatever passes: passwords, codes and tokens.
const TALKATIVE = ['DEBUG', 'DEBUG_FILE', 'NODE_DEBUG', 'PWDEBUG'].filter((name) => process.env[name]);
const nodeTalks = TALKATIVE.includes('NODE_DEBUG');
for (const name of TALKATIVE) delete process.env[name];
if (TALKATIVE.length > 0) {
  console.error(
    `${TALKATIVE.join(', ')}: not passed on, because what they print would hold passwords and tokens; the report has the evidence, redacted`,
  );
}

if (!newEnough) {
  // The checkout brings a Node of its own as a development dependency; the package has no scripts beside this one.
  const isCheckout = existsSync(fileURLToPath(new URL('test.ts', import.meta.url)));
  const own = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
  if (existsSync(own)) startAgain(own);
  else {
    console.error(
      `legacy-conformance needs Node 22.18 or newer; this is ${process.versions.node}: install a newer Node, or one for this project: ${isCheckout ? '`npm ci`' : '`npm install --save-dev node@24`'}`,
    );
    process.exitCode = 2;
  }
} else if (nodeTalks) {
  // Node has read it already: only another process goes without.
  startAgain(process.execPath);
} else {
  // Later starts take half the time. Not imported by name: an old Node has no such export, and must get to its explanation.
  nodeModule.enableCompileCache();
  // JavaScript in the package, TypeScript in the checkout.
  const main = new URL('../src/cli/main.js', import.meta.url);
  // Not waited for: Node would warn of a process that ends while it waits, and the command says that better.
  import(existsSync(main) ? main.href : main.href.replace(/js$/, 'ts'));
}

/** Does the same in another process, which gets the signals and whose exit code counts. */
function startAgain(node) {
  const child = spawn(node, ['--', fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    // The channel closes when this process is killed, and the other then ends too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(name, () => {
      // A terminal interrupts both, and told twice a run ends without cleaning up.
      if (name !== 'SIGINT' || !process.stdin.isTTY) child.kill(name);
    });
  }
  child.once('close', (code) => {
    process.exitCode = code ?? 4;
  });
}

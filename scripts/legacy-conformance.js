#!/usr/bin/env -S node --max-semi-space-size=8 --
// Plain JavaScript without imports that need a new Node: it must run, and explain, on an old one. `--max-semi-space-size` in
// the first line, in MB: without it a run on a large project takes 150 MB more, and no less time. `--` in the first line:
// otherwise Node takes arguments that are also its own options, such as `--env-file`.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
const newEnough = major > 22 || (major === 22 && minor >= 18);

// They make the test runner, the browser's protocol and Node print passwords, codes and tokens.
const TALKATIVE = ['DEBUG', 'DEBUG_FILE', 'NODE_DEBUG', 'PWDEBUG'].filter((name) => process.env[name]);
const nodeTalks = TALKATIVE.includes('NODE_DEBUG');
for (const name of TALKATIVE) delete process.env[name];
if (TALKATIVE.length > 0) {
  console.error(
    `${TALKATIVE.join(', ')}: not passed on, because what they print would hold passwords and tokens; the report has the evidence, redacted`,
  );
}

if (!newEnough) {
  // The checkout has its own Node as a development dependency; the package has only this script.
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
  // Node has read it already, so only another process can ignore it.
  startAgain(process.execPath);
} else {
  // Later starts take half the time. Not imported by name: an old Node has no such export, and must get to its explanation.
  nodeModule.enableCompileCache();
  // JavaScript in the package, TypeScript in the checkout.
  const main = new URL('../src/cli/main.js', import.meta.url);
  // Not awaited: Node would warn if the process ends meanwhile, and the command has a better message.
  void import(existsSync(main) ? main.href : main.href.replace(/js$/, 'ts'));
}

/** Starts the same command in another process, passes signals to it, and ends with its exit code. */
function startAgain(node) {
  const child = spawn(node, ['--', fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    // The channel closes when this process is killed, and the other then ends too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(name, () => {
      // A terminal interrupts both, and a second signal ends a run without clean-up.
      if (name !== 'SIGINT' || !process.stdin.isTTY) child.kill(name);
    });
  }
  child.once('close', (code) => {
    process.exitCode = code ?? 4;
  });
}

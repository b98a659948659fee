#!/usr/bin/env node
// Plain JavaScript without any import that needs a new Node: it must still run, and explain, on an old one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
const newEnough = major > 22 || (major === 22 && minor >= 18);

if (newEnough) {
  // Later starts take half the time. Not imported by name: an old Node has no such export, and must get to its explanation.
  nodeModule.enableCompileCache();
  await import('./commands/main.ts');
} else {
  // The checkout brings a Node of its own as a development dependency.
  const own = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
  if (existsSync(own)) {
    const run = spawnSync(own, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
      stdio: 'inherit',
    });
    process.exitCode = run.status ?? 4;
  } else {
    console.error(
      `legacy-conformance needs Node 22.18 or newer; this is ${process.versions.node}. Install a newer Node, or run \`npm ci\` in the checkout, which brings one.`,
    );
    process.exitCode = 2;
  }
}

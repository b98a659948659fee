import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Group, groupText, isMet, median } from './figures.ts';
import { coldGroup } from './groups/cold.ts';
import { crowdGroup } from './groups/crowd.ts';
import { exploreGroup } from './groups/explore.ts';
import { requestsGroup } from './groups/requests.ts';
import { scaleGroup } from './groups/scale.ts';
import { secretsGroup } from './groups/secrets.ts';
import { startGroup } from './groups/start.ts';

/**
 * `npm run bench`: how fast the emulator is beside a bare server and two peers, and the check beside ten sign-ins.
 * `npm run bench -- cold requests` runs only those; `--json FILE` writes the figures too. Exits 1 when a target is
 * missed, 2 on wrong usage. No part of `npm test`: it needs a machine that does nothing else.
 */

const GROUPS: Readonly<Record<string, () => Promise<Group>>> = {
  cold: coldGroup,
  crowd: crowdGroup,
  explore: exploreGroup,
  requests: requestsGroup,
  scale: scaleGroup,
  secrets: secretsGroup,
  start: startGroup,
};

process.exitCode = await bench();

async function bench(): Promise<number> {
  const asked = readArguments();
  if (typeof asked === 'string') {
    console.error(asked);
    return 2;
  }
  console.log(`Node ${process.versions.node}, ${availableParallelism()} processors`);
  const groups: Group[] = [];
  for (const name of asked.groups) {
    const group = await GROUPS[name]?.();
    if (group === undefined) continue;
    groups.push(group);
    console.log(groupText(group));
  }
  const targets = groups.flatMap((group) => group.targets);
  const missed = targets.filter((target) => !isMet(target));
  if (asked.json !== undefined)
    writeFileSync(asked.json, `${JSON.stringify(forPrograms(groups), null, 2)}\n`);
  console.log(`${targets.length - missed.length} of ${targets.length} targets met`);
  for (const { name } of missed) console.log(`MISSED ${name}`);
  return missed.length === 0 ? 0 : 1;
}

function readArguments(): { readonly groups: readonly string[]; readonly json?: string } | string {
  try {
    const { values, positionals } = parseArgs({
      options: { json: { type: 'string' } },
      allowPositionals: true,
    });
    const unknown = positionals.find((name) => !(name in GROUPS));
    if (unknown !== undefined) {
      return `bench: expected groups among ${Object.keys(GROUPS).join(', ')}, got ${JSON.stringify(unknown)}`;
    }
    const groups = positionals.length > 0 ? positionals : Object.keys(GROUPS);
    return values.json === undefined ? { groups } : { groups, json: values.json };
  } catch (error) {
    return `bench: ${(error as Error).message}`;
  }
}

function forPrograms(groups: readonly Group[]) {
  return {
    node: process.versions.node,
    processors: availableParallelism(),
    groups: groups.map(({ measurements, targets, ...group }) => ({
      ...group,
      measurements: measurements.map((m) => ({ ...m, median: median(m.rounds) })),
      targets: targets.map((t) => ({ ...t, median: median(t.rounds), met: isMet(t) })),
    })),
  };
}

import type { Quirk, Server, Setting } from '../server.ts';
import { startServer } from '../start.ts';
import { type Facts, WireApi } from './api.ts';
import { factsOf } from './facts.ts';
import { RESOURCES } from './resource-facts.ts';

/** Starts a server in a setting and returns its facts. @param log file for what the host prints */
export async function observe(
  server: Server,
  name: string,
  { environment }: Setting,
  log: string,
  quirk?: Quirk,
): Promise<Facts> {
  const running = await startServer(server, { VARIANT: name, ...RESOURCES, ...environment }, log);
  try {
    return await factsOf(new WireApi(server, running, quirk));
  } finally {
    await running.stop();
  }
}

/** The facts of a setting that differ from those of `conforming`, as `server.yaml` writes them. */
export function differences(conforming: Facts, facts: Facts): Record<string, string | null> {
  const names = new Set([...Object.keys(conforming), ...Object.keys(facts)]);
  return Object.fromEntries(
    [...names].filter((name) => conforming[name] !== facts[name]).map((name) => [name, facts[name] ?? null]),
  );
}

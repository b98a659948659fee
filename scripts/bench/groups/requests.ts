import { type Group, type Measurement, ratioTarget } from '../figures.ts';
import { CONNECTIONS, Loaded, LoadGenerator, refreshing } from '../load.ts';
import { type Candidate, type ServerProcess, startServer } from '../server-process.ts';

const ROUNDS = 5;

/** Enough for the compiler to be done with it. */
const WARM_UP = 5_000;

/** Requests a round. Signing with RSA costs the same each time, and no target hangs on it: fewer do. */
const REQUESTS: Readonly<Record<Candidate, number>> = {
  bare: 20_000,
  emulator: 20_000,
  'oidc-provider': 20_000,
  'oauth2-mock-server': 2_000,
};

/** A candidate, its load and what each round cost. */
interface Contestant {
  readonly name: string;
  readonly requests: number;
  readonly load: Loaded;
  readonly rounds: number[];
}

/** CPU time of a refresh and of a list: the emulator, the bare server and the two peers in turns. */
export async function requestsGroup(): Promise<Group> {
  const generator = new LoadGenerator();
  const servers = new Map<Candidate, ServerProcess>();
  try {
    const contestants: Contestant[] = [];
    for (const candidate of ['bare', 'emulator', 'oidc-provider', 'oauth2-mock-server'] as const) {
      const server = await startServer(candidate);
      servers.set(candidate, server);
      contestants.push(...(await contestantsOf(candidate, server, generator)));
    }
    for (const { load, requests } of contestants) await load.round(Math.min(requests, WARM_UP));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { load, requests, rounds } of contestants) rounds.push(await load.round(requests));
    }
    return report(contestants);
  } finally {
    await generator.stop();
    for (const server of servers.values()) await server.stop();
  }
}

async function contestantsOf(
  candidate: Candidate,
  server: ServerProcess,
  generator: LoadGenerator,
): Promise<readonly Contestant[]> {
  const requests = REQUESTS[candidate];
  const load = refreshing(generator, server, await server.tokens(CONNECTIONS));
  const refresh: Contestant = { name: `refresh, ${candidate}`, requests, load, rounds: [] };
  const { listUrl: url } = server;
  // Peers list no assigned users.
  if (url === undefined || candidate === 'oauth2-mock-server') return [refresh];
  const tokens = await server.tokens(CONNECTIONS);
  const reading = new Loaded(generator, server, { kind: 'read', url, items: 2 }, tokens);
  return [refresh, { name: `list, ${candidate}`, requests, load: reading, rounds: [] }];
}

function report(contestants: readonly Contestant[]): Group {
  const of = (name: string) => contestants.find((contestant) => contestant.name === name)?.rounds ?? [];
  return {
    name: 'requests',
    title: `Requests: CPU time of the server process for each, ${CONNECTIONS} connections, ${ROUNDS} rounds`,
    measurements: contestants.map(
      ({ name, rounds, requests }): Measurement => ({
        name,
        unit: 'µs',
        rounds,
        note: `${requests} requests a round, all answered 2xx`,
      }),
    ),
    targets: [
      ratioTarget('at-most', 3, 'refresh: emulator / bare', of('refresh, emulator'), of('refresh, bare')),
      ratioTarget(
        'at-least',
        8,
        'refresh: oidc-provider / emulator',
        of('refresh, oidc-provider'),
        of('refresh, emulator'),
      ),
      ratioTarget('at-most', 2, 'list: emulator / bare', of('list, emulator'), of('list, bare')),
    ],
  };
}

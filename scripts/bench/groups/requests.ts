import { type Group, type Measurement, ratioTarget } from '../figures.ts';
import { CONNECTIONS, Load, LoadGenerator, refreshes } from '../load.ts';
import { type Candidate, type ServerProcess, startServer } from '../server-process.ts';

const ROUNDS = 5;

/** Enough requests for the compiler to optimise. */
const WARM_UP = 5_000;

const REQUESTS = 20_000;

/** Requests a round if each costs more than the one before: in favour of that server. */
const FEWER_REQUESTS = 5_000;

/** Requests a round with RSA signatures: each costs the same, and no target depends on them. */
const SIGNED_REQUESTS = 2_000;

interface Contestant {
  readonly name: string;
  readonly requests: number;
  readonly note: string;
  readonly load: Load;
  readonly rounds: number[];
}

/** CPU time of a refresh and of a list: the emulator, the bare server and the two peers in turns. */
export async function requestsGroup(): Promise<Group> {
  const generator = new LoadGenerator();
  const servers: ServerProcess[] = [];
  const start = async (candidate: Candidate, args: readonly string[] = []) => {
    const server = await startServer(candidate, args);
    servers.push(server);
    return server;
  };
  const refresh = (name: string, server: ServerProcess, note = '', requests = REQUESTS): Contestant => {
    return { name: `refresh, ${name}`, requests, note, load: refreshes(generator, server), rounds: [] };
  };
  const list = (name: string, server: ServerProcess): Contestant => {
    const load = new Load(generator, server, { kind: 'read', url: server.listUrl ?? '', items: 2 });
    return { name: `list, ${name}`, requests: REQUESTS, note: 'two users', load, rounds: [] };
  };
  try {
    const bare = await start('bare');
    const emulator = await start('emulator');
    const contestants = [
      refresh('bare', bare),
      refresh('emulator', emulator),
      refresh(
        'oidc-provider',
        await start('oidc-provider'),
        'its own storage, which goes through all tokens of the grant',
        FEWER_REQUESTS,
      ),
      refresh('oidc-provider, map', await start('oidc-provider', ['map']), 'storage replaced by a map'),
      refresh(
        'oauth2-mock-server',
        await start('oauth2-mock-server'),
        'checks nothing, signs two JWTs',
        SIGNED_REQUESTS,
      ),
      list('bare', bare),
      list('emulator', emulator),
    ];
    for (const { load, requests } of contestants) await load.round(Math.min(requests, WARM_UP));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { load, requests, rounds } of contestants) rounds.push(await load.round(requests));
    }
    return report(contestants);
  } finally {
    await generator.stop();
    for (const server of servers) await server.stop();
  }
}

function report(contestants: readonly Contestant[]): Group {
  const of = (name: string) => contestants.find((contestant) => contestant.name === name)?.rounds ?? [];
  return {
    name: 'requests',
    title: `Requests: CPU time of the server for each, ${CONNECTIONS} connections, ${ROUNDS} rounds, all answered 2xx`,
    measurements: contestants.map(
      ({ name, rounds, requests, note }): Measurement => ({
        name,
        unit: 'µs',
        rounds,
        note: [`${requests} a round`, note].filter((text) => text !== '').join('; '),
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

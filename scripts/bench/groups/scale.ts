import { type Group, type Measurement, ratioTarget, type Target } from '../figures.ts';
import { CONNECTIONS, Load, LoadGenerator, refreshes } from '../load.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { CROWDS, SPARE_USERS } from '../servers/crowded-seed.ts';

const ROUNDS = 5;
const MILLION = 1_000_000;
const REFRESHES = 20_000;
const ASSIGNMENTS = 20_000;

/** Lists of growing length, in as many requests as keep a round short. */
const LISTS = [
  { users: 100, project: CROWDS.hundred, requests: 10_000 },
  { users: 1_000, project: CROWDS.thousand, requests: 2_000 },
  { users: 10_000, project: CROWDS.tenThousand, requests: 300 },
] as const;

type Part = Pick<Group, 'measurements' | 'targets'>;

/** Cost against size: lists, assignments among many, refreshes among a million live tokens. */
export async function scaleGroup(): Promise<Group> {
  await compileOnce();
  const generator = new LoadGenerator();
  const crowded = await startServer('emulator', ['crowded']);
  const small = await startServer('emulator');
  const full = await startServer('emulator');
  try {
    const parts = [
      await lists(generator, crowded),
      await assignments(generator, crowded),
      await tokens(generator, small, full),
    ];
    return {
      name: 'scale',
      title: `Scale: CPU time of the emulator, ${CONNECTIONS} connections, ${ROUNDS} rounds`,
      measurements: parts.flatMap(({ measurements }) => measurements),
      targets: parts.flatMap(({ targets }) => targets),
    };
  } finally {
    await generator.stop();
    for (const server of [crowded, small, full]) await server.stop();
  }
}

/** Fills the compile cache: a process that strips TypeScript's types keeps 34 MB for it, and an installed package never does. */
async function compileOnce(): Promise<void> {
  const server = await startServer('emulator');
  await server.tokens(1);
  await server.stop();
}

async function lists(generator: LoadGenerator, crowded: ServerProcess): Promise<Part> {
  const loads = LISTS.map(({ users, project, requests }) => {
    const url = listUrl(crowded, project);
    const load = new Load(generator, crowded, { kind: 'read', url, items: users });
    return { users, requests, load, perUser: [] as number[] };
  });
  for (const { load, requests } of loads) await load.round(requests);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { load, requests, users, perUser } of loads)
      perUser.push((await load.round(requests)) / users);
  }
  const [hundred, thousand, tenThousand] = loads.map(({ perUser }) => perUser);
  return {
    measurements: loads.map(
      ({ users, perUser, requests }): Measurement => ({
        name: `list of ${users}, for each user`,
        unit: 'µs',
        rounds: perUser,
        note: `${requests} requests a round`,
      }),
    ),
    targets: [
      ratioTarget('at-most', 1.5, 'for each user: 10,000 / 100', tenThousand ?? [], hundred ?? []),
      ratioTarget('at-most', 1.5, 'for each user: 10,000 / 1,000', tenThousand ?? [], thousand ?? []),
    ],
  };
}

async function assignments(generator: LoadGenerator, crowded: ServerProcess): Promise<Part> {
  const loadAt = (project: string) =>
    new Load(generator, crowded, { kind: 'assign', url: listUrl(crowded, project), users: SPARE_USERS });
  const [alone, among] = await inTurns(loadAt(CROWDS.none), loadAt(CROWDS.tenThousand), ASSIGNMENTS);
  const note = `${ASSIGNMENTS} requests a round, PUT and DELETE in turns`;
  return {
    measurements: [
      { name: 'assign, unassign among 0', unit: 'µs', rounds: alone, note },
      { name: 'assign, unassign among 10,000', unit: 'µs', rounds: among, note },
    ],
    targets: [ratioTarget('at-most', 1.3, 'assign, unassign: among 10,000 / 0', among, alone)],
  };
}

async function tokens(generator: LoadGenerator, small: ServerProcess, full: ServerProcess): Promise<Part> {
  const many = refreshes(generator, full);
  // All pairs stay alive: by the default profile, only the use of a new access token retires an old pair.
  await many.round(MILLION);
  const held = await full.held();
  if (held < MILLION) throw new Error(`Expected ${MILLION} live token pairs, got ${held}.`);
  // Measured before the rounds, whose refreshes add a hundred thousand pairs and double the maps.
  const filled = await full.usage();
  const [few, amongMany] = await inTurns(refreshes(generator, small), many, REFRESHES);
  const after = await full.usage();
  const note = `${REFRESHES} requests a round`;
  const memory = (name: string, bytes: number): Measurement => ({ name, unit: 'MB', rounds: [bytes / 1e6] });
  const fits: Target = {
    name: 'memory with a million live token pairs',
    kind: 'at-most',
    limit: 500,
    unit: 'MB',
    rounds: [filled.rssBytes / 1e6],
  };
  return {
    measurements: [
      { name: 'refresh among few', unit: 'µs', rounds: few, note },
      { name: 'refresh among a million live token pairs', unit: 'µs', rounds: amongMany, note },
      memory('resident memory with a million', filled.rssBytes),
      memory('resident memory after the rounds', after.rssBytes),
    ],
    targets: [ratioTarget('at-most', 1.3, 'refresh: among a million / few', amongMany, few), fits],
  };
}

/** Loads two servers in turns, after a round of each that does not count. */
async function inTurns(a: Load, b: Load, requests: number): Promise<readonly [number[], number[]]> {
  const results: [number[], number[]] = [[], []];
  await a.round(requests);
  await b.round(requests);
  for (let round = 0; round < ROUNDS; round += 1) {
    results[0].push(await a.round(requests));
    results[1].push(await b.round(requests));
  }
  return results;
}

function listUrl(server: ServerProcess, project: string): string {
  return new URL(`/v2/projects/${project}/assigned_users`, server.listUrl).href;
}

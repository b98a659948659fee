import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deployedVersion, environmentsOf } from '../../src/contracts/broker/environments.ts';
import { pactsOfVersion } from '../../src/contracts/broker/for-verification.ts';
import type { Broker } from '../../src/contracts/broker/hal-client.ts';
import { linkIn } from '../../src/contracts/broker/resource.ts';
import type { LiveEmulator } from '../../tests/support/emulator-live.ts';
import { matrixLines, type Published } from './matrix.ts';
import {
  GIVEN_WITH_TOKEN,
  GIVEN_WITHOUT_TOKEN,
  OTHER_PROJECT,
  REFUSED_WITHOUT_TOKEN,
  writePact,
} from './pacts.ts';
import { type HandedOver, receiveWebhook } from './webhook.ts';

const COMMAND = fileURLToPath(new URL('../legacy-conformance.js', import.meta.url));

/** The defect with which the service breaks what the shop relies on. */
const DEFECT = 'list-token-optional';

/** Milliseconds that a broker may take to send a webhook. */
const WEBHOOK_MS = 60_000;

/** How a walk is set up. */
export interface WalkOptions {
  /** Ends the names of everything that it makes. */
  readonly name: string;
  /** What the commands inherit. */
  readonly env: NodeJS.ProcessEnv;
  /** Temporary folder. */
  readonly folder: string;
  /** Folder with the results of two checks, of whatever target; undefined: they are made. */
  readonly results: string | undefined;
  /** The service. */
  readonly service: LiveEmulator;
}

/** Plays both sides of a broker: two consumers and the service, in two environments. */
export class Walker {
  readonly #broker: Broker;
  readonly #env: NodeJS.ProcessEnv;
  readonly #folder: string;
  readonly #results: string | undefined;
  readonly #service: LiveEmulator;
  readonly #published: Published[] = [];
  readonly #common: string;
  readonly #environments: readonly string[];
  readonly #pacticipants: readonly string[];
  readonly #shop: string;
  readonly #billing: string;
  readonly #resources: string;
  readonly #staging: string;
  readonly #production: string;
  readonly #providers: readonly string[];

  constructor(broker: Broker, options: WalkOptions) {
    this.#broker = broker;
    this.#env = { ...options.env, ...options.service.env };
    this.#service = options.service;
    this.#folder = options.folder;
    this.#results = options.results;
    const named = (what: string) => `legacy-conformance-walk-${options.name}-${what}`;
    this.#common = named('');
    [this.#shop, this.#billing, this.#resources] = [named('shop'), named('billing'), named('resources')];
    [this.#staging, this.#production] = [named('staging'), named('production')];
    const auth = named('auth');
    this.#pacticipants = [this.#shop, this.#billing, auth, this.#resources];
    this.#environments = [this.#staging, this.#production];
    this.#providers = ['--auth-provider', auth, '--api-provider', this.#resources];
  }

  /** A name of the walk that the broker has already. */
  async taken(): Promise<string | undefined> {
    const environments = (await environmentsOf(this.#broker)).map(({ name }) => name);
    const found = this.#environments.find((name) => environments.includes(name));
    if (found !== undefined) return found;
    for (const pacticipant of this.#pacticipants) {
      if ((await this.#broker.find(await this.#broker.link('pb:pacticipant', { pacticipant }))) !== undefined)
        return pacticipant;
    }
    return undefined;
  }

  async run(): Promise<void> {
    await this.#bootstrap();
    await this.#firstConsumer();
    await this.#pendingAndFixed();
    await this.#webhook();
    await this.#broken();
  }

  async #bootstrap(): Promise<void> {
    await this.#step('Two environments', 0, ['create-environment', '--name', this.#staging]);
    await this.#step('… the second for production', 0, [
      'create-environment',
      '--name',
      this.#production,
      '--production',
    ]);
    for (const name of [this.#shop, this.#billing])
      await this.#step('A consumer, and its main branch', 0, [
        'create-or-update-pacticipant',
        ...['--name', name, '--main-branch', 'trunk'],
      ]);
    for (const name of this.#providers.filter((one) => !one.startsWith('--')))
      await this.#step('Each provider', 0, ['create-or-update-pacticipant', '--name', name]);
    for (const environment of this.#environments)
      await this.#step(
        'Bootstrap: the job of the service, before any consumer has a pact',
        0,
        this.#job(environment),
      );
  }

  async #firstConsumer(): Promise<void> {
    await this.#publish(this.#shop, '1', 'trunk', [REFUSED_WITHOUT_TOKEN]);
    await this.#mayDeploy('Not verified yet: unknown', 3, this.#shop, '1', this.#staging);
    await this.#step("The shop's pipeline verifies its version", 0, this.#ownPact(this.#shop, '1'));
    await this.#mayDeploy('Now it may be deployed', 0, this.#shop, '1', this.#staging);
    // The service does the same in both environments, so it is the same version in both.
    await this.#mayDeploy(
      '… to production too: what runs there does the same',
      0,
      this.#shop,
      '1',
      this.#production,
    );
    for (const environment of this.#environments)
      await this.#step('It was deployed', 0, [
        'record-deployment',
        ...['-a', this.#shop, '-e', '1', '--environment', environment],
      ]);
  }

  async #pendingAndFixed(): Promise<void> {
    await this.#publish(this.#billing, '1', 'trunk', [GIVEN_WITHOUT_TOKEN]);
    await this.#step(
      'Pending: a pact that was never kept fails no job of the service',
      0,
      this.#job(this.#staging),
    );
    await this.#mayDeploy('… but its consumer may not be deployed', 1, this.#billing, '1', this.#staging);
    await this.#publish(this.#billing, '2', 'fix', [GIVEN_WITH_TOKEN]);
    await this.#step('Fix: it is judged by its own pact', 0, this.#ownPact(this.#billing, '2'));
    await this.#mayDeploy('… and may be deployed', 0, this.#billing, '2', this.#staging);
  }

  async #webhook(): Promise<void> {
    const receiver = await receiveWebhook(this.#broker, this.#resources);
    if (typeof receiver === 'string') console.log(`\n# No webhook: ${receiver}`);
    await this.#publish(this.#billing, '3', 'more', [GIVEN_WITH_TOKEN, OTHER_PROJECT]);
    const called = typeof receiver === 'string' ? undefined : await receiver.called(WEBHOOK_MS);
    if (typeof receiver !== 'string') await receiver.close();
    const handed = called ?? (await this.#asAWebhookWould());
    await this.#step(
      called === undefined
        ? 'What a webhook would have handed over is verified'
        : 'The webhook starts a job with the pact',
      0,
      [
        ...['verify', ...this.#target, '--pact', handed.pactUrl, '--publish', '--deployed-in', this.#staging],
        ...['--provider-app-version', handed.providerVersionNumber],
        ...['--consumer-app-version', handed.consumerVersionNumber],
        ...['--consumer-branch', handed.consumerVersionBranch, ...this.#providers],
      ],
    );
    await this.#mayDeploy('… so the consumer need not verify', 0, this.#billing, '3', this.#staging);
  }

  async #broken(): Promise<void> {
    this.#service.emulator.control.defects.switch([DEFECT]);
    await this.#step(
      'Break: the service changes in staging, and its job says so',
      1,
      this.#job(this.#staging, 'broken'),
    );
    await this.#mayDeploy('The shop relies on it', 1, this.#shop, '1', this.#staging);
    await this.#mayDeploy('… of billing nothing is known yet', 3, this.#billing, '2', this.#staging);
    await this.#step(
      '… until its pipeline verifies again, by what runs there now',
      0,
      this.#ownPact(this.#billing, '2'),
    );
    await this.#mayDeploy('Billing does not rely on it', 0, this.#billing, '2', this.#staging);
    await this.#mayDeploy('… and production is as before', 0, this.#shop, '1', this.#production);
  }

  /** Removes everything that the walk has made. */
  async remove(): Promise<void> {
    const made = (await environmentsOf(this.#broker)).filter(({ name }) =>
      this.#environments.includes(String(name)),
    );
    const addresses = made.map((one) => linkIn(one, 'self') ?? '');
    for (const pacticipant of this.#pacticipants) {
      const address = await this.#broker.link('pb:pacticipant', { pacticipant });
      if ((await this.#broker.find(address)) !== undefined) addresses.push(address);
    }
    for (const address of addresses)
      await this.#broker.send(address, { method: 'DELETE', repeatable: true, done: () => true });
    console.log(`\nRemoved: ${addresses.length} resources of the walk.`);
  }

  async #asAWebhookWould(): Promise<HandedOver> {
    const [pact] = await pactsOfVersion(this.#broker, this.#billing, '3');
    return {
      pactUrl: pact?.source ?? '',
      consumerVersionNumber: '3',
      consumerVersionBranch: 'more',
      providerVersionNumber: await deployedVersion(this.#broker, this.#resources, this.#staging),
    };
  }

  /** The job of the service. */
  #job(environment: string, behaviour: 'conforms' | 'broken' = 'conforms'): readonly string[] {
    return [
      ...['provider', ...this.#target, '--environment', environment],
      ...['--report', join(this.#folder, 'report')],
      ...['--include-wip-pacts-since', '2020-01-01', ...this.#providers, ...this.#resultsOf(behaviour)],
    ];
  }

  get #target(): readonly string[] {
    return ['--target', this.#service.file];
  }

  #resultsOf(behaviour: 'conforms' | 'broken'): readonly string[] {
    if (this.#results === undefined) return [];
    const made = JSON.parse(readFileSync(join(this.#results, `${behaviour}.json`), 'utf8'));
    const { authUrl, baseUrl } = this.#service.emulator;
    const file = join(this.#folder, `${behaviour}.json`);
    const target = { kind: 'live', name: 'emulated staging', authUrl, baseUrl };
    writeFileSync(file, JSON.stringify({ ...made, target }));
    return ['--results', file];
  }

  /** What a consumer's pipeline verifies. */
  #ownPact(consumer: string, version: string): readonly string[] {
    const own = ['--consumer', consumer, '--consumer-app-version', version];
    return [
      ...['verify', ...this.#target, '--broker', ...own],
      ...['--publish', '--deployed-in', this.#staging, ...this.#providers],
    ];
  }

  async #publish(
    consumer: string,
    version: string,
    branch: string,
    interactions: readonly unknown[],
  ): Promise<void> {
    const pact = writePact(
      join(this.#folder, `${consumer}-${version}`),
      consumer,
      this.#resources,
      interactions,
    );
    const args = ['publish', pact, '--consumer-app-version', version, '--branch', branch];
    this.#published.push({ consumer, version });
    await this.#step(`${consumer} publishes version ${version} from branch ${branch}`, 0, args);
  }

  #mayDeploy(
    what: string,
    exit: number,
    consumer: string,
    version: string,
    environment: string,
  ): Promise<void> {
    return this.#step(what, exit, [
      'can-i-deploy',
      '-a',
      consumer,
      '--version',
      version,
      '--to-environment',
      environment,
    ]);
  }

  async #step(what: string, exit: number, args: readonly string[]): Promise<void> {
    console.log(`\n# ${what}\n$ legacy-conformance contracts ${args.join(' ')}`);
    const code = await this.#command(args);
    if (code !== exit) throw new Error(`expected exit ${exit}, got ${code}`);
    const lines = await matrixLines(this.#broker, this.#published, this.#environments, this.#common);
    if (this.#published.length > 0) console.log(`exit ${code}\n${lines.join('\n')}`);
  }

  #command(args: readonly string[]): Promise<number | null> {
    const child = spawn(process.execPath, [COMMAND, 'contracts', ...args], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: this.#env,
    });
    return new Promise((resolve) => child.once('close', resolve));
  }
}

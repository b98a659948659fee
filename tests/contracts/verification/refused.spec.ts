import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { findPacts, type Pact, readPact } from '../../../src/contracts/pact/read-pact.ts';
import { emulatorTarget } from '../../../src/service/emulator.ts';
import type { Target } from '../../../src/service/target.ts';
import { pactOf, verifyOn } from '../../support/contracts/verifying.ts';

/** Problems of a pact are reported before anything is sent. */

let target: Target;
let sent = 0;
test.beforeAll(async () => {
  const emulator = await emulatorTarget({ profile: 'doorkeeper-5', defects: [], sockets: true });
  const transport: Target['transport'] = (request) => {
    sent += 1;
    return emulator.transport(request);
  };
  target = { ...emulator, transport };
});
test.afterAll(() => target.close());

/** The message that pacts are refused with. */
async function refusal(pacts: readonly Pact[], on: Partial<Target> = {}): Promise<string> {
  sent = 0;
  const error = await verifyOn({ ...target, ...on }, pacts).catch((caught: unknown) => caught);
  expect(sent).toBe(0);
  return error instanceof Error ? error.message : 'nothing was refused';
}

const withStates = (...providerStates: readonly unknown[]) => pactOf({ providerStates });
const put = (path: string, expression?: string) =>
  pactOf({
    providerStates: [{ name: 'a user is assigned to a project' }],
    request: {
      method: 'PUT',
      path,
      ...(expression && { generators: { path: { type: 'ProviderState', expression } } }),
    },
  });

test('an unknown state: its name, and those that are known', async () => {
  const message = await refusal([withStates({ name: 'a user exists' })]);
  expect(message).toContain('made.json: "an interaction": the provider state "a user exists" is not known');
  expect(message.split('\n')).toHaveLength(1);
});

test('an unknown parameter, and one with a wrong value', async () => {
  const message = await refusal([
    withStates({ name: 'a code was granted', params: { scopes: 'read' } }),
    withStates({ name: 'a code was granted', params: { scope: 'admin' } }),
  ]);
  expect(message).toContain('has no parameter "scopes"; it has scope');
  expect(message).toContain('expected scope to be one or more of read, write, destroy');
});

test('a value that none of its states injects would go out as the example', async () => {
  const request = {
    method: 'GET',
    path: '/v2/projects/1/assigned_users',
    headers: { Authorization: 'Bearer x' },
    generators: { header: { Authorization: { type: 'ProviderState', expression: `Bearer \${token}` } } },
  };
  const message = await refusal([pactOf({ providerStates: [{ name: 'a project exists' }], request })]);
  expect(message).toContain('it takes `token` from a provider state, but its states give project_id');
});

test('neither provider nor path says which address is meant', async () => {
  const message = await refusal([pactOf({ request: { method: 'GET', path: '/projects' } }, 'the API')]);
  expect(message).toContain('name the provider legacy-authorization-server or legacy-resource-api');
});

test('on a live target nobody else is ever assigned or unassigned, and nothing undocumented is changed', async () => {
  const live = { isLive: true } as const;
  const own = `/v2/projects/${target.projects[0]}/assigned_users/${target.users[0]}`;
  const foreign = `/v2/projects/${target.projects[0]}/assigned_users/4711`;
  expect(await refusal([put(foreign)], live)).toContain(
    "the assignment of a user who is not the suite's own",
  );
  expect(await refusal([put('/v2/projects/1')], live)).toContain('none of the documented requests');
  // The same goes where only the project is injected.
  const half = `/v2/projects/\${project_id}/assigned_users/4711`;
  expect(await refusal([put(foreign, half)], live)).toContain(
    "the assignment of a user who is not the suite's own",
  );
  const { others } = await verifyOn({ ...target, ...live }, [put(own)]);
  expect(Object.values(others)[0]).toContain('the status');
});

test.describe('files', () => {
  test('a path where there is none, and a folder without pacts', async () => {
    expect(() => findPacts(['nowhere.json'])).toThrow('nowhere.json: there is no such file or folder');
    expect(() => findPacts([test.info().outputPath('.')])).toThrow('holds no *.json, so no pact');
  });

  test('what is no pact, and a pact that holds nothing', async () => {
    writeFileSync(test.info().outputPath('a.json'), '{"hello":"world"}');
    expect(() => findPacts([test.info().outputPath('.')])).toThrow('a.json: expected a pact');
    expect(() => readPact('<html>', 'b.json')).toThrow('b.json: expected a pact, which is JSON');
    const empty = '{"consumer":{"name":"a"},"provider":{"name":"b"},"interactions":[]}';
    expect(readPact(empty, 'c.json').interactions).toMatchObject([
      { description: 'the pact as a whole', problem: expect.stringContaining('holds no interaction') },
    ]);
  });

  test('messages are nothing that the service speaks', () => {
    const problem = expect.stringContaining('the service has HTTP alone');
    expect(pactOf({ type: 'Asynchronous/Messages' }).interactions).toMatchObject([{ problem }]);
  });
});

test('a matcher that only a plugin knows, wherever it stands, and a plugin: what Pact’s core would end on', async () => {
  const rules = (body: unknown) => ({ status: 200, body: [{ id: 1 }], matchingRules: { body } });
  const matcher = (one: unknown) => ({ combine: 'AND', matchers: [one] });
  const inVariant = {
    match: 'arrayContains',
    variants: [{ index: 0, rules: { $: matcher({ match: 'odd' }) } }],
  };
  const inKeys = { match: 'eachKey', value: { match: 'an example' }, rules: [{ match: 'stranger' }] };
  const message = await refusal([
    pactOf({ response: rules({ $: matcher(inVariant), '$[0]': matcher(inKeys) }) }),
    pactOf({ request: { method: 'GET', path: '/v2/x', matchingRules: { '$.path': { match: 'second' } } } }),
  ]);
  expect([...message.matchAll(/knows no matcher "(\w+)"/g)].map(([, name]) => name)).toEqual([
    'odd',
    'stranger',
    'second',
  ]);
  const { document } = pactOf({});
  const plugins = { ...document, metadata: { plugins: [{ name: 'csv', version: '1' }] } };
  expect(await refusal([readPact(JSON.stringify(plugins), 'made.json')])).toContain('the Pact plugin "csv"');
});

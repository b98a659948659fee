import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { variablesOf } from '../../src/commands/emulate/ready.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import { blocksOf } from '../support/documentation/blocks.ts';
import { textOf } from '../support/documentation/pages.ts';
import { startWire, type WireClient } from '../support/own-tests/wire.ts';

/** The recipes of docs/without-node.md: planted faults are found without Node, a sound client passes. */

const run = promisify(execFile);

function block(language: string, word: string): string {
  const found = blocksOf(textOf('docs/without-node.md')).find(
    (one) => one.language === language && one.text.includes(word),
  );
  if (found === undefined) throw new Error(`no block in ${language} has ${word}`);
  return found.text;
}

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** A client in Python, with one fault or none. */
const CLIENT = `
import json, os, secrets, sys, threading, urllib.error, urllib.parse, urllib.request
from legacy import control, require_sound_client
fault = sys.argv[1]
env = os.environ
AUTH = env["LEGACY_AUTH_URL"]
class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args): return None
def sign_in():
    state = "constant-state" if fault == "state" else secrets.token_urlsafe(32)
    query = urllib.parse.urlencode({"client_id": env["LEGACY_CLIENT_ID"], "redirect_uri": env["LEGACY_REDIRECT_URI"],
        "response_type": "code", "scope": "read write destroy", "state": state})
    try:
        urllib.request.build_opener(Stay()).open(AUTH + "/oauth/authorize?" + query)
    except urllib.error.HTTPError as redirect:
        return urllib.parse.parse_qs(urllib.parse.urlparse(redirect.headers["Location"]).query)["code"][0]
def token(form=True, **fields):
    fields.update(client_id=env["LEGACY_CLIENT_ID"], client_secret=env["LEGACY_CLIENT_SECRET"])
    data = urllib.parse.urlencode(fields) if form else json.dumps(fields)
    kind = "application/x-www-form-urlencoded" if form else "application/json"
    request = urllib.request.Request(AUTH + "/oauth/token", data.encode(), {"Content-Type": kind})
    try:
        return json.load(urllib.request.urlopen(request))
    except urllib.error.HTTPError:
        return None
def exchange():
    return token(grant_type="authorization_code", code=sign_in(), redirect_uri=env["LEGACY_REDIRECT_URI"])
def refresh(pair, form=True):
    return token(form, grant_type="refresh_token", refresh_token=pair["refresh_token"])
control("DELETE", "/client-report")
control("PUT", "/mark", {"mark": "test_" + fault})
pair = exchange()
if fault == "state": exchange()
if fault == "json": refresh(pair, form=False)
if fault == "race":
    control("POST", "/holds", {"route": "token", "until": 2, "limitMs": 2000})
    workers = [threading.Thread(target=refresh, args=[pair]) for _ in range(2)]
    for worker in workers: worker.start()
    for worker in workers: worker.join()
pair = refresh(pair) or exchange()
address = env["LEGACY_BASE_URL"] + "/v2/projects/" + env["LEGACY_PROJECT_ID"] + "/assigned_users"
urllib.request.urlopen(urllib.request.Request(address, headers={"Authorization": "Bearer " + pair["access_token"]}))
control("PUT", "/mark", {"mark": None})
require_sound_client()
`;

test.describe('without Node', () => {
  let wire: WireClient;
  let env: Record<string, string>;

  test.beforeAll(async () => {
    wire = await startWire();
    env = { ...(process.env as Record<string, string>), ...wire.variables };
  });

  test.beforeEach(async () => {
    await wire.control('POST', '/reset');
  });

  test.afterAll(async () => {
    wire.command.stop('SIGTERM');
    await wire.command.end;
  });

  for (const [fault, found] of [
    ['sound', undefined],
    ['race', 'renewal.one-at-a-time'],
    ['state', 'state.unguessable'],
    ['json', 'token-request.form-post'],
  ] as const)
    test(`Python, ${fault}: ${found ?? 'quiet'}`, async () => {
      test.skip(!hasPython, 'python3 is not installed');
      const folder = test.info().outputPath('project');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'legacy.py'), block('python', 'require_sound_client():'));
      writeFileSync(join(folder, 'client.py'), CLIENT);
      const end = await run('python3', ['client.py', fault], { cwd: folder, env }).catch((error) => error);
      if (found === undefined) expect([end.code, end.stderr]).toEqual([undefined, '']);
      else {
        expect(end.stderr).toContain('AssertionError');
        expect(end.stderr).toContain(found);
        expect(end.stderr).toContain(`test_${fault}`);
      }
    });

  test('a refusal of the control port is raised with its body, and the verdict is the first line of its test', async () => {
    test.skip(!hasPython, 'python3 is not installed');
    const folder = test.info().outputPath('project');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'legacy.py'), block('python', 'require_sound_client():'));
    const raised = async (code: string) => {
      const end = await run('python3', ['-c', `from legacy import *; ${code}`], { cwd: folder, env }).catch(
        (error) => error,
      );
      return String(end.stderr).split('AssertionError: ')[1];
    };
    expect(await raised('control("PUT", "/mark", {"mark": 5})')).toMatch(
      /^PUT \/mark: status 400: .*mark: expected string or null/,
    );
    expect(await raised('require_sound_client()')).toMatch(/^inconclusive.*: exit code 3\nclient /);
  });

  test('the page begins with the compose file; its ids and secrets are those of --seed-default', async () => {
    const compose = textOf('examples/container/compose.yaml');
    expect(blocksOf(textOf('docs/without-node.md'))[0]?.text).toBe(compose.trimEnd());
    const emulator = await startEmulator({
      listen: false,
      stableSeed: true,
      ownCallback: true,
      addresses: { publicUrl: 'http://legacy:8700' },
    });
    const { tests } = parse(compose).services;
    const caller = variablesOf(emulator, undefined).filter(([name]) => !/_URL$|TOKEN/.test(name));
    for (const [name, value] of caller) expect(tests.environment[name], name).toBe(value);
    const job = parse(textOf('examples/container/client.gitlab-ci.yml'))['client-conformance'];
    expect(job.variables).toEqual(tests.environment);
  });

  test('the gate in a shell: its exit code is the verdict, and JUnit is written', async () => {
    const folder = test.info().outputPath('project');
    mkdirSync(folder, { recursive: true });
    const gate = block('sh', 'report()');
    const idle = await run('sh', ['-ec', gate], { cwd: folder, env: { ...env, TESTS: 'true' } }).catch(
      (e) => e,
    );
    // curl's exit code for a status from 400.
    expect([idle.code, idle.stdout]).toEqual([22, expect.stringContaining('no successful refresh')]);
    expect(readFileSync(join(folder, 'client.xml'), 'utf8')).toContain('<testsuites');
  });
});

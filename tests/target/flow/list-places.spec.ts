import { expect, test } from '@playwright/test';
import { loadProfile } from '../../../src/emulator/load-profile.ts';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { emulatorTarget } from '../../../src/target/emulator.ts';
import { connectWithoutBrowser } from '../../../src/target/flow/connect.ts';
import { runSmokeFlow } from '../../../src/target/flow/smoke-flow.ts';
import { listsNaming } from '../../support/controls/form-controls.ts';

test('a list whose records name other people stops the run with the key that says where the ids are', async () => {
  const profile = await loadProfile('by-the-rfc');
  const { users, close } = await emulatorTarget({ profile, defects: [], sockets: false });
  await close();
  const defects = [{ id: 'control', create: listsNaming(users[0]) }];
  const { userIdPointer: _, ...target } = await emulatorTarget({ profile, defects, sockets: false });
  const { stopped } = await runSmokeFlow(connectWithoutBrowser(target, new SecretRegistry()));
  await target.close();
  expect(stopped?.step).toBe('list');
  expect(stopped?.message).toContain('set `list.userId` to the right place');
  expect(stopped?.message).toContain('`list.userId`');
});

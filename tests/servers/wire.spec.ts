/** Each setting of a real server does what its `server.yaml` says: seen on the wire, by nothing of the suite. */
import { expect, test } from '@playwright/test';
import { PROVE } from '../support/prove.ts';
import { loadServers } from '../support/servers/server.ts';
import { missingPackages } from '../support/servers/start.ts';
import { differences, observe } from '../support/servers/wire/observe.ts';

for (const server of loadServers()) {
  test.describe(server.name, PROVE, () => {
    test.beforeEach(() => {
      const missing = missingPackages(server);
      test.skip(missing.length > 0, `needs the Debian packages ${missing.join(' ')}`);
    });

    for (const [name, setting] of Object.entries(server.settings)) {
      const { stopped } = setting;
      const log = () => test.info().outputPath('server.log');

      if (stopped !== undefined)
        test(`${name} refuses the documented flow`, async () => {
          await expect(observe(server, name, setting, log())).rejects.toThrow(new RegExp(stopped.by));
        });

      test(`${name} differs in what it says`, async () => {
        const facts = await observe(server, name, setting, log(), stopped?.quirk);
        const seen = differences(server.wire, facts);
        const any = Object.entries(setting.wire).filter(([, value]) => value === 'any');
        expect({ ...seen, ...Object.fromEntries(any) }).toEqual(setting.wire);
      });
    }
  });
}

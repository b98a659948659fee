/** The settings of the real servers name requirements that exist, and say why. */
import { expect, test } from '@playwright/test';
import { loadCatalogue } from '../../src/document/load-catalogue.ts';
import { AS_SHIPPED, loadAsShipped } from '../support/servers/as-shipped.ts';
import { matches } from '../support/servers/compare.ts';
import { repairsOf } from '../support/servers/repairs.ts';
import { loadServers } from '../support/servers/server.ts';

const REQUIREMENTS = loadCatalogue().clauses.flatMap(({ requirements }) => requirements);

for (const server of loadServers()) {
  for (const [name, { verdict, fail, may, because }] of Object.entries(server.settings)) {
    test(`${server.name}/${name}: what must fail is documented, and what may fail exists`, () => {
      const documented = REQUIREMENTS.filter(({ level }) => level === 'documented').map(({ id }) => `${id}`);
      expect(fail.filter((id) => !documented.includes(id))).toEqual([]);
      expect(may.filter((pattern) => !REQUIREMENTS.some(({ id }) => matches(pattern, id)))).toEqual([]);
      expect(verdict).toBe(fail.length === 0 ? 'conforms' : 'violates');
      if (verdict === 'violates') expect(because).toMatch(/\d/);
    });
  }

  test(`${server.name}: the host shows how to repair each failure of its library`, () => {
    const failed = (loadAsShipped()[server.name] ?? []).filter(({ result }) => result === 'fail');
    const repaired = repairsOf(server).flatMap(({ ids }) => ids);
    expect(failed.map(({ id }) => id).filter((id) => !repaired.includes(id))).toEqual([]);
    expect(Object.keys(server.settings)).toContain(AS_SHIPPED);
  });
}

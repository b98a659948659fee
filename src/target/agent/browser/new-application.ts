import type { Page } from 'playwright-core';
import type { Recorder } from '../../../http/recorder.ts';
import type { AccountAreaPages, Selector } from '../../target.ts';
import { CONTROLS, misledAt, shownCredentials } from '../account-area.ts';
import type { NewApplication, ShownCredentials } from '../user-agent.ts';
import type { Entrance } from './entrance.ts';
import { locate, type } from './fields.ts';
import type { Tab } from './tab.ts';

interface Place {
  readonly url: string;
  readonly area: AccountAreaPages;
}

/** Creates an application in the account area (clauses 1 and 5.2), signing in if asked. */
export async function createApplicationIn(
  tab: Tab,
  entrance: Entrance,
  { url, area }: Place,
  wanted: NewApplication,
  recorder: Recorder,
): Promise<ShownCredentials> {
  const { page } = tab;
  tab.catcher.expect(() => false);
  const kind = await tab.step(recorder, 'open the account area', () => tab.goto(url));
  await entrance.enter(tab, kind, recorder);
  const misled = async (keys: Parameters<typeof keyThatMisleads>[2]) => {
    const key = await tab.look(keyThatMisleads(page, area, keys), 'looked for the form');
    return key && { instead: `the page has no ${JSON.stringify(area[key])}`, misled: key };
  };
  const atFirst = await misled(['open']);
  if (atFirst !== undefined) return atFirst;
  await tab.step(recorder, 'open the form for a new application', () => tab.clickAway(area.open));
  const inForm = await misled(['name', 'redirectUris', 'submit']);
  if (inForm !== undefined) return inForm;
  await tab.step(recorder, 'create the application', async () => {
    await type(locate(page, area.name), wanted.name, tab.deadlineMs);
    await type(locate(page, area.redirectUris), wanted.redirectUri, tab.deadlineMs);
    await tab.clickAway(area.submit);
  });
  const text = async (selector: Selector) => {
    const element = locate(page, selector);
    const read = async () => ((await element.count()) === 0 ? undefined : await element.textContent());
    return (await tab.look(read(), 'read the new application'))?.trim();
  };
  const [id, secret] = [await text(area.clientId), await text(area.clientSecret)];
  const whole = (await tab.look(page.locator('body').innerText(), 'read the new application')) ?? '';
  return shownCredentials(id, secret, whole, wanted);
}

type Key = Exclude<keyof AccountAreaPages, 'path'>;

async function keyThatMisleads(
  page: Page,
  area: AccountAreaPages,
  keys: readonly Key[],
): Promise<Key | undefined> {
  const counts = await Promise.all(keys.map((key) => locate(page, area[key]).count()));
  const hasControls = (await page.locator(CONTROLS).count()) > 0;
  const status = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation');
    return (entry as PerformanceEntry & { responseStatus?: number })?.responseStatus ?? 200;
  });
  return misledAt({ status, hasControls, found: new Set(keys.filter((_, i) => counts[i] !== 0)) }, keys);
}

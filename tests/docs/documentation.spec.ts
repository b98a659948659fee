/** What can be held of the documentation without reading it: links, anchors, lengths, words. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { PAGES, ROOT, textOf } from '../support/documentation/pages.ts';

const ALL = [...PAGES, 'SECURITY.md'];

/** The anchors that a page's headings get: lower case, no punctuation, hyphens for spaces. */
function anchors(page: string): readonly string[] {
  return [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

for (const page of ALL) {
  test(`${page}: every link leads somewhere`, () => {
    const dead = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const file = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(ROOT, file))) return true;
        return anchor !== undefined && !anchors(file).includes(anchor);
      });
    expect(dead).toEqual([]);
  });
}

for (const page of ALL.filter((one) => one.startsWith('docs'))) {
  const most = page.startsWith('docs/reference/') ? 200 : 120;
  test(`${page}: says when you need it, in at most ${most} lines`, () => {
    expect(textOf(page).trimEnd().split('\n').length).toBeLessThanOrEqual(most);
    expect(textOf(page)).toMatch(/^# .+\n\n\S/);
  });
}

for (const [page, most] of [
  ['README.md', 120],
  ['CONTRIBUTING.md', 150],
] as const) {
  test(`${page}: at most ${most} lines`, () => {
    expect(textOf(page).split('\n').length).toBeLessThanOrEqual(most);
  });
}

test('there are templates for issues and pull requests, and what is not released yet stands on top of the changelog', () => {
  for (const file of [
    'ISSUE_TEMPLATE/problem.yml',
    'ISSUE_TEMPLATE/wrong-verdict.yml',
    'PULL_REQUEST_TEMPLATE.md',
  ])
    expect(existsSync(join(ROOT, '.github', file)), file).toBe(true);
  expect(/^## (.+)$/m.exec(textOf('CHANGELOG.md'))?.[1]).toMatch(/^\d+\.\d+\.0 \(unreleased\)$/);
});

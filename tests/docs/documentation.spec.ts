/** Properties of the documentation that need no reader: links, anchors, lengths, words. */
import { existsSync, readdirSync } from 'node:fs';
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

const ROOMS = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => join('src', name));

/** Pages for who changes the suite. They name its files from the root, from `src` or, in a room, from the room. */
const FOR_MAKERS = [
  'CONTRIBUTING.md',
  ...['architecture', 'decisions', 'extending', 'one-check'].map((page) => `docs/development/${page}.md`),
  ...ROOMS.map((room) => join(room, 'README.md')),
];

for (const page of FOR_MAKERS)
  test(`${page}: every file that it names exists`, () => {
    const named = [...textOf(page).matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g)].map(([, name = '']) => name);
    const files = named.filter((name) => /\.(?:ts|js|yaml)$/.test(name) || /^[\w-]+\/$/.test(name));
    const roots = ['', 'src', dirname(page)];
    const missing = files.filter((name) => !roots.some((root) => existsSync(join(ROOT, root, name))));
    expect(missing).toEqual([]);
  });

test('there are eleven rooms at most, and each says in 25 lines what is inside', () => {
  expect(ROOMS.length).toBeLessThanOrEqual(11);
  for (const room of ROOMS)
    expect(textOf(join(room, 'README.md')).trimEnd().split('\n').length, room).toBeLessThanOrEqual(25);
});

test('there are templates for issues and pull requests, and what is not released yet stands on top of the changelog', () => {
  for (const file of [
    'ISSUE_TEMPLATE/problem.yml',
    'ISSUE_TEMPLATE/wrong-verdict.yml',
    'PULL_REQUEST_TEMPLATE.md',
  ])
    expect(existsSync(join(ROOT, '.github', file)), file).toBe(true);
  expect(/^## (.+)$/m.exec(textOf('CHANGELOG.md'))?.[1]).toMatch(/^\d+\.\d+\.0 \(unreleased\)$/);
});

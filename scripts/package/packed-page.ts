import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns a Markdown page whose links to files that are not beside it are plain text; pictures that are not there are left out. */
export function withoutDeadLinks(markdown: string, file: string): string {
  return markdown.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (link, picture, text, target) => {
    const [path] = target.split('#');
    if (path === '' || /^[a-z]+:/.test(target) || existsSync(join(dirname(file), path))) return link;
    return picture === '!' ? '' : text;
  });
}

import type { Fault } from './faults.ts';

/** The service's page, changed; its own policy is gone. `also` are headers of the changed page. */
export function rewritten(
  change: (html: string) => string | undefined,
  also: Readonly<Record<string, string>> = {},
): Fault {
  return async (_req, res, passOn) => {
    const { status, headers, cookies, content } = (await passOn()) as Awaited<ReturnType<typeof passOn>> & {
      readonly cookies: readonly string[];
    };
    const changed = status < 300 ? change(content.toString()) : undefined;
    for (const [name, value] of headers)
      if (changed === undefined || !/^content-(?:security-policy|length)$/i.test(name))
        res.setHeader(name, value);
    if (changed !== undefined) for (const [name, value] of Object.entries(also)) res.setHeader(name, value);
    res.setHeader('Set-Cookie', cookies);
    res.writeHead(status).end(changed ?? content);
    return true;
  };
}

/** The hidden fields of a page's forms. */
export function hiddenIn(html: string): string {
  return (html.match(/<input type="hidden"[^>]*>/g) ?? []).join('');
}

const FIELDS =
  '<label for="email">Email</label><input id="email" name="email"><label for="password">Password</label><input id="password" name="password" type="password">';

/** A sign-in page as somebody else draws it, in place of the emulator's: `around` a form with these hidden fields. */
export function signInPage(around: (form: Form) => string): (html: string) => string | undefined {
  return (html) => {
    if (!html.includes('name="password"')) return undefined;
    const form: Form = (button = '<button>Sign in</button>', attributes = '') =>
      `<form id="f" method="post" action="/sign-in" ${attributes}>${hiddenIn(html)}${FIELDS}${button}</form>`;
    return `<!doctype html><meta charset="utf-8"><title>x</title>${around(form)}`;
  };
}

export type Form = (button?: string, attributes?: string) => string;

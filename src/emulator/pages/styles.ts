import { createHash } from 'node:crypto';

/**
 * Inlined into each page, so that pages need no second request and the content security policy names it by hash. Lines
 * end in LF, because the browser hashes the parsed text.
 */
export const stylesheet = `
:root {
  color-scheme: light dark; --sans: system-ui, sans-serif; --mono: ui-monospace, monospace;
  --paper: light-dark(#f5f3ee, #121716); --card: light-dark(#fffefb, #1a2120); --ink: light-dark(#1c2422, #e7ecea);
  --muted: light-dark(#55605c, #a2aeaa); --line: light-dark(#ddd8cc, #2f3937); --control: light-dark(#7a827e, #7b8784);
  --focus: light-dark(#b4540a, #ffb067); --accent: light-dark(#0d5f56, #7ad3c3); --on-accent: light-dark(#ffffff, #05302a);
  --warn: light-dark(#6a4700, #f5cf7d); --warn-soft: light-dark(#fdf0cf, #2e2611);
  --bad: light-dark(#a3231b, #ffa9a0); --bad-soft: light-dark(#fdebe8, #371b19);
  --good: light-dark(#1d6136, #97dba8); --good-soft: light-dark(#e4f3e6, #17301e);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 var(--sans); overflow-wrap: anywhere; }
h1, h2, h3, p, ul, ol, dl, pre, form, section, .card, .field, .notice { margin: 0 0 1rem; }
h1, h2, h3 { line-height: 1.2; }
h1 { font-size: 1.7rem; }
h2 { font-size: 1.2rem; }
h3 { font-size: 1rem; }
ul, ol { padding-left: 1.25rem; }
dd { margin: 0 0 .75rem; }
dt, .muted { color: var(--muted); }
dt, .small, footer { font-size: .875rem; }
a { color: var(--accent); }
code, pre { font-family: var(--mono); font-size: .875em; }
pre { white-space: pre-wrap; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; }
.skip { position: absolute; top: -5rem; padding: .65rem 1rem; background: var(--accent); color: var(--on-accent); }
.skip:focus { top: 0; }

header, main, footer { width: min(100%, 66rem); margin-inline: auto; padding: 1rem 1.25rem; }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1.25rem; }
header form { display: inline; }
.brand { color: var(--ink); font-weight: 650; text-decoration: none; }
.badge { padding: 0 .5rem; border: 1px solid; border-radius: 99px; background: var(--warn-soft); color: var(--warn); font-size: .75rem; }
main:focus { outline: none; }
.narrow :is(header, main, footer) { width: min(100%, 31rem); }
.medium :is(header, main, footer) { width: min(100%, 44rem); }
footer { color: var(--muted); }
.card { padding: 1.25rem 1.25rem .25rem; border: 1px solid var(--line); border-radius: 9px; background: var(--card); }
.card li { margin-bottom: .75rem; }
.card li li { margin: 0; }
.card li h3 { margin: 0; }
pre.card { padding: 1rem 1.25rem; white-space: pre; overflow-x: auto; }
.grid { display: grid; gap: 0 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); align-items: start; }

.button {
  display: inline-block; padding: .6rem 1.3rem; border: 1px solid var(--accent); border-radius: 9px; background: var(--accent);
  color: var(--on-accent); font: 600 1rem/1.2 var(--sans); text-align: center; text-decoration: none; cursor: pointer;
  margin: 0 .4rem .5rem 0;
}
.button.quiet { border-color: var(--control); background: transparent; color: var(--ink); }
.as-link { padding: 0; border: 0; background: none; color: var(--accent); font: inherit; cursor: pointer; text-decoration: underline; }

.field label { font-weight: 600; }
.field p { margin: 0; font-size: .875rem; }
.hint { color: var(--muted); }
.problem { color: var(--bad); font-weight: 600; }
.field input, .field textarea {
  display: block; width: 100%; margin-top: .45rem; padding: .6rem .8rem; border: 1px solid var(--control); border-radius: 9px;
  background: var(--card); color: var(--ink); font: 1rem/1.45 var(--sans);
}
.field [aria-invalid="true"] { border-color: var(--bad); }

.notice { padding: .85rem 1.1rem; border: 1px solid; border-left-width: 5px; border-radius: 9px; }
.notice a { color: inherit; }
.notice.bad { background: var(--bad-soft); color: var(--bad); }
.notice.warn { background: var(--warn-soft); color: var(--warn); }
.notice.good { background: var(--good-soft); color: var(--good); }
.value { display: block; padding: .6rem .8rem; border: 1px dashed var(--control); border-radius: 9px; user-select: all; }
`;

/**
 * Every page's `Content-Security-Policy`: the one inlined stylesheet, images from `data:` (the icon), nothing else; never in a frame
 * (RFC 6749 section 10.13). No `form-action`: Chromium applies it to the redirects after a form's POST too, which lead to the client.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(stylesheet).digest('base64')}'`,
  'img-src data:',
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

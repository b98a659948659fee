import { createHash } from 'node:crypto';

/**
 * Inlined into each page, so that pages need no second request and the content security policy names it by hash. Lines
 * end in LF, because the browser hashes the parsed text.
 */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --paper: #f5f3ee; --card: #fffefb; --well: #f0ede5; --ink: #1c2422; --muted: #55605c;
  --line: #ddd8cc; --control: #7a827e; --focus: #b4540a;
  --accent: #0d5f56; --accent-strong: #094840; --on-accent: #ffffff; --accent-soft: #e0efeb;
  --warn: #6a4700; --warn-soft: #fdf0cf; --warn-line: #d9a93a;
  --bad: #a3231b; --bad-soft: #fdebe8; --bad-line: #dc8a82;
  --good: #1d6136; --good-soft: #e4f3e6; --good-line: #83b990;
  --radius: 14px; --radius-s: 9px;
  --shadow: 0 1px 2px rgb(40 35 20 / .06), 0 10px 30px -12px rgb(40 35 20 / .16);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #121716; --card: #1a2120; --well: #131918; --ink: #e7ecea; --muted: #a2aeaa;
    --line: #2f3937; --control: #7b8784; --focus: #ffb067;
    --accent: #7ad3c3; --accent-strong: #a2e6d9; --on-accent: #05302a; --accent-soft: #1b3531;
    --warn: #f5cf7d; --warn-soft: #2e2611; --warn-line: #8a6a1f;
    --bad: #ffa9a0; --bad-soft: #371b19; --bad-line: #94473f;
    --good: #97dba8; --good-soft: #17301e; --good-line: #3f7a50;
    --shadow: 0 1px 2px rgb(0 0 0 / .4), 0 14px 34px -14px rgb(0 0 0 / .6);
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100svh; display: flex; flex-direction: column;
  background: var(--paper); color: var(--ink); font: 1rem/1.55 var(--sans); overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, ol, dl, dd, pre, figure, fieldset { margin: 0; padding: 0; }
h1, h2, h3 { line-height: 1.2; letter-spacing: -.012em; font-weight: 650; text-wrap: balance; }
h1 { font-size: clamp(1.55rem, 1.3rem + 1.1vw, 2rem); }
h2 { font-size: 1.2rem; }
h3 { font-size: 1rem; letter-spacing: 0; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: .07em; }
a:hover { color: var(--accent-strong); text-decoration-thickness: .13em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; border-radius: 4px; }
code, pre { font-family: var(--mono); font-size: .875em; }
.muted { color: var(--muted); }
.small { font-size: .875rem; }
.stack > :not([type="hidden"]) ~ * { margin-top: 1rem; }
.stack-l > :not([type="hidden"]) ~ * { margin-top: 1.75rem; }
.stack-s > :not([type="hidden"]) ~ * { margin-top: .4rem; }
.skip {
  position: absolute; left: 1rem; top: -5rem; z-index: 1; padding: .65rem 1rem; border-radius: 0 0 8px 8px;
  background: var(--accent); color: var(--on-accent); font-weight: 600;
}
.skip:focus { top: 0; color: var(--on-accent); }

.top { border-bottom: 1px solid var(--line); background: var(--card); }
.top-in, .foot-in { width: min(100%, 66rem); margin-inline: auto; padding: .7rem 1.25rem; }
.top-in { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .35rem 1.25rem; min-height: 3.75rem; }
.brand { display: inline-flex; align-items: center; gap: .6rem; color: var(--ink); font-weight: 650; text-decoration: none; min-height: 2.75rem; }
.brand:hover { color: var(--ink); }
.brand svg { color: var(--accent); flex: none; }
.badge {
  padding: .08rem .5rem; border: 1px solid var(--warn-line); border-radius: 99px; background: var(--warn-soft);
  color: var(--warn); font-size: .75rem; font-weight: 650; letter-spacing: .03em;
}
.who { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .75rem; font-size: .875rem; color: var(--muted); }
.who strong { color: var(--ink); font-weight: 600; }
main { flex: 1; width: min(100%, 66rem); margin-inline: auto; padding: clamp(1.75rem, 5vw, 3.25rem) 1.25rem 3rem; }
main:focus { outline: none; }
main.narrow { width: min(100%, 31rem); }
main.medium { width: min(100%, 44rem); }
.foot { border-top: 1px solid var(--line); font-size: .875rem; color: var(--muted); }
.foot-in { padding-block: 1.1rem; text-wrap: pretty; }

.card { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); padding: clamp(1.35rem, 5vw, 2rem); }
.card.flat { box-shadow: none; padding: 1.25rem; }
.crumbs ol { display: flex; flex-wrap: wrap; gap: .1rem .5rem; align-items: baseline; list-style: none; font-size: .875rem; color: var(--muted); }
.crumbs li + li::before { content: "/" / ""; margin-right: .5rem; color: var(--control); }
.crumbs a { display: inline-block; padding-block: .2rem; }
.head { display: flex; flex-wrap: wrap; align-items: end; justify-content: space-between; gap: 1rem; }
.head > :first-child { flex: 1 1 18rem; }

.button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.9rem; padding: .55rem 1.3rem;
  border: 1px solid var(--accent); border-radius: var(--radius-s); background: var(--accent); color: var(--on-accent);
  font: 600 1rem/1.2 var(--sans); text-decoration: none; text-align: center; cursor: pointer;
}
.button:hover { background: var(--accent-strong); border-color: var(--accent-strong); color: var(--on-accent); }
.button.quiet { background: transparent; border-color: var(--control); color: var(--ink); }
.button.quiet:hover { background: var(--well); color: var(--ink); }
.button.wide { width: 100%; }
.buttons { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; }
.buttons.even > .button { flex: 1 1 9rem; }
.as-link {
  min-height: 2.75rem; padding: 0; border: 0; background: none; color: var(--accent); font: inherit; cursor: pointer;
  text-decoration: underline; text-underline-offset: .18em; text-decoration-thickness: .07em;
}
.as-link:hover { color: var(--accent-strong); text-decoration-thickness: .13em; }
.inline { display: inline; }

.field label { display: block; font-weight: 600; }
.field .hint { margin-top: .1rem; color: var(--muted); font-size: .875rem; }
.field .problem { margin-top: .3rem; color: var(--bad); font-size: .9rem; font-weight: 600; }
.field input, .field textarea {
  display: block; width: 100%; min-height: 2.9rem; margin-top: .45rem; padding: .6rem .8rem;
  border: 1px solid var(--control); border-radius: var(--radius-s); background: var(--card); color: var(--ink);
  font: 1rem/1.45 var(--sans);
}
.field textarea { min-height: 7rem; resize: vertical; font: .9375rem/1.6 var(--mono); }
.field input:hover, .field textarea:hover { border-color: var(--ink); }
.field input:focus-visible, .field textarea:focus-visible { outline-offset: 0; border-radius: var(--radius-s); }
.field [aria-invalid="true"] { border: 2px solid var(--bad); padding: calc(.6rem - 1px) calc(.8rem - 1px); }

.notice { border: 1px solid var(--line); border-left-width: 5px; border-radius: var(--radius-s); padding: .85rem 1.1rem; }
.notice > * + * { margin-top: .35rem; }
.notice h2 { font-size: 1rem; letter-spacing: 0; }
.notice ul { padding-left: 1.15rem; }
.notice.bad { background: var(--bad-soft); border-color: var(--bad-line); color: var(--bad); }
.notice.bad a { color: inherit; }
.notice.warn { background: var(--warn-soft); border-color: var(--warn-line); color: var(--warn); }
.notice.good { background: var(--good-soft); border-color: var(--good-line); color: var(--good); }

.chips { display: flex; flex-wrap: wrap; gap: .4rem; list-style: none; }
.notice .chips { padding: 0; }
.chips code { display: inline-block; padding: .1rem .55rem; border: 1px solid currentColor; border-radius: 99px; }
.pairs { display: grid; gap: .9rem; }
.pairs dt { font-size: .875rem; color: var(--muted); }
.pairs dd ul { list-style: none; }
.value { display: block; margin-top: .25rem; padding: .6rem .8rem; border: 1px dashed var(--control); border-radius: var(--radius-s); background: var(--well); -webkit-user-select: all; user-select: all; }
.value.grand { font-size: 1rem; }
pre { padding: .9rem 1rem; border: 1px solid var(--line); border-radius: var(--radius-s); background: var(--well); white-space: pre-wrap; line-height: 1.6; }
pre.command { overflow-x: auto; white-space: pre; overflow-wrap: normal; }

.apps { display: grid; gap: 1rem; list-style: none; }
.apps h2 a { display: inline-block; padding-block: .2rem; }
.empty { padding: 2.5rem 1.25rem; border: 2px dashed var(--line); border-radius: var(--radius); text-align: center; }

.meet { display: flex; align-items: center; justify-content: center; gap: .75rem; }
.meet .tile { display: grid; place-items: center; width: 3.5rem; height: 3.5rem; border-radius: 1rem; font-size: 1.5rem; font-weight: 650; }
.meet .app { background: var(--ink); color: var(--paper); }
.meet .service { background: var(--accent-soft); color: var(--accent); }
.meet .thread { width: 3rem; border-top: 3px dotted var(--control); }
.center { text-align: center; text-wrap: balance; }
.scopes { list-style: none; border: 1px solid var(--line); border-radius: var(--radius-s); }
.scopes li { display: grid; grid-template-columns: 5.25rem 1fr; gap: .25rem .9rem; align-items: baseline; padding: .85rem 1rem; }
.scopes li + li { border-top: 1px solid var(--line); }
.scopes .name { font-family: var(--mono); font-size: .9rem; font-weight: 650; color: var(--accent); }
.scopes .destroy { color: var(--bad); }

.lead { max-width: 44rem; font-size: 1.1rem; color: var(--muted); text-wrap: pretty; }
.grid { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); align-items: stretch; }
.column { display: grid; gap: 1.25rem; align-content: start; }
.steps { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.75rem; list-style: none; counter-reset: step; }
.steps > li { position: relative; min-width: 0; padding-left: 3.1rem; counter-increment: step; }
.steps > li::before {
  content: counter(step) / ""; position: absolute; left: 0; top: -.3rem; display: grid; place-items: center; width: 2rem; height: 2rem;
  border-radius: 50%; background: var(--accent-soft); color: var(--accent); font-weight: 650;
}
.rows { list-style: none; }
.rows > li + li { margin-top: .8rem; padding-top: .8rem; border-top: 1px solid var(--line); }
.status { font: 650 3rem/1 var(--mono); color: var(--control); letter-spacing: -.04em; }
@media (max-width: 30rem) {
  .steps > li { padding-left: 0; }
  .steps h3 { padding-left: 2.7rem; }
  .scopes li { grid-template-columns: 1fr; }
}
@media (forced-colors: active) { .badge, .button, .chips code { border-color: currentColor; } }
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

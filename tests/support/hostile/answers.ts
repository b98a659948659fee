/** What a hostile, or a very broken, service may answer. Each row is a fault and the exit codes that are right for it. */
import { gzipSync } from 'node:zlib';
import {
  answer,
  drip,
  type Fault,
  flood,
  redirectForEver,
  reset,
  stall,
  truncate,
} from '../faulty-service/faults.ts';

/** One hostile answer. */
export interface HostileAnswer {
  readonly name: string;
  readonly fault: Fault;
  /** 3 unless the answer is one that can be judged. */
  readonly exit?: 0 | 1;
}

const MIB = 1024 * 1024;

const FORM =
  '<form method=post action="/sign-in"><input name=email><input name=password type=password><button>Sign in</button></form>';
const script = (body: string) => `<script>${body}</script>`;
const page = (body: string, headers: Readonly<Record<string, string>> = {}) =>
  answer(200, `<!doctype html>${body}`, headers);
const json = (body: string, status = 200) => answer(status, body, { 'Content-Type': 'application/json' });
const deep = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels);

/** Bytes straight onto the connection, in place of an answer. */
function bytes(...parts: readonly string[]): Fault {
  return (_req, res) => {
    for (const part of parts) res.socket?.write(part);
    return true;
  };
}

/** Something now and then, straight onto the connection, without end. */
function ever(first: string, then: string, everyMs = 20): Fault {
  return (_req, res) => {
    const { socket } = res;
    socket?.write(first);
    const timer = setInterval(() => socket?.write(then), everyMs);
    socket?.once('close', () => clearInterval(timer));
    return true;
  };
}

/** A body of compressed zeros: 1 GiB out of 1 MiB. */
const bomb = (type: string): Fault => {
  const member = gzipSync(Buffer.alloc(64 * MIB, ' '));
  return (_req, res) => {
    res.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'gzip' });
    for (let i = 0; i < 16; i += 1) res.write(member);
    res.end();
    return true;
  };
};

const goTo = (location: string, status = 302): Fault => answer(status, '', { Location: location });

/** In place of the authorization page. */
export const PAGES: readonly HostileAnswer[] = [
  { name: 'a script that never ends', fault: page(script('for(;;);') + FORM) },
  {
    name: 'a script that never ends, after the page was shown',
    fault: page(FORM + script('setTimeout(() => { for(;;); }, 50)')),
  },
  {
    name: 'a script that never ends once something is typed',
    fault: page(FORM + script('document.addEventListener("input", () => { for(;;); })')),
  },
  {
    name: 'a script that never ends once the form is sent',
    fault: page(FORM + script('document.addEventListener("submit", () => { for(;;); })')),
  },
  {
    name: 'an expression that takes for ever',
    fault: page(FORM + script('/^(a+)+$/.test("a".repeat(60) + "b")')),
  },
  { name: 'a dialog after the other', fault: page(FORM + script('for(;;) alert(1)')) },
  { name: 'questions after questions', fault: page(FORM + script('for(;;) { confirm("a"); prompt("b") }')) },
  {
    name: 'a page that does not want to be left',
    fault: page(
      FORM +
        script(
          'onbeforeunload = (e) => { e.preventDefault(); return "stay" }; onunload = () => { for(;;); }',
        ),
    ),
  },
  { name: 'printing for ever', fault: page(FORM + script('for(;;) print()')) },
  { name: 'windows without end', fault: page(FORM + script('for(;;) open("about:blank")')) },
  { name: 'a window now and then', fault: page(FORM + script('setInterval(() => open(location.href), 10)')) },
  {
    name: 'a page that closes itself',
    fault: page(FORM + script('setTimeout(() => { open("", "_self"); close() }, 20)')),
  },
  {
    name: 'a download in place of a page',
    fault: answer(200, 'x', { 'Content-Disposition': 'attachment; filename=x' }),
  },
  {
    name: 'a program in place of a page',
    fault: answer(200, 'MZ', { 'Content-Type': 'application/octet-stream' }),
  },
  { name: 'redirects without end', fault: redirectForEver },
  { name: 'a redirect to itself', fault: (req, res, passOn) => goTo(req.url ?? '/')(req, res, passOn) },
  { name: 'a page that loads itself anew', fault: page(FORM + script('location.reload()')) },
  { name: 'a page that refreshes itself at once', fault: page(`<meta http-equiv=refresh content=0>${FORM}`) },
  {
    name: 'addresses without end',
    fault: page(
      FORM + script('let i = 0; setInterval(() => { for (let k = 0; k < 1e3; k++) location.hash = i++ }, 0)'),
    ),
  },
  { name: 'a body without end', fault: flood },
  { name: 'a body that drips', fault: drip },
  { name: 'headers that drip', fault: ever('HTTP/1.1 200 OK\r\n', 'X: y\r\n') },
  { name: 'fifty megabytes of text', fault: answer(200, 'lorem ipsum '.repeat((50 * MIB) / 12)) },
  { name: 'a hundred thousand elements in one another', fault: page('<div>'.repeat(100_000) + FORM) },
  { name: 'a hundred thousand fields', fault: page('<input name=otp-x>'.repeat(100_000) + FORM) },
  {
    name: 'buffers that take all memory',
    fault: page(
      FORM + script('const k = []; setInterval(() => { k.push(new Uint8Array(64 * 1048576).fill(1)) }, 5)'),
    ),
  },
  {
    name: 'objects that take all memory',
    fault: page(
      FORM +
        script(
          'const k = []; setInterval(() => { for (let i = 0; i < 3e5; i++) k.push({ i, a: [i, i] }) }, 0)',
        ),
    ),
  },
  {
    name: 'elements that take all memory',
    fault: page(
      FORM +
        script(
          'setInterval(() => { for (let i = 0; i < 5e4; i++) document.body.append(document.createElement("p")) }, 0)',
        ),
    ),
  },
  {
    name: 'a frame in a frame in a frame',
    fault: page('<iframe src="/oauth/authorize?x"></iframe>'.repeat(3) + FORM),
  },
  {
    name: 'fifty busy workers',
    fault: page(
      FORM + script('for (let i = 0; i < 50; i++) new Worker(URL.createObjectURL(new Blob(["for(;;);"])))'),
    ),
  },
  {
    name: 'a page whose own functions throw',
    fault: page(
      FORM +
        script(
          'URL.canParse = RegExp.prototype.test = Array.from = Object.getPrototypeOf = () => { throw new Error("no") }',
        ),
    ),
  },
  {
    name: 'a service worker that never answers',
    fault: page(
      FORM + script('navigator.serviceWorker.register("/oauth/authorize").then(() => location.reload())'),
    ),
  },
  { name: 'a compressed gigabyte', fault: bomb('text/html') },
  {
    name: 'a page that replaces itself for ever',
    fault: ever(
      'HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=b\r\n\r\n',
      '--b\r\nContent-Type: text/html\r\n\r\n<p>x</p>\r\n',
    ),
  },
  { name: 'no HTTP', fault: bytes('\u0000\u0001 not HTTP at all \r\n\r\n') },
  { name: 'an address that is none', fault: goTo('http://[') },
  { name: 'an address of a script', fault: goTo('javascript:alert(1)') },
  { name: 'an address of a file', fault: goTo('file:///etc/passwd') },
  {
    name: 'a question for a password by the browser',
    fault: answer(401, '', { 'WWW-Authenticate': 'Basic realm="x"' }),
  },
  { name: 'nothing, with 204', fault: answer(204) },
  { name: 'comments that are never closed', fault: page('<!--'.repeat(200_000)) },
  {
    name: 'a socket and a stream that are kept open',
    fault: page(
      FORM +
        script(
          'for (let i = 0; i < 200; i++) { new WebSocket(location.href.replace("http", "ws")); new EventSource(location.href) }',
        ),
    ),
  },
  { name: 'a reset connection', fault: reset },
  { name: 'silence', fault: stall },
];

/** In place of the token response. */
export const TOKENS: readonly HostileAnswer[] = [
  { name: 'a million arrays in one another', fault: json(deep(1_000_000)), exit: 1 },
  {
    name: 'half a million objects in one another, beside the tokens',
    fault: json(
      `{"access_token":"aaaaaaaaaaaaaaaaaaaa","refresh_token":"bbbbbbbbbbbbbbbbbbbb","token_type":"bearer","expires_in":7200,"x":${deep(500_000, '{"a":', '').replace(/$/, `1${'}'.repeat(500_000)}`)}}`,
    ),
  },
  { name: 'an error deep down', fault: json(`{"error":${deep(400_000)}}`, 400) },
  { name: 'four megabytes of brackets', fault: answer(200, '<'.repeat(4 * MIB - 1)), exit: 1 },
  { name: 'four megabytes of quotes', fault: json('"'.repeat(4 * MIB - 1)), exit: 1 },
  {
    name: 'four megabytes of white space after a name',
    fault: json(`"access_token"${' '.repeat(4 * MIB - 100)}`),
    exit: 1,
  },
  {
    name: 'a token of three megabytes',
    fault: json(
      `{"access_token":"${'a'.repeat(3 * MIB)}","refresh_token":"b","token_type":"bearer","expires_in":7200}`,
    ),
  },
  { name: 'a body without end', fault: flood },
  { name: 'a body that drips', fault: drip },
  { name: 'headers that drip', fault: ever('HTTP/1.1 200 OK\r\n', 'X: y\r\n') },
  { name: 'headers without end', fault: ever('HTTP/1.1 200 OK\r\n', `X: ${'y'.repeat(60_000)}\r\n`, 1) },
  { name: 'wait a moment, for ever', fault: ever('', 'HTTP/1.1 100 Continue\r\n\r\n', 1) },
  { name: 'a compressed gigabyte', fault: bomb('application/json') },
  {
    name: 'another protocol',
    fault: bytes('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  },
  { name: 'a redirect to itself', fault: goTo('/oauth/token', 307) },
  { name: 'half an answer', fault: truncate },
  { name: 'no HTTP', fault: bytes('\u0000\u0001 not HTTP at all \r\n\r\n') },
];

/** In place of the list of assigned users. */
export const LISTS: readonly HostileAnswer[] = [
  { name: 'a million arrays in one another', fault: json(deep(1_000_000)) },
  {
    name: 'objects in one another, around a user',
    fault: json(`${'{"users":[{"x":'.repeat(100_000)}1${'}]}'.repeat(100_000)}`),
  },
  { name: 'two hundred thousand users', fault: json(`[${'{"id":"1"},'.repeat(200_000)}{"id":"2"}]`) },
  { name: 'four megabytes of brackets', fault: answer(200, '<'.repeat(4 * MIB - 1)) },
  { name: 'a refusal of four megabytes of brackets', fault: answer(404, '<'.repeat(4 * MIB - 1)) },
  { name: 'a refusal of words of farewell', fault: answer(404, 'is '.repeat(MIB)) },
  { name: 'a body without end', fault: flood },
  { name: 'headers that drip', fault: ever('HTTP/1.1 200 OK\r\n', 'X: y\r\n') },
  { name: 'a compressed gigabyte', fault: bomb('application/json') },
  { name: 'a reset connection', fault: reset },
];

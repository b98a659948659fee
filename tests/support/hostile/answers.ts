/** Answers of hostile or very broken services. Each row is a fault and the exit codes that are right for it. */
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

/** By name; with an exit code where it is another than 3, because the answer can be evaluated. */
export type HostileAnswers = Readonly<Record<string, Fault | readonly [Fault, exit: 0 | 1]>>;

const MIB = 1024 * 1024;

const FORM =
  '<form method=post action="/sign-in"><input name=email><input name=password type=password><button>Sign in</button></form>';
const script = (body: string) => `<script>${body}</script>`;
const page = (body: string, headers: Readonly<Record<string, string>> = {}) =>
  answer(200, `<!doctype html>${body}`, headers);
const json = (body: string, status = 200) => answer(status, body, { 'Content-Type': 'application/json' });
const deep = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels);

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

export const PAGES: HostileAnswers = {
  'a script that never ends': page(script('for(;;);') + FORM),
  'a script that never ends, after the page was shown': page(
    FORM + script('setTimeout(() => { for(;;); }, 50)'),
  ),
  'a script that never ends once something is typed': page(
    FORM + script('document.addEventListener("input", () => { for(;;); })'),
  ),
  'a script that never ends once the form is sent': page(
    FORM + script('document.addEventListener("submit", () => { for(;;); })'),
  ),
  'an expression that takes for ever': page(FORM + script('/^(a+)+$/.test("a".repeat(60) + "b")')),
  'a dialog after the other': page(FORM + script('for(;;) alert(1)')),
  'questions after questions': page(FORM + script('for(;;) { confirm("a"); prompt("b") }')),
  'a page that does not want to be left': page(
    FORM +
      script('onbeforeunload = (e) => { e.preventDefault(); return "stay" }; onunload = () => { for(;;); }'),
  ),
  'printing for ever': page(FORM + script('for(;;) print()')),
  'windows without end': page(FORM + script('for(;;) open("about:blank")')),
  'a window now and then': page(FORM + script('setInterval(() => open(location.href), 10)')),
  'a page that closes itself': page(FORM + script('setTimeout(() => { open("", "_self"); close() }, 20)')),
  'a download in place of a page': answer(200, 'x', { 'Content-Disposition': 'attachment; filename=x' }),
  'a program in place of a page': answer(200, 'MZ', { 'Content-Type': 'application/octet-stream' }),
  'redirects without end': redirectForEver,
  'a redirect to itself': (req, res, passOn) => goTo(req.url ?? '/')(req, res, passOn),
  'a page that loads itself anew': page(FORM + script('location.reload()')),
  'a page that refreshes itself at once': page(`<meta http-equiv=refresh content=0>${FORM}`),
  'addresses without end': page(
    FORM + script('let i = 0; setInterval(() => { for (let k = 0; k < 1e3; k++) location.hash = i++ }, 0)'),
  ),
  'a body without end': flood,
  'a body that drips': drip,
  'headers that drip': ever('HTTP/1.1 200 OK\r\n', 'X: y\r\n'),
  'fifty megabytes of text': answer(200, 'lorem ipsum '.repeat((50 * MIB) / 12)),
  'a hundred thousand elements in one another': page('<div>'.repeat(100_000) + FORM),
  'a hundred thousand fields': page('<input name=otp-x>'.repeat(100_000) + FORM),
  'buffers that take all memory': page(
    FORM + script('const k = []; setInterval(() => { k.push(new Uint8Array(64 * 1048576).fill(1)) }, 5)'),
  ),
  'objects that take all memory': page(
    FORM +
      script(
        'const k = []; setInterval(() => { for (let i = 0; i < 3e5; i++) k.push({ i, a: [i, i] }) }, 0)',
      ),
  ),
  'elements that take all memory': page(
    FORM +
      script(
        'setInterval(() => { for (let i = 0; i < 5e4; i++) document.body.append(document.createElement("p")) }, 0)',
      ),
  ),
  'a frame in a frame in a frame': page('<iframe src="/oauth/authorize?x"></iframe>'.repeat(3) + FORM),
  'fifty busy workers': page(
    FORM + script('for (let i = 0; i < 50; i++) new Worker(URL.createObjectURL(new Blob(["for(;;);"])))'),
  ),
  'a page whose own functions throw': page(
    FORM +
      script(
        'URL.canParse = RegExp.prototype.test = Array.from = Object.getPrototypeOf = () => { throw new Error("no") }',
      ),
  ),
  'a service worker that never answers': page(
    FORM + script('navigator.serviceWorker.register("/oauth/authorize").then(() => location.reload())'),
  ),
  'a compressed gigabyte': bomb('text/html'),
  'a page that replaces itself for ever': ever(
    'HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=b\r\n\r\n',
    '--b\r\nContent-Type: text/html\r\n\r\n<p>x</p>\r\n',
  ),
  'no HTTP': bytes('\u0000\u0001 not HTTP at all \r\n\r\n'),
  'an address that is none': goTo('http://['),
  'an address of a script': goTo('javascript:alert(1)'),
  'an address of a file': goTo('file:///etc/passwd'),
  'a question for a password by the browser': answer(401, '', { 'WWW-Authenticate': 'Basic realm="x"' }),
  'nothing, with 204': answer(204),
  'comments that are never closed': page('<!--'.repeat(200_000)),
  'a socket and a stream that are kept open': page(
    FORM +
      script(
        'for (let i = 0; i < 200; i++) { new WebSocket(location.href.replace("http", "ws")); new EventSource(location.href) }',
      ),
  ),
  'a reset connection': reset,
  silence: stall,
};

export const TOKENS: HostileAnswers = {
  'a million arrays in one another': [json(deep(1_000_000)), 1],
  'half a million objects in one another, beside the tokens': json(
    `{"access_token":"aaaaaaaaaaaaaaaaaaaa","refresh_token":"bbbbbbbbbbbbbbbbbbbb","token_type":"bearer","expires_in":7200,"x":${deep(500_000, '{"a":', '').replace(/$/, `1${'}'.repeat(500_000)}`)}}`,
  ),
  'an error deep down': json(`{"error":${deep(400_000)}}`, 400),
  'four megabytes of brackets': [answer(200, '<'.repeat(4 * MIB - 1)), 1],
  'four megabytes of quotes': [json('"'.repeat(4 * MIB - 1)), 1],
  'four megabytes of white space after a name': [json(`"access_token"${' '.repeat(4 * MIB - 100)}`), 1],
  'a token of three megabytes': json(
    `{"access_token":"${'a'.repeat(3 * MIB)}","refresh_token":"b","token_type":"bearer","expires_in":7200}`,
  ),
  'a body without end': flood,
  'a body that drips': drip,
  'headers that drip': ever('HTTP/1.1 200 OK\r\n', 'X: y\r\n'),
  'headers without end': ever('HTTP/1.1 200 OK\r\n', `X: ${'y'.repeat(60_000)}\r\n`, 1),
  'wait a moment, for ever': ever('', 'HTTP/1.1 100 Continue\r\n\r\n', 1),
  'a compressed gigabyte': bomb('application/json'),
  'another protocol': bytes('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  'a redirect to itself': goTo('/oauth/token', 307),
  'half an answer': truncate,
  'no HTTP': bytes('\u0000\u0001 not HTTP at all \r\n\r\n'),
};

export const LISTS: HostileAnswers = {
  'a million arrays in one another': json(deep(1_000_000)),
  'objects in one another, around a user': json(
    `${'{"users":[{"x":'.repeat(100_000)}1${'}]}'.repeat(100_000)}`,
  ),
  'two hundred thousand users': json(`[${'{"id":"1"},'.repeat(200_000)}{"id":"2"}]`),
  'four megabytes of brackets': answer(200, '<'.repeat(4 * MIB - 1)),
  'a refusal of four megabytes of brackets': answer(404, '<'.repeat(4 * MIB - 1)),
  'a refusal of words of farewell': answer(404, 'is '.repeat(MIB)),
  'a body without end': flood,
  'headers that drip': ever('HTTP/1.1 200 OK\r\n', 'X: y\r\n'),
  'a compressed gigabyte': bomb('application/json'),
  'a reset connection': reset,
};

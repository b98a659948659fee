import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { onLoopback } from './on-loopback.ts';

/** An HTTP proxy on loopback that forwards to loopback alone and remembers for whom. */
export interface ForwardProxy {
  /** Its address, name and password included. */
  readonly url: string;
  /** `CONNECT 127.0.0.1:1234` or `GET http://127.0.0.1:1234`, each once, in order. */
  readonly used: ReadonlySet<string>;
  /** Number of requests without the right name and password. */
  readonly turnedAway: number;
  close(): Promise<void>;
}

const CREDENTIALS = { name: 'suite', password: 'pr0xy:pass' };
const EXPECTED = `Basic ${Buffer.from(`${CREDENTIALS.name}:${CREDENTIALS.password}`).toString('base64')}`;
const CHALLENGE = { 'Proxy-Authenticate': 'Basic realm="proxy"' };

/** Starts a proxy that asks for a name and a password. */
export async function startForwardProxy(): Promise<ForwardProxy> {
  const used = new Set<string>();
  let turnedAway = 0;
  const server = createServer((req, res) => {
    if (req.headers['proxy-authorization'] !== EXPECTED) {
      turnedAway += 1;
      res.writeHead(407, CHALLENGE).end();
      return;
    }
    const url = new URL(req.url ?? '');
    used.add(`${req.method} ${url.origin}`);
    const { 'proxy-authorization': _, ...headers } = req.headers;
    const onward = request(
      { host: '127.0.0.1', port: url.port, method: req.method, path: url.pathname + url.search, headers },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(res);
      },
    );
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  server.on('connect', (req, socket) => {
    if (req.headers['proxy-authorization'] !== EXPECTED) {
      turnedAway += 1;
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="proxy"\r\n\r\n',
      );
      return;
    }
    used.add(`CONNECT ${req.url}`);
    const onward = connect(Number(req.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(socket);
      socket.pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  const { port, close } = await onLoopback(server);
  const credentials = `${CREDENTIALS.name}:${encodeURIComponent(CREDENTIALS.password)}`;
  return {
    url: `http://${credentials}@127.0.0.1:${port}`,
    used,
    get turnedAway() {
      return turnedAway;
    },
    close,
  };
}

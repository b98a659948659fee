import type { Server, Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** A server that listens on a free port of 127.0.0.1. */
export interface OnLoopback {
  readonly port: number;
  /** Without a slash at the end. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Has a server listen. An HTTPS server gets an `https:` origin. */
export async function onLoopback(server: Server, port = 0): Promise<OnLoopback> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP port was expected');
  return {
    port: address.port,
    origin: `${server instanceof TlsServer ? 'https' : 'http'}://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

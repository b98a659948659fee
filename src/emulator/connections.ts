import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Numbers sockets, from 1, in the order of their first requests. */
export function connectionCounter(): (incoming: IncomingMessage) => number {
  const known = new WeakMap<Socket, number>();
  let count = 0;
  return ({ socket }) => {
    const number = known.get(socket);
    if (number !== undefined) return number;
    count += 1;
    known.set(socket, count);
    return count;
  };
}

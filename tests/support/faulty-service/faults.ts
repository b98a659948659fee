import type { IncomingMessage, ServerResponse } from 'node:http';

/** The service's own answer. */
export interface PassedOn {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly content: Buffer;
}

/** Goes wrong in place of the service, or lets it answer (false). `passOn`: the service does it, and its answer is lost. */
export type Fault = (
  req: IncomingMessage,
  res: ServerResponse,
  passOn: () => Promise<PassedOn>,
) => boolean | Promise<boolean>;

/** The fault at every request whose method and path match, and good health elsewhere. */
export function at(pattern: RegExp, fault: Fault): Fault {
  return (req, res, passOn) => pattern.test(`${req.method} ${req.url}`) && fault(req, res, passOn);
}

/** The fault at the first so many requests that it would hit. */
export function times(count: number, fault: Fault): Fault {
  let left = count;
  return async (req, res, passOn) => {
    if (left === 0 || !(await fault(req, res, passOn))) return false;
    left -= 1;
    return true;
  };
}

export function answer(status: number, body = '', headers: Readonly<Record<string, string>> = {}): Fault {
  return (_req, res) => {
    res.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', ...headers }).end(body);
    return true;
  };
}

export function withHeaders(headers: Readonly<Record<string, string>>): Fault {
  return (_req, res) => {
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    return false;
  };
}

export const reset: Fault = (_req, res) => {
  res.socket?.resetAndDestroy();
  return true;
};

export const lostAnswer: Fault = async (_req, res, passOn) => {
  await passOn();
  res.socket?.resetAndDestroy();
  return true;
};

export const stall: Fault = () => true;

/** Half of what was announced comes, then the connection ends. */
export const truncate: Fault = (_req, res) => {
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  res.write('{"access_token":"cut-off');
  setTimeout(() => res.socket?.destroy(), 10);
  return true;
};

/** A body without end, as fast as it is taken. */
export const flood: Fault = (_req, res) => {
  res.writeHead(200, { 'Content-Type': 'text/html' });
  const chunk = Buffer.alloc(256 * 1024, ' ');
  const pour = () => {
    while (!res.destroyed && res.write(chunk));
    if (!res.destroyed) res.once('drain', pour);
  };
  pour();
  return true;
};

/** A byte now and then, without end. */
export const drip: Fault = (_req, res) => {
  res.writeHead(200, { 'Content-Type': 'text/html' });
  const timer = setInterval(() => res.write(' '), 50);
  res.once('close', () => clearInterval(timer));
  return true;
};

export const redirectForEver: Fault = (req, res) => {
  const hop = Number(/hop=(\d+)/.exec(req.url ?? '')?.[1] ?? 0);
  res.writeHead(302, { Location: `/somewhere?hop=${hop + 1}` }).end();
  return true;
};

import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { LoadPlan, Reading, Refreshing } from './load-plan.ts';
import type { TokenPair } from './server-process.ts';

/**
 * The process that loads a server, apart from both the server and the bench, so that nobody's CPU time is counted for
 * another. Keeps its connections from plan to plan. Any answer other than 2xx, and any refresh without a new token, ends
 * the plan with an error.
 */

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

process.on('message', async ({ argument }: { argument: LoadPlan }) => {
  try {
    await carryOut(argument);
    process.send?.({ answer: 'done' });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
process.once('disconnect', () => process.exit());

async function carryOut({ requests, tokens, act }: LoadPlan): Promise<void> {
  const connections = tokens.map(async (pair, connection) => {
    switch (act.kind) {
      case 'refresh':
        return refresh(act, pair, requests);
      case 'read':
        return read(act, pair, requests);
      case 'assign':
        return assign(`${act.url}/${act.users[connection] ?? ''}`, pair, requests);
    }
  });
  await Promise.all(connections);
}

async function refresh(act: Refreshing, first: TokenPair, times: number): Promise<void> {
  const fixed = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: act.clientId,
    client_secret: act.clientSecret,
  }).toString();
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  let pair = first;
  for (let i = 0; i < times; i += 1) {
    const form = `${fixed}&refresh_token=${encodeURIComponent(pair.refresh)}`;
    const text = await exchange(act.url, 'POST', headers, form);
    const { access_token = '', refresh_token = '' } = JSON.parse(text) as Record<string, string>;
    if (access_token === '' || refresh_token === '' || refresh_token === pair.refresh) {
      throw new Error(`Expected a new token pair from ${act.url} (clause 4.3), got ${text}`);
    }
    pair = { access: access_token, refresh: refresh_token };
  }
}

async function read({ url, items }: Reading, pair: TokenPair, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    const text = await exchange(url, 'GET', bearer(pair));
    if (i === 0 && items !== undefined) expectItems(text, items);
  }
}

async function assign(url: string, pair: TokenPair, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) await exchange(url, i % 2 === 0 ? 'PUT' : 'DELETE', bearer(pair));
}

function bearer({ access }: TokenPair): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${access}` };
}

function expectItems(text: string, items: number): void {
  const { length } = JSON.parse(text) as readonly unknown[];
  if (length !== items) throw new Error(`Expected a list of ${items}, got one of ${length}.`);
}

function exchange(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const sent: ClientRequest = request(url, { method, agent, headers: { ...headers, ...length } });
    sent.once('error', reject);
    sent.once('response', (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const status = response.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve(text);
        else reject(new Error(`Expected 2xx from ${method} ${url}, got ${status}: ${text}`));
      });
    });
    sent.end(body);
  });
}

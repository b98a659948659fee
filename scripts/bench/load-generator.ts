import { Connection } from './connection.ts';
import type { LoadPlan } from './load-plan.ts';
import type { TokenPair } from './server-process.ts';

/**
 * The process that loads a server, apart from server and bench, so that CPU times do not mix. Any answer other than 2xx, and any
 * refresh without a new token, ends the plan with an error.
 */

process.on('message', async ({ argument }: { argument: LoadPlan }) => {
  try {
    await carryOut(argument);
    process.send?.({ answer: 'done' });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
process.once('disconnect', () => process.exit());

async function carryOut(plan: LoadPlan): Promise<void> {
  const { origin, pathname } = new URL(plan.act.url);
  await Promise.all(
    plan.tokens.map(async (pair, index) => {
      const connection = new Connection(origin);
      try {
        await loop(plan, pair, index, connection, pathname);
      } finally {
        connection.close();
      }
    }),
  );
}

async function loop(
  { requests, act }: LoadPlan,
  pair: TokenPair,
  index: number,
  connection: Connection,
  path: string,
): Promise<void> {
  const bearer = `Authorization: Bearer ${pair.access}\r\n`;
  switch (act.kind) {
    case 'refresh':
      return refresh(connection, path, act, pair.refresh, requests);
    case 'read':
      for (let i = 0; i < requests; i += 1) {
        const body = await connection.exchange('GET', path, bearer);
        if (i === 0 && act.items !== undefined) expectItems(body, act.items);
      }
      return;
    case 'assign':
      for (let i = 0; i < requests; i += 1) {
        await connection.exchange(
          i % 2 === 0 ? 'PUT' : 'DELETE',
          `${path}/${act.users[index] ?? ''}`,
          bearer,
        );
      }
  }
}

/** Each refresh uses the token of the one before. */
async function refresh(
  connection: Connection,
  path: string,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
  first: string,
  times: number,
): Promise<void> {
  const fixed = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: clientId,
    client_secret: clientSecret,
  }).toString();
  const headers = 'Content-Type: application/x-www-form-urlencoded\r\n';
  let latest = first;
  for (let i = 0; i < times; i += 1) {
    const form = `${fixed}&refresh_token=${encodeURIComponent(latest)}`;
    const body = await connection.exchange('POST', path, headers, form);
    const { access_token, refresh_token } = JSON.parse(body) as Record<string, string>;
    if (!access_token || !refresh_token || refresh_token === latest) {
      throw new Error(`Expected a new token pair (clause 4.3), got ${body}`);
    }
    latest = refresh_token;
  }
}

function expectItems(body: string, items: number): void {
  const { length } = JSON.parse(body) as readonly unknown[];
  if (length !== items) throw new Error(`Expected a list of ${items}, got one of ${length}.`);
}

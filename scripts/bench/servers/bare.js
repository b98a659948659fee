import { createServer } from 'node:http';
import { enableCompileCache } from 'node:module';
import { ready } from './ready.js';

/** The lower bound: reads and answers the same as the emulator (clauses 4.3 and 4.4), without decisions, checks or memory. */

enableCompileCache();

const USERS = [
  { id: 501, name: 'Chidi Okafor', email: 'chidi@example.test' },
  { id: 502, name: 'Dana Whitfield', email: 'dana@example.test' },
];
const LIST = '/v2/projects/1041/assigned_users';

let issued = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET' && request.url === LIST) {
    if (!request.headers.authorization?.startsWith('Bearer ')) return answer(response, 401, {});
    return answer(response, 200, USERS, { 'Cache-Control': 'no-cache' });
  }
  if (request.method !== 'POST' || request.url !== '/oauth/token') return answer(response, 404, {});
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
    if (form.get('grant_type') !== 'refresh_token') return answer(response, 400, {});
    issued += 1;
    const tokens = {
      access_token: `access-token-of-32-characters-${issued}`,
      token_type: 'bearer',
      expires_in: 7200,
      refresh_token: `refresh-token-of-32-characters-${issued}`,
      scope: 'read write destroy',
      created_at: 1_767_225_600,
    };
    answer(response, 200, tokens, { 'Cache-Control': 'no-store', Pragma: 'no-cache' });
  });
});

function answer(response, status, value, headers = {}) {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

server.listen(0, '127.0.0.1', () => {
  const origin = `http://127.0.0.1:${server.address().port}`;
  const none = (count) => Array.from({ length: count }, (_, i) => ({ access: `a${i}`, refresh: `r${i}` }));
  ready(
    {
      firstUrl: origin + LIST,
      firstHeaders: { Authorization: 'Bearer a0' },
      tokenUrl: `${origin}/oauth/token`,
      listUrl: origin + LIST,
      clientId: 'client-id-of-the-bare-server',
      clientSecret: 'client-secret-of-the-bare-server',
    },
    { tokens: none },
  );
});

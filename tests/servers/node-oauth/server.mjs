// Starts the authorization server on $PORT and the API on $API_PORT of 127.0.0.1 (0 picks a free port), and
// prints `ready AUTH_URL BASE_URL`.

import { api } from './api.mjs';
import { auth } from './authorization.mjs';

const listen = (app, port) =>
  new Promise((resolve, reject) => {
    const server = app.listen(port, '127.0.0.1', (error) => (error ? reject(error) : resolve(server)));
  });
const address = (server) => `http://127.0.0.1:${server.address().port}`;

const port = Number(process.env.PORT ?? 4710);
const servers = [
  await listen(auth, port),
  await listen(api, Number(process.env.API_PORT ?? (port ? port + 1 : 0))),
];
console.log(`ready ${servers.map(address).join(' ')}`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  });
}

/** Drives the application of CLIENT_APP: a command such as `python3 app.py`. */
const at = 'http://127.0.0.1:{port}';

export default {
  name: `${process.env.CLIENT_APP}, ${process.env.CLIENT_MODE}`,
  start: { command: `exec ${process.env.CLIENT_APP}`, ready: `${at}/` },
  redirectUri: `${at}/callback`,
  connect: { visit: `${at}/connect?user={session}` },
  calls: { list: { request: `GET ${at}/projects/{project}/users` } },
  variables: { PORT: '{port}' },
  clock: 'none',
};

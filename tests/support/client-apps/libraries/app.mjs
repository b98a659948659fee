// How each of the libraries is driven: the file asks for NAME in the variable CLIENT_LIBRARY.
const base = 'http://127.0.0.1:{port}';
const users = `${base}/projects/{project}/users`;

export default {
  name: process.env.CLIENT_LIBRARY,
  start: { command: `exec node server.mjs ${process.env.CLIENT_LIBRARY}`, ready: `${base}/` },
  redirectUri: `${base}/callback`,
  connect: { visit: `${base}/connect` },
  calls: {
    list: { request: `GET ${users}` },
    assign: { request: `PUT ${users}/{user}` },
    unassign: { request: `DELETE ${users}/{user}` },
  },
  variables: { PORT: '{port}', STATE: '{state}' },
  clock: 'node',
  deadlineSeconds: 4,
};

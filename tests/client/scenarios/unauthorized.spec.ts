import { expect } from '@playwright/test';
import { empty, json, tokens, tokensOf } from '../../support/scripted-client/replies.ts';
import { rejection, scenario } from '../../support/scripted-client/scenario.ts';

const challenge = { 'WWW-Authenticate': 'Bearer realm="Doorkeeper", error="invalid_token"' };
const refused = empty(401, challenge);

scenario('unauthorized.refresh-and-retry', async (stage) => {
  const client = await stage.connectedClient();
  stage.service.assign(refused, empty(204));
  stage.service.token(tokens(2));
  await client.assign('project-1', 'user-1');
  expect(stage.service.operations.map(({ headers }) => headers.authorization)).toEqual([
    `Bearer ${tokensOf(1).accessToken}`,
    `Bearer ${tokensOf(2).accessToken}`,
  ]);
});

scenario('unauthorized.no-loop', async (stage) => {
  const client = await stage.connectedClient();
  stage.service.token(tokens(2));
  stage.service.always('list', refused);
  await rejection(client.list('project-1'), 'a call that always gets 401');
  expect(stage.service.operations).toHaveLength(2);
});

scenario('unauthorized.shared-refresh', async (stage) => {
  const client = await stage.connectedClient();
  stage.service.token(tokens(2));
  stage.service.always('list', ({ headers }) =>
    headers.authorization === `Bearer ${tokensOf(2).accessToken}` ? json(200, ['user-1']) : refused,
  );
  const lists = await Promise.all(['a', 'b', 'c'].map((project) => client.list(project)));
  expect(lists).toEqual([['user-1'], ['user-1'], ['user-1']]);
});

scenario('unauthorized.already-refreshed', async (stage) => {
  const client = await stage.connectedClient();
  stage.service.token(tokens(2));
  stage.service.list(
    async () => {
      // The service kills the old access token at the refresh, while this call is under way.
      await client.refresh();
      return refused;
    },
    json(200, ['user-1']),
  );
  expect(await client.list('project-1')).toEqual(['user-1']);
  expect(stage.service.tokenForms).toHaveLength(2);
});

scenario('forbidden.no-refresh', async (stage) => {
  const client = await stage.connectedClient();
  stage.service.list(empty(403));
  await rejection(client.list('project-1'), 'a call that gets 403');
  expect(stage.service.tokenForms).toHaveLength(1);
});

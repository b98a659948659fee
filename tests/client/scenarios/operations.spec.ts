import { expect } from '@playwright/test';
import type { ClientUnderTest } from '../../support/scripted-client/client-under-test.ts';
import {
  listFaultNames,
  listFaults,
  networkFaults,
  type OperationName,
  operationFaultNames,
  operationFaults,
  operationNames,
  successes,
  successNames,
} from '../../support/scripted-client/operation-faults.ts';
import { CODE, empty, json, tokens, tokensOf } from '../../support/scripted-client/replies.ts';
import { rejection, scenario } from '../../support/scripted-client/scenario.ts';
import type { ScenarioId } from '../../support/scripted-client/scenario-ids.ts';

function call(client: ClientUnderTest, operation: OperationName): Promise<unknown> {
  return operation === 'list' ? client.list('project-1') : client[operation]('project-1', 'user-1');
}

scenario('token-presented', async (stage) => {
  const client = await stage.connectedClient();
  stage.service.assign(empty(204));
  stage.service.unassign(empty(204));
  stage.service.list(json(200, []));
  await client.assign('project-1', 'user-1');
  await client.unassign('project-1', 'user-1');
  await client.list('project-1');
  const arrived = stage.service.operations.map(({ method, path, headers }) => [
    method,
    path,
    headers.authorization,
  ]);
  const bearer = `Bearer ${tokensOf(1).accessToken}`;
  expect(arrived).toEqual([
    ['PUT', '/v2/projects/project-1/assigned_users/user-1', bearer],
    ['DELETE', '/v2/projects/project-1/assigned_users/user-1', bearer],
    ['GET', '/v2/projects/project-1/assigned_users', bearer],
  ]);
});

scenario('ids-encoded', async (stage) => {
  const client = await stage.connectedClient();
  const odd = 'a/b?c#d%2Fe é';
  const encoded = 'a%2Fb%3Fc%23d%252Fe%20%C3%A9';
  stage.service.assign(empty(204));
  stage.service.list(json(200, []));
  await client.assign(odd, odd);
  await client.list(odd);
  expect(stage.service.operations.map(({ path }) => path)).toEqual([
    `/v2/projects/${encoded}/assigned_users/${encoded}`,
    `/v2/projects/${encoded}/assigned_users`,
  ]);
});

scenario('ids-stay-in-path', async (stage) => {
  const client = await stage.connectedClient();
  for (const id of ['', '.', '..']) {
    await rejection(client.unassign('project-1', id), `the user id "${id}"`);
    await rejection(client.assign(id, 'user-1'), `the project id "${id}"`);
    await rejection(client.list(id), `the project id "${id}"`);
  }
});

scenario('list.array', async (stage) => {
  const client = await stage.connectedClient();
  stage.service.list(json(200, [{ id: 1 }, { id: 'user-2' }]));
  expect(await client.list('project-1')).toHaveLength(2);
});

scenario('list.envelope', async (stage) => {
  const client = await stage.connectedClient();
  stage.service.list(json(200, { assigned_users: [{ id: 1 }, { id: 2 }, { id: 3 }], total: 3 }));
  expect(await client.list('project-1')).toHaveLength(3);
});

scenario('list.empty', async (stage) => {
  const client = await stage.connectedClient();
  stage.service.list(json(200, []));
  expect(await client.list('project-1')).toEqual([]);
});

for (const operation of ['assign', 'unassign'] as const) {
  for (const success of successNames) {
    scenario(`${operation}.success.${success}`, async (stage) => {
      const client = await stage.connectedClient();
      stage.service[operation](successes[success]);
      await client[operation]('project-1', 'user-1');
    });
  }
}

for (const operation of operationNames) {
  for (const fault of operationFaultNames) {
    scenario(`${operation}.fault.${fault}`, async (stage) => {
      const client = await stage.connectedClient();
      stage.service.always(operation, operationFaults[fault]);
      await rejection(call(client, operation), `${operation} answered with ${fault}`);
      expect(stage.store.current).toMatchObject(tokensOf(1));
      expect(stage.service.tokenForms, 'the exchange alone').toHaveLength(1);
    });
  }
  for (const fault of networkFaults[operation]) {
    scenario(`${operation}.fault.${fault}` as ScenarioId, async (stage) => {
      const server = await stage.faultServer(tokens(1));
      await (await stage.client({ authUrl: server.url })).exchange(CODE);
      server.willTreat(fault);
      const client = await stage.clientOf(server, fault);
      await rejection(call(client, operation), `${operation} that suffers ${fault}`);
      expect(stage.store.current).toMatchObject(tokensOf(1));
      expect(server.tokenForms, 'the exchange alone').toHaveLength(1);
    });
  }
}

for (const fault of listFaultNames) {
  scenario(`list.fault.${fault}`, async (stage) => {
    const client = await stage.connectedClient();
    stage.service.list(listFaults[fault]);
    await rejection(client.list('project-1'), `list answered with ${fault}`);
  });
}

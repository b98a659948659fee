import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchange, mayList } from './client.mts';
import { members, tokenRequest } from './consumer.mts';

/** The examples are what `injected` in consumer.mts says. */
test('exchanges a code', () =>
  tokenRequest('pacts', async (authUrl) => {
    const token = await exchange(authUrl, {
      client_id: 'example-client_id',
      client_secret: 'example-client_secret',
      code: 'example-code',
      redirect_uri: 'example-redirect_uri',
    });
    assert.equal(token, 'example-access_token');
  }));

test('lists the members of a project', () =>
  members('pacts', async (baseUrl) => {
    assert.equal(await mayList(baseUrl, 'example-project_id', 'example-access_token'), true);
  }));

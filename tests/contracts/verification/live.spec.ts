import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findPacts } from '../../../src/contracts/pact/read-pact.ts';
import type { WireRequest } from '../../../src/http/exchange.ts';
import { runHere } from '../../support/command-here.ts';
import { FOREIGN, only, ownPacts, pactOf, verifyOn } from '../../support/contracts/verifying.ts';
import { withIndependentService, withLiveTarget } from '../../support/live-config.ts';

/** A service that is not ours, reached through a configuration, as somebody would reach staging. */

test('over HTTPS of a private authority, in a browser: the committed pacts are verified, exit 0', async () => {
  const info = test.info();
  await withIndependentService(
    { INDEPENDENT_SERVICE_TLS: '1', INDEPENDENT_SERVICE_DIR: info.outputPath('.') },
    {},
    async ({ file, env }) => {
      const { code, stdout } = await runHere(['contracts', 'verify', '--target', file], {
        ...env,
      });
      expect(stdout).toContain('12 of 12 interactions verified');
      expect(code).toBe(0);
    },
  );
});

test('only the own users are assigned and unassigned, and none is left assigned', async () => {
  await withLiveTarget({}, {}, async ({ target, ready }) => {
    const changes: WireRequest[] = [];
    const transport: typeof target.transport = (request) => {
      if (request.method === 'PUT' || request.method === 'DELETE') changes.push(request);
      return target.transport(request);
    };
    const pacts = only(await ownPacts(), 'a user is assigned', 'the assigned users are listed');
    const first = await verifyOn({ ...target, transport }, pacts);
    expect(first.others).toEqual({});
    const users = changes.map(({ url }) => url.split('/').at(-1));
    expect([users.at(0), users.at(-1)]).toEqual([ready.lockUser, ready.lockUser]);
    expect(new Set(users.slice(1, -1))).toEqual(new Set([ready.users[0]]));
    // The smoke flow of another verification insists on nobody being assigned.
    const second = await verifyOn(target, only(pacts, 'a user is assigned'));
    expect(second.verification.troubles).toEqual([]);
  });
});

test('a service that gives no refresh tokens is cleaned up after all the same', async () => {
  await withLiveTarget({}, {}, async ({ target }) => {
    const transport: typeof target.transport = async (request, signal) => {
      const response = await target.transport(request, signal);
      return { ...response, body: response.body.replace(/"refresh_token":/, '"no_refresh_token":') };
    };
    const pacts = only(await ownPacts(), 'a user is assigned', 'the assigned users are listed');
    const { others, verification } = await verifyOn({ ...target, transport }, pacts);
    expect(verification.troubles).toEqual([]);
    expect(Object.values(others)).toEqual(
      [1, 2].map(() => expect.stringContaining('a success without refresh_token (exchange.token-response)')),
    );
  });
});

test('what comes from people is withheld, and the reason can be read all the same', async () => {
  const [members] = only(
    findPacts([join(FOREIGN, 'shop-both-addresses.v3.json')]),
    'the members of a project',
  );
  const states = [{ name: 'a token pair was issued' }, { name: 'a user is assigned to a project' }];
  const request = members?.interactions[0]?.document.request;
  const pact = pactOf({
    providerStates: states,
    request,
    response: {
      status: 200,
      headers: { 'Content-Type': 'application/vnd.api+json' },
      body: { data: 'a text', meta: { total: 1 } },
    },
  });
  await withLiveTarget({}, {}, async ({ target }) => {
    const { others, verification } = await verifyOn(target, [pact]);
    expect(others['an interaction']).toContain(
      'the body at $.data: expected "a text" or its like, got an array',
    );
    expect(JSON.stringify(verification)).not.toContain('people.example.test');
  });
});

import type { Facts, WireApi } from './api.ts';
import { newPair } from './token-facts.ts';

/** Beside the seeds: a project with somebody assigned. */
export const RESOURCES = {
  SEED_PROJECTS: '["101","102","103","104"]',
  SEED_ASSIGNMENTS: '{"104":["504"]}',
};

/** Scopes, and the assigned users of projects. */
export async function resourceFacts(api: WireApi): Promise<Facts> {
  const full = (await newPair(api)).access_token;
  const reader = (await newPair(api, 'read')).access_token;
  const versioned = (await api.call('GET', '/projects/101/assigned_users', full)).status !== 404;
  const call = (method: string, project: string, user = '', token = full) => {
    const path = `/projects/${project}/assigned_users${user === '' ? '' : `/${user}`}`;
    return api.call(method, path, token, versioned ? '/v2' : '');
  };
  const status = async (...args: Parameters<typeof call>) => `${(await call(...args)).status}`;
  const listed = async (project: string) => idsIn(api, (await call('GET', project)).json);
  const withoutToken = await api.call(
    'GET',
    '/projects/104/assigned_users',
    undefined,
    versioned ? '/v2' : '',
  );
  const facts: Record<string, string> = {
    'version prefix': versioned ? '/v2' : 'none',
    'read token lists': await status('GET', '104', '', reader),
    'read token assigns': await status('PUT', '104', '501', reader),
    'read token unassigns': await status('DELETE', '104', '504', reader),
    'no token lists': `${withoutToken.status}`,
    'wrong token lists': await status('GET', '104', '', 'wrong'),
    'empty project': await listed('101'),
    'seeded project': await listed('104'),
  };
  facts['assign 501'] = await status('PUT', '101', '501');
  facts['after it'] = await listed('101');
  facts['assign 502, 503, 503'] =
    `${await status('PUT', '101', '502')} ${await status('PUT', '101', '503')} ${await status('PUT', '101', '503')}`;
  facts['after them'] = await listed('101');
  facts['another project'] = await listed('102');
  facts['unassign 502, 502'] =
    `${await status('DELETE', '101', '502')} ${await status('DELETE', '101', '502')}`;
  facts['without 502'] = await listed('101');
  facts['unknown project, unknown user'] =
    `${await status('GET', '999')} ${await status('PUT', '999', '501')} ${await status('PUT', '101', '999')}`;
  return facts;
}

/** The ids of a list, sorted. */
function idsIn({ server: { list } }: WireApi, json: unknown): string {
  const records = at(json, list.records);
  if (!Array.isArray(records)) return 'no list';
  return records
    .map((record) => String(at(record, list.id)))
    .sort()
    .join(' ');
}

function at(value: unknown, path: string): unknown {
  const names = path === '' ? [] : path.split('.');
  return names.reduce((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
}

import { headerOf } from '../../exchange/exchange.ts';
import { encodeId, present } from '../../flow/requests.ts';
import type { AspectAnswer } from '../../profiles/aspects.ts';
import { METHOD_PATHS, type MethodPath, OTHER_METHODS } from '../../profiles/expected/other-methods.ts';
import type { Lab } from '../lab.ts';
import type { Probe } from '../probe.ts';
import { bodyOf, contentTypeOf } from '../read.ts';

type Where = MethodPath;

/** Open point 17: methods that are not documented. */
export const otherMethods: Probe = {
  openPoint: 'other-methods',
  aspects: METHOD_PATHS.map((where) => `other-methods.${where}` as const),
  requests: 24,
  async run(lab) {
    for (const where of Object.keys(OTHER_METHODS) as Where[]) {
      const answers: Record<string, AspectAnswer> = {};
      for (const method of OTHER_METHODS[where]) answers[method] = await answered(lab, where, method);
      lab.see(`other-methods.${where}`, answers, 'each of the methods, once');
    }
  },
};

async function answered(lab: Lab, where: Where, method: string): Promise<AspectAnswer> {
  const plain = { method, url: urlOf(lab, where), headers: [['Accept', '*/*']] as const };
  // HEAD asks for no more than GET. The others get no token: what they would do with one is not ours to find out.
  const reads = method === 'HEAD' && where === 'assigned-users';
  const request = reads
    ? present({ ...plain, method: 'GET' }, lab.conversation.dialect, await lab.accessToken())
    : plain;
  const response = await lab.send(`${method} there`, { ...request, method });
  const { status } = response;
  const allow = headerOf(response, 'allow') !== undefined;
  return { status, allow, contentType: contentTypeOf(response), body: bodyOf(response) };
}

function urlOf({ target, conversation }: Lab, where: Where): string {
  const { authUrl, baseUrl, projects, users } = target;
  const prefix = conversation.dialect.versionPrefix;
  const list = `${baseUrl}${prefix}/projects/${encodeId(projects[0])}/assigned_users`;
  switch (where) {
    case 'authorize':
      return `${authUrl}/oauth/authorize`;
    case 'token':
      return `${authUrl}/oauth/token`;
    case 'account-area':
      return `${authUrl}/access-keys/applications`;
    case 'assigned-users':
      return list;
    case 'assigned-user':
      return `${list}/${encodeId(users[0])}`;
  }
}

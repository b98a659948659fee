import { isSuccess, type WireResponse } from '../../exchange/exchange.ts';
import type { Operation } from '../../flow/requests.ts';
import { resourceRequest } from '../../flow/requests.ts';
import { aspectsOfPoint } from '../../profiles/aspects.ts';
import type { Lab } from '../lab.ts';
import { noteResourceFailure } from '../notes.ts';
import { NotObservable, type Probe } from '../probe.ts';
import { bodyOf, contentTypeOf, successOf } from '../read.ts';

/** Open point 3: what the operations answer, repeated and with a body too. */
export const operations: Probe = {
  openPoint: 'operation-answers',
  aspects: [...aspectsOfPoint('operation-answers'), 'resource-failures.user-not-assigned'],
  requests: 16,
  async run(lab) {
    await lab.accessToken();
    const list = await honoured(lab, 'list');
    lab.see('operation-answers.list.status', list.status);
    lab.see('operation-answers.list.content-type', contentTypeOf(list));
    for (const operation of ['assign', 'unassign'] as const) {
      const response = await honoured(lab, operation);
      lab.see(`operation-answers.${operation}.status`, response.status);
      lab.see(`operation-answers.${operation}.content-type`, contentTypeOf(response));
      lab.see(`operation-answers.${operation}.body`, bodyOf(response));
      if (operation === 'assign') {
        const again = await lab.operate('assign');
        lab.see('operation-answers.assign.repeated', isSuccess(again) ? successOf(again) : 'refused');
      }
    }
    if (lab.wants('operation-answers.unassign.not-assigned', 'resource-failures.user-not-assigned')) {
      const again = await lab.operate('unassign');
      lab.see('operation-answers.unassign.not-assigned', isSuccess(again) ? successOf(again) : 'refused');
      if (isSuccess(again)) lab.see('resource-failures.user-not-assigned', null);
      else noteResourceFailure(lab, 'user-not-assigned', again);
    }
    for (const operation of ['assign', 'unassign'] as const) {
      const response = await withBody(lab, operation);
      lab.see(`operation-answers.${operation}.request-body`, isSuccess(response) ? 'ignored' : 'refused');
      if (operation === 'unassign' && !isSuccess(response)) await lab.operate('unassign');
    }
  },
};

async function honoured(lab: Lab, operation: Operation): Promise<WireResponse> {
  const response = await lab.operate(operation);
  if (isSuccess(response)) return response;
  throw new NotObservable(`${operation} is not honoured: status ${response.status}`);
}

async function withBody(lab: Lab, operation: 'assign' | 'unassign'): Promise<WireResponse> {
  const { target, conversation } = lab;
  if (conversation.dialect.presentation.in === 'form') {
    throw new NotObservable('the token fills the body of the request');
  }
  if (operation === 'unassign') await lab.operate('assign');
  const token = await lab.accessToken();
  const request = resourceRequest(target, conversation.dialect, {
    operation,
    project: target.projects[0],
    user: target.users[0],
    token,
  });
  const headers = request.headers.filter(([name]) => name.toLowerCase() !== 'content-type');
  return lab.send(`${operation} with a JSON body`, {
    ...request,
    headers: [...headers, ['Content-Type', 'application/json']],
    body: '{"unasked":"for"}',
  });
}

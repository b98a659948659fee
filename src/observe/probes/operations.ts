import { isSuccess, type WireResponse } from '../../exchange/exchange.ts';
import type { Operation } from '../../flow/request-style.ts';
import { resourceRequest } from '../../flow/requests.ts';
import { aspectsOfPoint } from '../../profiles/aspects.ts';
import { noteResourceFailure } from '../note-refusal.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { bodyOf, contentTypeOf, successOf } from '../read.ts';
import { NotObservable } from '../seen-so-far.ts';

export const operations: Probe = {
  openPoint: 'operation-answers',
  aspects: [...aspectsOfPoint('operation-answers'), 'resource-failures.user-not-assigned'],
  requests: 16,
  async run(context) {
    await context.accessToken();
    const list = await honoured(context, 'list');
    context.see('operation-answers.list.status', list.status);
    context.see('operation-answers.list.content-type', contentTypeOf(list));
    for (const operation of ['assign', 'unassign'] as const) {
      const response = await honoured(context, operation);
      context.see(`operation-answers.${operation}.status`, response.status);
      context.see(`operation-answers.${operation}.content-type`, contentTypeOf(response));
      context.see(`operation-answers.${operation}.body`, bodyOf(response));
      if (operation === 'assign') {
        const again = await context.operate('assign');
        context.see('operation-answers.assign.repeated', isSuccess(again) ? successOf(again) : 'refused');
      }
    }
    if (context.wants('operation-answers.unassign.not-assigned', 'resource-failures.user-not-assigned')) {
      const again = await context.operate('unassign');
      context.see('operation-answers.unassign.not-assigned', isSuccess(again) ? successOf(again) : 'refused');
      if (isSuccess(again)) context.see('resource-failures.user-not-assigned', null);
      else noteResourceFailure(context, 'user-not-assigned', again);
    }
    for (const operation of ['assign', 'unassign'] as const) {
      const response = await withBody(context, operation);
      context.see(`operation-answers.${operation}.request-body`, isSuccess(response) ? 'ignored' : 'refused');
      if (operation === 'unassign' && !isSuccess(response)) await context.operate('unassign');
    }
  },
};

async function honoured(context: ProbeContext, operation: Operation): Promise<WireResponse> {
  const response = await context.operate(operation);
  if (isSuccess(response)) return response;
  throw new NotObservable(`${operation} is not honoured: status ${response.status}`);
}

async function withBody(context: ProbeContext, operation: 'assign' | 'unassign'): Promise<WireResponse> {
  const { target, conversation } = context;
  if (conversation.requestStyle.presentation.in === 'form') {
    throw new NotObservable('the token fills the body of the request');
  }
  if (operation === 'unassign') await context.operate('assign');
  const token = await context.accessToken();
  const request = resourceRequest(target, conversation.requestStyle, {
    operation,
    project: target.projects[0],
    user: target.users[0],
    token,
  });
  const headers = request.headers.filter(([name]) => name.toLowerCase() !== 'content-type');
  return context.send(`${operation} with a JSON body`, {
    ...request,
    headers: [...headers, ['Content-Type', 'application/json']],
    body: '{"unasked":"for"}',
  });
}

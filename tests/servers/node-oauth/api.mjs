// The assigned users of a project.

import express from 'express';
import * as seeds from '../seeds.mjs';
import { oauth, Request, Response } from './model.mjs';
import { is } from './variants.mjs';

const oneList = [];
const assigned = new Map(seeds.projects.map(({ id }) => [id, is('shared-array') ? oneList : []]));
for (const [project, ids] of Object.entries(seeds.assignments))
  assigned.get(project).push(...ids.map(String));

export const api = express();
api.disable('x-powered-by');

const allows =
  (...scope) =>
  async (request, response, next) => {
    const answer = new Response();
    try {
      const { method, query, headers } = request;
      await oauth.authenticate(new Request({ method, query, headers, body: {} }), answer, { scope });
      next();
    } catch (error) {
      response
        .status(error.code ?? 500)
        .set(answer.headers)
        .json({ error: { code: error.name, message: error.message } });
    }
  };

const notFound = (response, what) =>
  response.status(404).json({ error: { code: 'not_found', message: `No such ${what}` } });

function find(request, response, next) {
  request.assigned = assigned.get(request.params.id);
  if (!request.assigned) return notFound(response, 'project');
  request.person = seeds.people.find(({ id }) => id === request.params.user_id);
  if (request.params.user_id && !request.person) return notFound(response, 'user');
  return next();
}

const record = ({ id, first_name, last_name, email_address }) => ({
  user: { id, name: `${first_name} ${last_name}`, email: email_address },
});

const list = '/v2/projects/:id/assigned_users';
const one = `${list}/:user_id`;

api.get(list, allows('read'), find, (request, response) => {
  const data = request.assigned.map((id) => record(seeds.people.find((each) => each.id === id)));
  response.json({ data, meta: { count: data.length } });
});

api.put(one, allows('write'), find, (request, response) => {
  if (!request.assigned.includes(request.person.id)) request.assigned.push(request.person.id);
  response.json({ data: record(request.person) });
});

// 204, also when the user was not assigned.
api.delete(one, allows('write', 'destroy'), find, (request, response) => {
  const index = request.assigned.indexOf(
    is('unassign-wrong-user') ? Number(request.person.id) : request.person.id,
  );
  if (index >= 0 || is('unassign-wrong-user')) request.assigned.splice(index, 1);
  response.status(204).end();
});

api.use((_request, response) => notFound(response, 'address'));

"""The token endpoint, and the assigned users of a project."""

from flask import Blueprint, jsonify, request

import oauth
import seeds
import store
from variants import is_

api = Blueprint('api', __name__)
ONE = '/v2/projects/<project>/assigned_users/<person>'


def _refuse(error, description):
    answer = jsonify(error=error, error_description=description)
    return answer, 400, {'Cache-Control': 'no-store'}


@api.post('/oauth/token')
def token():
    # repair: token.duplicate-parameter token.error-invalid-request
    if not is_('as-is'):
        if request.args:
            return _refuse('invalid_request', 'Parameters belong into the form.')
        if any(len(values) > 1 for _, values in request.form.lists()):
            return _refuse('invalid_request', 'A parameter is there twice.')
        needed = ['grant_type'] if request.authorization else ['grant_type', 'client_id']
        if request.form.get('grant_type') == 'authorization_code':
            needed.append('redirect_uri')
        for name in needed:
            if not request.form.get(name):
                return _refuse('invalid_request', f'Missing "{name}" in request.')
    # end of repair
    return oauth.server.create_token_response()


def _known(project, person=None):
    return project in seeds.PROJECTS and (person is None or person in seeds.PEOPLE)


def _not_found():
    return jsonify(message='not found'), 404


@api.get('/v2/projects/<project>/assigned_users')
@oauth.require_oauth('read')
def listed(project):
    if not _known(project):
        return _not_found()
    rows = store.run('SELECT person FROM assignments WHERE project = ? ORDER BY person', project)
    return jsonify(assigned_users=[{'user_id': int(row['person'])} for row in rows])


@api.put(ONE)
@oauth.require_oauth('write')
def assign(project, person):
    if not _known(project, person):
        return _not_found()
    store.run('INSERT OR IGNORE INTO assignments VALUES (?, ?)', project, person)
    return '', 204


@api.delete(ONE)
@oauth.require_oauth('destroy')
def unassign(project, person):
    if not _known(project, person):
        return _not_found()
    store.run('DELETE FROM assignments WHERE project = ? AND person = ?', project, person)
    return '', 204

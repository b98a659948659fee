"""The records that the environment seeds; README.md lists the variables."""

import json
import os

SCOPES = {
    'read': 'See who works on a project',
    'write': 'Put people on a project',
    'destroy': 'Take people off a project',
}


def _json(name, otherwise):
    return json.loads(os.environ.get(name) or otherwise)


def clients():
    for prefix, name in (('SEED_CLIENT', 'Conformance client'), ('SEED_CLIENT2', 'Other client')):
        client_id = os.environ.get(f'{prefix}_ID')
        addresses = 'SEED_REDIRECT_URIS' if prefix == 'SEED_CLIENT' else 'SEED_CLIENT2_REDIRECT_URIS'
        if client_id:
            yield client_id, os.environ[f'{prefix}_SECRET'], name, _json(addresses, '[]')


USERS = _json('SEED_USERS', '[]')
PROJECTS = [str(one) for one in _json('SEED_PROJECTS', '["101","102"]')]
PEOPLE = ['501', '502', '503', '504']
# {"project id": ["user id", ...]}
ASSIGNMENTS = _json('SEED_ASSIGNMENTS', '{}')

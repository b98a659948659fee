"""The models that Authlib asks for, over rows of the store."""

import json
import secrets
import time

from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, TokenMixin

import seeds
import store
from variants import is_


def _same(one, other):
    return secrets.compare_digest(one.encode(), other.encode())


class User:
    def __init__(self, row):
        self.id, self.email = row['id'], row['email']


def user_by_id(user_id):
    row = store.one('SELECT * FROM users WHERE id = ?', user_id)
    return row and User(row)


def user_by_password(email, password):
    row = store.one('SELECT * FROM users WHERE email = ?', email)
    return User(row) if row and _same(row['password'], password) else None


class Client(ClientMixin):
    """A confidential client, as Authlib's documentation has it: it may use every method and both grants."""

    def __init__(self, row):
        self.client_id, self.secret, self.name = row['client_id'], row['client_secret'], row['name']
        self.redirect_uris = json.loads(row['redirect_uris'])

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return self.redirect_uris[0]

    def get_allowed_scope(self, scope):
        return ' '.join(one for one in (scope or '').split() if one in seeds.SCOPES)

    def check_redirect_uri(self, redirect_uri):
        if is_('redirect-by-prefix'):
            return any(redirect_uri.startswith(one) for one in self.redirect_uris)
        return redirect_uri in self.redirect_uris

    def check_client_secret(self, client_secret):
        return _same(self.secret, client_secret)

    def check_endpoint_auth_method(self, method, endpoint):
        return method in ('client_secret_basic', 'client_secret_post')

    def check_response_type(self, response_type):
        return response_type == 'code'

    def check_grant_type(self, grant_type):
        return grant_type in ('authorization_code', 'refresh_token')


def client_by_id(client_id):
    row = store.one('SELECT * FROM clients WHERE client_id = ?', client_id)
    return row and Client(row)


class Code(AuthorizationCodeMixin):
    """A code, good for the five minutes of Authlib's own model."""

    def __init__(self, row):
        self.code, self.user_id, self.scope = row['code'], row['user_id'], row['scope']
        self.redirect_uri, self.auth_time = row['redirect_uri'], row['auth_time']
        self.code_challenge, self.code_challenge_method = row['code_challenge'], row['code_challenge_method']

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope

    def is_expired(self):
        return self.auth_time + 300 < time.time()


class Token(TokenMixin):
    def __init__(self, row):
        self.access_token, self.client_id, self.user_id = row['access_token'], row['client_id'], row['user_id']
        self.scope, self.issued_at, self.expires_in = row['scope'], row['issued_at'], row['expires_in']
        self.revoked = row['revoked']

    def check_client(self, client):
        return self.client_id == client.get_client_id()

    def get_scope(self):
        return self.scope

    def get_expires_in(self):
        return self.expires_in

    def is_expired(self):
        return self.issued_at + self.expires_in <= time.time()

    def is_revoked(self):
        return bool(self.revoked)

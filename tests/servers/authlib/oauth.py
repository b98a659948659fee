"""Authlib's authorization server and token check, as its documentation has them, and the lines that make them conform."""

import time

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector
from authlib.oauth2.rfc6749 import grants
from authlib.oauth2.rfc6749.errors import InvalidGrantError
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7636 import CodeChallenge

import store
from models import Code, Token, client_by_id, user_by_id
from variants import is_

CONFIG = {'OAUTH2_REFRESH_TOKEN_GENERATOR': not is_('refresh-tokens-off')}
# repair: exchange.expires-in-7200 refresh.expires-in-7200
if not is_('as-is', 'expires-default'):
    CONFIG['OAUTH2_TOKEN_EXPIRES_IN'] = {'authorization_code': 7200}
# end of repair
# repair: authorize.scope-unknown-refused
if not is_('as-is'):
    CONFIG['OAUTH2_SCOPES_SUPPORTED'] = ['read', 'write', 'destroy']
# end of repair


class AuthorizationCodeGrant(grants.AuthorizationCodeGrant):
    def save_authorization_code(self, code, request):
        store.run(
            'INSERT INTO codes VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
            code, request.client.client_id, request.redirect_uri, request.scope or '', request.user.id,
            int(time.time()), request.data.get('code_challenge'), request.data.get('code_challenge_method'),
        )

    def query_authorization_code(self, code, client):
        row = store.one('SELECT * FROM codes WHERE code = ? AND client_id = ?', code, client.client_id)
        if row and not Code(row).is_expired():
            return Code(row)

    def delete_authorization_code(self, authorization_code):
        if not is_('code-kept'):
            store.run('DELETE FROM codes WHERE code = ?', authorization_code.code)

    def authenticate_user(self, authorization_code):
        # repair: exchange.code-single-use-parallel
        # Authlib deletes the code after it has issued the tokens. Of several requests at once, the first to delete it goes on.
        if not is_('as-is', 'code-kept') and not store.changed('DELETE FROM codes WHERE code = ?', authorization_code.code):
            raise InvalidGrantError('Invalid "code" in request.')
        # end of repair
        return user_by_id(authorization_code.user_id)


class RefreshTokenGrant(grants.RefreshTokenGrant):
    # repair: refresh.token-response
    if not is_('as-is', 'refresh-by-basic-only'):
        TOKEN_ENDPOINT_AUTH_METHODS = ['client_secret_basic', 'client_secret_post']
    # end of repair
    # repair: refresh.token-response refresh.new-refresh-token
    INCLUDE_NEW_REFRESH_TOKEN = not is_('as-is', 'rotation-off')
    # end of repair

    def authenticate_refresh_token(self, refresh_token):
        row = store.one('SELECT * FROM tokens WHERE refresh_token = ? AND refresh_revoked = 0', refresh_token)
        return row and Token(row)

    def authenticate_user(self, credential):
        return user_by_id(credential.user_id)

    def revoke_old_credential(self, credential):
        if self.INCLUDE_NEW_REFRESH_TOKEN:
            store.run('UPDATE tokens SET refresh_revoked = 1 WHERE access_token = ?', credential.access_token)


class TokenValidator(BearerTokenValidator):
    def authenticate_token(self, token_string):
        row = store.one('SELECT * FROM tokens WHERE access_token = ?', token_string)
        return row and Token(row)


def _save_token(token, request):
    store.run(
        'INSERT INTO tokens (access_token, refresh_token, client_id, user_id, scope, issued_at, expires_in)'
        ' VALUES (?, ?, ?, ?, ?, ?, ?)',
        token['access_token'], token.get('refresh_token'), request.client.client_id, request.user.id,
        token.get('scope', ''), int(time.time()), token['expires_in'],
    )
    # repair: exchange.token-type-bearer refresh.token-type-bearer
    if not is_('as-is', 'token-type-caps'):
        token['token_type'] = 'bearer'
    # end of repair


server = AuthorizationServer(query_client=client_by_id, save_token=_save_token)
require_oauth = ResourceProtector()
require_oauth.register_token_validator(TokenValidator())


class DemandedChallenge(CodeChallenge):
    """PKCE for every client: the extension demands it of public ones alone."""

    def __call__(self, grant):
        super().__call__(grant)
        grant.register_hook('after_validate_authorization_request', self.demand)

    @staticmethod
    def demand(grant):
        from authlib.oauth2.rfc6749.errors import InvalidRequestError

        if not grant.request.data.get('code_challenge'):
            raise InvalidRequestError('Missing "code_challenge"')


def install(app):
    app.config.update(CONFIG)
    server.init_app(app)
    server.register_grant(AuthorizationCodeGrant, [DemandedChallenge(required=True)] if is_('pkce-required') else None)
    server.register_grant(RefreshTokenGrant)

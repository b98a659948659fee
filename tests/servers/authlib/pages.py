"""Sign-in, consent and the authorization request."""

import secrets
from urllib.parse import urlencode

from authlib.oauth2 import OAuth2Error
from flask import Blueprint, redirect, render_template_string, request, session

import oauth
import seeds
from models import client_by_id, user_by_id, user_by_password
from variants import is_

pages = Blueprint('pages', __name__)

FRAME = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title></head>
<body><h1>{{ title }}</h1>
{% if problem %}<p role="alert">{{ problem }}</p>{% endif %}
"""
SIGN_IN = FRAME + """<form method="post"><input type="hidden" name="csrf" value="{{ csrf }}">
<p><label>E-mail <input name="email" type="email" autocomplete="username"></label></p>
<p><label>Password <input name="word" type="password" autocomplete="current-password"></label></p>
<p><button type="submit" id="enter">Enter</button></p></form></body></html>"""
CONSENT = FRAME + """<p>{{ client.name }} asks to:</p>
<ul>{% for scope in scopes %}<li>{{ scope }}</li>{% endfor %}</ul>
<form method="post"><input type="hidden" name="csrf" value="{{ csrf }}">
<button type="submit" name="confirm" value="yes">Agree</button>
<button type="submit" name="confirm" value="no">Disagree</button></form></body></html>"""
PROBLEM = FRAME + '</body></html>'


def _csrf():
    return session.setdefault('csrf', secrets.token_urlsafe(24))


def _page(template, status=200, **values):
    headers = {'X-Frame-Options': 'DENY', 'Cache-Control': 'no-store'}
    return render_template_string(template, csrf=_csrf(), **values), status, headers


def _problem(text):
    return _page(PROBLEM, 400, title='This request cannot be completed', problem=text)


@pages.route('/sign-in', methods=['GET', 'POST'])
def sign_in():
    problem = None
    if request.method == 'POST' and request.form.get('csrf') == _csrf():
        user = user_by_password(request.form.get('email', ''), request.form.get('word', ''))
        next_page = request.args.get('next', '/')
        if user and next_page.startswith('/oauth/'):
            session['user'] = user.id
            return redirect(next_page)
        problem = 'Wrong e-mail or password.'
    return _page(SIGN_IN, 401 if problem else 200, title='Sign in', problem=problem)


def _refusal():
    """Returns the answer to a request that the document does not have and Authlib takes; None otherwise."""
    asked = request.args
    # repair: authorize.redirect-uri-required authorize.scope-required authorize.duplicate-parameter
    if any(len(values) > 1 for _, values in asked.lists()):
        return _problem('A parameter is there twice.')
    client = client_by_id(asked.get('client_id'))
    address = asked.get('redirect_uri')
    if not client or not address or not client.check_redirect_uri(address):
        return _problem('Unknown application, or an address that it has not authorized.')
    if not asked.get('scope', '').split():
        state = {'state': asked['state']} if 'state' in asked else {}
        separator = '&' if '?' in address else '?'
        return redirect(address + separator + urlencode({'error': 'invalid_scope', **state}))
    # end of repair
    return None


@pages.route('/oauth/authorize', methods=['GET', 'POST'])
def authorize():
    refusal = None if is_('as-is') else _refusal()
    if refusal:
        return refusal
    user = user_by_id(session['user']) if 'user' in session else None
    if request.method == 'POST':
        if not user or request.form.get('csrf') != _csrf():
            return _page(PROBLEM, 403, title='This page has expired')
        agreed = request.form.get('confirm') == 'yes'
        return oauth.server.create_authorization_response(grant_user=user if agreed else None)
    try:
        grant = oauth.server.get_consent_grant(end_user=user)
    except OAuth2Error as error:
        if getattr(error, 'redirect_uri', None):
            return oauth.server.handle_error_response(request, error)
        return _problem(f'{error.error}: {error.description}')
    if not user:
        return redirect('/sign-in?' + urlencode({'next': request.full_path}))
    scopes = [seeds.SCOPES[one] for one in (grant.request.scope or '').split() if one in seeds.SCOPES]
    return _page(CONSENT, title='Agree?', client=grant.client if hasattr(grant, 'client') else grant.request.client, scopes=scopes)

"""Starts the host on 127.0.0.1:$PORT (0 picks a free port), and prints `ready ADDRESS`."""

import atexit
import logging
import os
import shutil
import signal
import sys
import tempfile

import django

sys.path.append(os.path.dirname(sys.path[0]))  # seeds.py

import seeds
from configuration import configure

FOLDER = tempfile.mkdtemp(prefix='django-server-')
atexit.register(shutil.rmtree, FOLDER, True)
configure(FOLDER)
django.setup()

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from oauth2_provider.models import get_application_model
from werkzeug.serving import WSGIRequestHandler, make_server

call_command('migrate', verbosity=0)
for user in seeds.USERS:
    get_user_model().objects.create_user(user['email'], user['email'], user['password'])
for client_id, secret, name, addresses in seeds.clients():
    get_application_model().objects.create(
        client_id=client_id,
        client_secret=secret,
        client_type='confidential',
        authorization_grant_type='authorization-code',
        name=name,
        redirect_uris=' '.join(addresses),
    )


class Handler(WSGIRequestHandler):
    protocol_version = 'HTTP/1.1'


for name in ('django', 'oauth2_provider', 'oauthlib', 'werkzeug'):
    logging.getLogger(name).setLevel(logging.CRITICAL)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
application = get_wsgi_application()
listener = make_server(
    '127.0.0.1', int(os.environ.get('PORT', '4750')), application, threaded=True, request_handler=Handler
)
listener.daemon_threads = True
print(f'ready http://127.0.0.1:{listener.server_port}', flush=True)
listener.serve_forever()

"""Starts the host on 127.0.0.1:$PORT (0 picks a free port), and prints `ready ADDRESS`."""

import logging
import os
import secrets
import signal
import sys

os.environ['AUTHLIB_INSECURE_TRANSPORT'] = '1'  # plain HTTP, on this machine alone
sys.path.append(os.path.dirname(sys.path[0]))  # seeds.py

from flask import Flask
from werkzeug.serving import WSGIRequestHandler, make_server

import oauth
import store
from api import api
from pages import pages

app = Flask(__name__)
app.secret_key = secrets.token_bytes(32)
app.config['SESSION_COOKIE_SAMESITE'] = 'Lax'
app.register_blueprint(pages)
app.register_blueprint(api)
oauth.install(app)
store.create()


class Handler(WSGIRequestHandler):
    protocol_version = 'HTTP/1.1'


logging.getLogger('werkzeug').setLevel(logging.ERROR)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
listener = make_server('127.0.0.1', int(os.environ.get('PORT', '4740')), app, threaded=True, request_handler=Handler)
listener.daemon_threads = True
print(f'ready http://127.0.0.1:{listener.server_port}', flush=True)
listener.serve_forever()

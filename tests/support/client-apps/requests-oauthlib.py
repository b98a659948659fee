"""A web application written after the documentation of requests-oauthlib ("Web application flow"); its state is in LEGACY_STATE."""
import json
import os
import uuid
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlparse

from requests_oauthlib import OAuth2Session

env = os.environ
env["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # the emulator is on loopback
token_url = env["LEGACY_AUTH_URL"] + "/oauth/token"
credentials = {"client_id": env["LEGACY_CLIENT_ID"], "client_secret": env["LEGACY_CLIENT_SECRET"]}
states = {}


def store(user):
    return os.path.join(env["LEGACY_STATE"], user + ".json")


def save(user, token):
    with open(store(user), "w") as file:
        json.dump(token, file)


def session(user):
    with open(store(user)) as file:
        token = json.load(file)
    return OAuth2Session(
        env["LEGACY_CLIENT_ID"],
        token=token,
        auto_refresh_url=token_url,
        auto_refresh_kwargs=credentials,
        token_updater=lambda fresh: save(user, fresh),
    )


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.respond("GET")

    def do_PUT(self):
        self.respond("PUT")

    def do_DELETE(self):
        self.respond("DELETE")

    def respond(self, method):
        try:
            self.serve(method)
        except Exception as error:  # the framework's error page
            self.end(502, type(error).__name__)

    def serve(self, method):
        path = urlparse(self.path).path
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get("user")
        user = cookie.value if cookie else str(uuid.uuid4())
        if path == "/":
            return self.end(200, "requests-oauthlib")
        if path == "/connect":
            scope = ["read", "write", "destroy"]
            oauth = OAuth2Session(env["LEGACY_CLIENT_ID"], redirect_uri=env["LEGACY_REDIRECT_URI"], scope=scope)
            address, states[user] = oauth.authorization_url(env["LEGACY_AUTH_URL"] + "/oauth/authorize")
            self.send_response(302)
            self.send_header("Location", address)
            self.send_header("Set-Cookie", "user=" + user + "; HttpOnly; Path=/")
            self.end_headers()
            return None
        if path == "/callback":
            oauth = OAuth2Session(
                env["LEGACY_CLIENT_ID"], redirect_uri=env["LEGACY_REDIRECT_URI"], state=states.get(user)
            )
            token = oauth.fetch_token(
                token_url,
                client_secret=env["LEGACY_CLIENT_SECRET"],
                authorization_response=env["LEGACY_REDIRECT_URI"] + "?" + urlparse(self.path).query,
                include_client_id=True,
            )
            save(user, token)
            return self.end(200, "Connected")
        _, _, project, _, *assigned = path.split("/")
        address = env["LEGACY_BASE_URL"] + "/v2/projects/" + project + "/assigned_users"
        answer = session(user).request(method, "/".join([address, *assigned]))
        return self.end(answer.status_code, answer.text)

    def end(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(env["PORT"])), Handler).serve_forever()

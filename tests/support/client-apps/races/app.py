"""A web application whose users keep their pairs in LEGACY_STATE; CLIENT_MODE names its one mistake, or none."""
import json
import os
import threading
import time
import uuid
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.parse import parse_qs, quote, urlencode, urlparse
from urllib.request import Request, urlopen

env = os.environ
mode = env["CLIENT_MODE"]
guard = threading.Lock()
locks = {}


class Refused(Exception):
    pass


class Answer(Exception):
    """Ends a request with this status and text."""


def place(user, ending="json"):
    return os.path.join(env["LEGACY_STATE"], user + "." + ending)


def load(user):
    try:
        with open(place(user)) as file:
            return json.load(file)
    except FileNotFoundError:
        raise Answer(401, "sign in first")


def save(user, answer):
    pair = {**answer, "due": time.time() + answer["expires_in"]}
    part = place(user, uuid.uuid4().hex)
    with open(part, "w") as file:
        json.dump(pair, file)
    os.replace(part, place(user))
    return pair


def forget(user):
    if os.path.exists(place(user)):
        os.remove(place(user))


def token(**form):
    credentials = {"client_id": env["LEGACY_CLIENT_ID"], "client_secret": env["LEGACY_CLIENT_SECRET"]}
    data = urlencode({**form, **credentials}).encode()
    try:
        with urlopen(env["LEGACY_AUTH_URL"] + "/oauth/token", data, timeout=4) as answer:
            return json.load(answer)
    except HTTPError as error:
        raise Refused() if b"invalid_grant" in error.read() else error


def lock(name):
    with guard:
        return locks.setdefault(name, threading.Lock())


def refreshed(user, pair):
    try:
        return save(user, token(grant_type="refresh_token", refresh_token=pair["refresh_token"]))
    except Refused:
        # Without a lock, the pair may be another call's new one.
        forget(user)
        raise Answer(401, "sign in again")


def renewed(user, stale):
    if mode in ("no-lock", "one-worker", "session-locked"):
        return refreshed(user, stale)
    if mode == "taken-out":
        try:
            os.rename(place(user), place(user, "taken"))
        except FileNotFoundError:
            raise Answer(401, "sign in first")
        return refreshed(user, stale)
    if mode == "lock-file":
        try:
            os.close(os.open(place(user, "lock"), os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            raise Answer(500, "another process refreshes")
        try:
            return refreshed(user, stale)
        finally:
            os.remove(place(user, "lock"))
    with lock(user):
        stored = load(user)
        return refreshed(user, stored) if stored["access_token"] == stale["access_token"] else stored


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        try:
            self.serve()
        except Answer as answer:
            self.end(*answer.args)
        except OSError as error:
            self.end(502, type(error).__name__)

    def serve(self):
        cookies = {name: one.value for name, one in SimpleCookie(self.headers.get("Cookie", "")).items()}
        address = urlparse(self.path)
        query = {name: one[0] for name, one in parse_qs(address.query).items()}
        if address.path == "/":
            return self.end(200, "here")
        if address.path == "/connect":
            state = uuid.uuid4().hex
            asked = {"client_id": env["LEGACY_CLIENT_ID"], "redirect_uri": env["LEGACY_REDIRECT_URI"]}
            form = urlencode({**asked, "response_type": "code", "scope": "read write destroy", "state": state})
            self.send_response(302)
            self.send_header("Location", env["LEGACY_AUTH_URL"] + "/oauth/authorize?" + form)
            for cookie in ("state=" + state, "user=" + query["user"], "browser=" + uuid.uuid4().hex):
                self.send_header("Set-Cookie", cookie + "; HttpOnly; Path=/")
            return self.end_headers()
        user = cookies["user"]
        if address.path == "/callback":
            if query.get("state") != cookies.get("state"):
                raise Answer(400, "the state is another")
            redirect = env["LEGACY_REDIRECT_URI"]
            save(user, token(grant_type="authorization_code", code=query["code"], redirect_uri=redirect))
            return self.end(200, "Connected")
        if mode == "session-locked":
            with lock(cookies["browser"]):
                return self.list(user, address.path)
        return self.list(user, address.path)

    def list(self, user, path):
        pair = load(user)
        if time.time() >= pair["due"]:
            pair = renewed(user, pair)
        project = quote(path.split("/")[2])
        request = Request(env["LEGACY_BASE_URL"] + "/v2/projects/" + project + "/assigned_users")
        request.add_header("Authorization", "Bearer " + pair["access_token"])
        with urlopen(request, timeout=4) as answer:
            return self.end(200, answer.read().decode())

    def end(self, status, text):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


server = HTTPServer if mode == "one-worker" else ThreadingHTTPServer
server(("127.0.0.1", int(env["PORT"])), Handler).serve_forever()

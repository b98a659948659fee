"""A script that lists the members of a project: your own, in small. It keeps its pair of tokens in a file."""

import json
import os
import sys
from pathlib import Path

from requests_oauthlib import OAuth2Session

AUTH_URL = os.environ["LEGACY_AUTH_URL"]
BASE_URL = os.environ["LEGACY_BASE_URL"]
CLIENT_ID = os.environ["LEGACY_CLIENT_ID"]
CLIENT_SECRET = os.environ["LEGACY_CLIENT_SECRET"]
REDIRECT_URI = os.environ["LEGACY_REDIRECT_URI"]
PROJECT_ID = os.environ["LEGACY_PROJECT_ID"]

STORE = Path(os.environ.get("TOKENS", "tokens.json"))


def keep(token):
    """The pair is replaced as a whole: a refresh token is good for one refresh."""
    STORE.write_text(json.dumps(token))


def session(**more):
    return OAuth2Session(
        CLIENT_ID,
        redirect_uri=REDIRECT_URI,
        scope=["read"],
        auto_refresh_url=f"{AUTH_URL}/oauth/token",
        # The service takes credentials in the form, in a refresh too.
        auto_refresh_kwargs={"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET},
        token_updater=keep,
        **more,
    )


def connect():
    """Returns the address that the user is to visit, and the state that must come back."""
    return session().authorization_url(f"{AUTH_URL}/oauth/authorize")


def callback(address, state):
    """Takes the address that the service sent the user back to."""
    keep(
        session(state=state).fetch_token(
            f"{AUTH_URL}/oauth/token",
            authorization_response=address,
            client_secret=CLIENT_SECRET,
            include_client_id=True,
        )
    )


def members():
    token = json.loads(STORE.read_text())
    answer = session(token=token).get(f"{BASE_URL}/v2/projects/{PROJECT_ID}/assigned_users")
    answer.raise_for_status()
    return [user["name"] for user in answer.json()]


if __name__ == "__main__":
    if sys.argv[1:] == ["connect"]:
        print(*connect())
    elif sys.argv[1:2] == ["callback"]:
        callback(*sys.argv[2:])
    else:
        print("\n".join(members()))

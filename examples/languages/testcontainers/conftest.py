"""The emulator as a container for a session of pytest. Where no daemon is, LEGACY_CONTROL_URL and the others name one that runs."""

import json
import os
import urllib.error
import urllib.request

import pytest

TOKEN = "token-of-this-session"
PORTS = {"AUTH": 8700, "BASE": 8701, "CONTROL": 8702}


def started():
    """Starts the image on the ports that it announces, because redirects name them."""
    from testcontainers.core.container import DockerContainer
    from testcontainers.core.waiting_utils import wait_for_logs

    options = "--public-url http://localhost:8700 --seed-default --auto-consent --control 8702 --control-token env:CONTROL_TOKEN"
    container = DockerContainer("legacy-emulator").with_env("CONTROL_TOKEN", TOKEN).with_command(options)
    for port in PORTS.values():
        container = container.with_bind_ports(port, port)
    container.start()
    wait_for_logs(container, "Stop with")
    for name, port in PORTS.items():
        os.environ[f"LEGACY_{name}_URL"] = f"http://localhost:{port}"
    os.environ["LEGACY_CONTROL_TOKEN"] = TOKEN
    return container


def control(method, path, body=None, also=()):
    headers = {"Authorization": "Bearer " + os.environ["LEGACY_CONTROL_TOKEN"]}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(os.environ["LEGACY_CONTROL_URL"] + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as refusal:
        text = refusal.read().decode()
        if refusal.code in also:
            return text
        raise AssertionError(f"{method} {path}: status {refusal.code}: {text}") from None


@pytest.fixture(scope="session", autouse=True)
def emulator():
    container = None if "LEGACY_CONTROL_URL" in os.environ else started()
    seed = json.loads(control("GET", "/state"))["seed"]
    application = seed["applications"][0]
    os.environ.setdefault("LEGACY_CLIENT_ID", application["clientId"])
    os.environ.setdefault("LEGACY_CLIENT_SECRET", application["clientSecret"])
    os.environ.setdefault("LEGACY_REDIRECT_URI", application["redirectUris"][0])
    os.environ.setdefault("LEGACY_PROJECT_ID", seed["projects"][0]["id"])
    control("DELETE", "/client-report")
    yield
    if container is not None:
        container.stop()


@pytest.fixture(autouse=True)
def mark(request):
    control("PUT", "/mark", {"mark": request.node.name})
    yield
    control("PUT", "/mark", {"mark": None})

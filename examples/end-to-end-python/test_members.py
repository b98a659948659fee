"""Tests of members.py against the emulator, which runs as a process beside them."""

import json
import os
import shlex
import subprocess
import tempfile
import time
import unittest
import urllib.request

# oauthlib refuses plain http otherwise; the emulator speaks HTTPS with --tls FOLDER, too.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

EMULATE = shlex.split(os.environ.get("EMULATE", "npx legacy-conformance"))


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def redirect_of(address):
    """Where the service sends the user: with --auto-consent at once, without a form."""
    try:
        urllib.request.build_opener(NoRedirect).open(address)
    except urllib.error.HTTPError as answer:
        return answer.headers["Location"]
    raise AssertionError("the service did not redirect")


class MembersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        options = ["emulate", "--auto-consent", "--port", "0", "--api-port", "0", "--control", "0", "--json"]
        cls.emulator = subprocess.Popen([*EMULATE, *options], stdout=subprocess.PIPE, text=True)
        cls.told = json.loads(cls.emulator.stdout.readline())
        application = cls.told["applications"][0]
        os.environ.update(
            LEGACY_AUTH_URL=cls.told["authUrl"],
            LEGACY_BASE_URL=cls.told["baseUrl"],
            LEGACY_CLIENT_ID=application["clientId"],
            LEGACY_CLIENT_SECRET=application["clientSecret"],
            LEGACY_REDIRECT_URI=application["redirectUris"][0],
            LEGACY_PROJECT_ID=cls.told["projects"][0]["id"],
            TOKENS=os.path.join(tempfile.mkdtemp(), "tokens.json"),
        )
        import members

        cls.members = members

    @classmethod
    def tearDownClass(cls):
        cls.emulator.terminate()
        cls.emulator.wait()
        cls.emulator.stdout.close()

    def setUp(self):
        address, state = self.members.connect()
        self.members.callback(redirect_of(address), state)

    def test_lists_the_members(self):
        self.assertEqual(self.members.members(), ["Chidi Okafor", "Dana Whitfield"])

    def test_refreshes_when_the_token_has_expired(self):
        before = json.loads(self.members.STORE.read_text())
        # The library looks at its own clock: let its token be old, as two hours later.
        self.members.keep({**before, "expires_at": time.time() - 1})
        self.assertEqual(self.members.members(), ["Chidi Okafor", "Dana Whitfield"])
        after = json.loads(self.members.STORE.read_text())
        self.assertNotEqual(after["refresh_token"], before["refresh_token"])


if __name__ == "__main__":
    unittest.main()

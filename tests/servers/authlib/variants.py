"""The settings, which server.yaml describes. $VARIANT names one; `is_('name')` marks its lines."""

import os
import sys

NAMES = [
    'conforming',
    'as-is',
    'token-type-caps',
    'expires-default',
    'refresh-tokens-off',
    'rotation-off',
    'refresh-by-basic-only',
    'redirect-by-prefix',
    'code-kept',
    'pkce-required',
]

NAME = os.environ.get('VARIANT') or 'conforming'
if NAME not in NAMES:
    sys.exit(f'unknown VARIANT "{NAME}"; known: {" ".join(NAMES)}')


def is_(*names):
    """Tells that the host runs in one of these settings."""
    return NAME in names

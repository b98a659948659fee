"""The names of the settings; `is_('name')` marks their lines."""

import os

NAMES = ['conforming', 'as-is', 'token-type-caps', 'expires-default', 'rotation-off', 'refresh-grace', 'pkce-required']
VARIANT = os.environ.get('VARIANT', 'conforming')
if VARIANT not in NAMES:
    raise SystemExit(f'VARIANT: expected one of {", ".join(NAMES)}; got {VARIANT}')


def is_(*names):
    return VARIANT in names

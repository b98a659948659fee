"""Django's settings, and those of the library."""

import os
import secrets

from django.conf import settings

import seeds
from variants import is_

PROVIDER = {
    'SCOPES': seeds.SCOPES,
    'ROTATE_REFRESH_TOKEN': not is_('rotation-off'),
    'REFRESH_TOKEN_GRACE_PERIOD_SECONDS': 120 if is_('refresh-grace') else 0,
    'PKCE_REQUIRED': is_('pkce-required'),
}
# repair: exchange.expires-in-7200 refresh.expires-in-7200
if not is_('as-is', 'expires-default'):
    PROVIDER['ACCESS_TOKEN_EXPIRE_SECONDS'] = 7200
# end of repair


def configure(folder):
    """@param folder gets the database"""
    contrib = ['auth', 'contenttypes', 'sessions']
    settings.configure(
        ALLOWED_HOSTS=['127.0.0.1'],
        DATABASES={
            'default': {
                'ENGINE': 'django.db.backends.sqlite3',
                'NAME': os.path.join(folder, 'store.sqlite3'),
                'OPTIONS': {'timeout': 20},
            }
        },
        DEFAULT_AUTO_FIELD='django.db.models.AutoField',
        INSTALLED_APPS=[f'django.contrib.{one}' for one in contrib] + ['oauth2_provider'],
        LOGIN_URL='/log-in',
        MIDDLEWARE=[
            'django.contrib.sessions.middleware.SessionMiddleware',
            'django.middleware.csrf.CsrfViewMiddleware',
            'django.contrib.auth.middleware.AuthenticationMiddleware',
            'django.middleware.clickjacking.XFrameOptionsMiddleware',
        ],
        OAUTH2_PROVIDER=PROVIDER,
        ROOT_URLCONF='pages',
        SECRET_KEY=secrets.token_urlsafe(32),
        TEMPLATES=[
            {
                'APP_DIRS': True,
                'BACKEND': 'django.template.backends.django.DjangoTemplates',
                'DIRS': [os.path.dirname(os.path.abspath(__file__))],
            }
        ],
        USE_TZ=True,
    )

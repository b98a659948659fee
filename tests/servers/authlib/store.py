"""SQLite in a temporary file: one connection for each thread, one writer at a time."""

import atexit
import json
import os
import shutil
import sqlite3
import tempfile
import threading

import seeds

_FOLDER = tempfile.mkdtemp(prefix='authlib-server-')
atexit.register(shutil.rmtree, _FOLDER, True)
_local = threading.local()


def _connection():
    if not hasattr(_local, 'connection'):
        _local.connection = sqlite3.connect(os.path.join(_FOLDER, 'store.sqlite3'), timeout=20, isolation_level=None)
        _local.connection.row_factory = sqlite3.Row
        _local.connection.execute('PRAGMA synchronous=OFF')
    return _local.connection


def run(statement, *values):
    """Executes a statement. Each is a transaction of its own."""
    return _connection().execute(statement, values)


def one(statement, *values):
    """Returns the first row, or None."""
    return run(statement, *values).fetchone()


def changed(statement, *values):
    """Tells that a statement changed a row."""
    return run(statement, *values).rowcount > 0


def create():
    _connection().executescript("""
        PRAGMA journal_mode=WAL;
        CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT UNIQUE, password TEXT);
        CREATE TABLE clients (client_id TEXT PRIMARY KEY, client_secret TEXT, name TEXT, redirect_uris TEXT);
        CREATE TABLE codes (
            code TEXT PRIMARY KEY, client_id TEXT, redirect_uri TEXT, scope TEXT, user_id INTEGER, auth_time INTEGER,
            code_challenge TEXT, code_challenge_method TEXT);
        CREATE TABLE tokens (
            access_token TEXT PRIMARY KEY, refresh_token TEXT UNIQUE, client_id TEXT, user_id INTEGER, scope TEXT,
            issued_at INTEGER, expires_in INTEGER, revoked INTEGER DEFAULT 0, refresh_revoked INTEGER DEFAULT 0);
        CREATE TABLE assignments (project TEXT, person TEXT, PRIMARY KEY (project, person));
    """)
    for user in seeds.USERS:
        run('INSERT INTO users (email, password) VALUES (?, ?)', user['email'], user['password'])
    for client_id, secret, name, addresses in seeds.clients():
        run('INSERT INTO clients VALUES (?, ?, ?, ?)', client_id, secret, name, json.dumps(addresses))
    for project, people in seeds.ASSIGNMENTS.items():
        for person in people:
            run('INSERT INTO assignments VALUES (?, ?)', project, person)

// The settings, which server.yaml describes. $VARIANT names one; `is('name')` marks its lines in server.mjs.

const NAMES = [
  'conforming',
  'as-is',
  'token-type-caps',
  'expires-default',
  'expires-7199',
  'refresh-kept',
  'code-replayable',
  'redirect-forgotten',
  'state-required',
  'plus-not-space',
  'json-token-body',
  'basic-only',
  'unassign-wrong-user',
  'shared-array',
];

const name = process.env.VARIANT || 'conforming';
if (!NAMES.includes(name)) {
  console.error(`unknown VARIANT "${name}"; known: ${NAMES.join(' ')}`);
  process.exit(1);
}

/** Tells that the host runs in one of these settings. */
export const is = (...names) => names.includes(name);

/**
 * The environment that the browser's process gets: what it needs to find its files, its display and its language. A list of what
 * is let through, because any other variable may hold a secret, the configuration's own among them.
 */
const LET_THROUGH = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'TMPDIR',
  'TMP',
  'TEMP',
  'LANG',
  'LANGUAGE',
  'TZ',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DBUS_SESSION_BUS_ADDRESS',
  'LD_LIBRARY_PATH',
  'CHROME_DEVEL_SANDBOX',
  // Windows.
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
]);

/** Names of which the beginning decides. */
const FAMILIES = /^(?:LC_|XDG_|FONTCONFIG_)/;

/** The part of an environment that a browser is started with. Pure. */
export function browserEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && (LET_THROUGH.has(name.toUpperCase()) || FAMILIES.test(name))
        ? [[name, value] as const]
        : [],
    ),
  );
}

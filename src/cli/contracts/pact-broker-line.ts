/** Verbs of version 0.1, replaced by Pact's own program, that concern one version. */
const ABOUT_A_VERSION = ['can-i-deploy', 'record-deployment', 'record-release'];
const REMOVED = new Set([
  ...ABOUT_A_VERSION,
  ...['record-undeployment', 'record-support-ended', 'create-environment', 'create-or-update-pacticipant'],
  'delete-branch',
]);

/** Options omitted with their values: credentials are never printed, and `pact-broker` has no `--results`. */
const LEFT_OUT =
  /^(-k|-u|-p|--broker-token|--broker-username|--broker-password|--results|-o|--output|--no-production)$/;
const WITHOUT_VALUE = /^(--production|--no-production|--dry-run)$/;

export function pactBrokerLine(verb: string, args: readonly string[]): string | undefined {
  if (!REMOVED.has(verb)) return undefined;
  const options = optionsIn(args).filter(([name]) => !LEFT_OUT.test(name));
  const named = (name: RegExp) => options.filter(([option]) => name.test(option));
  const [who, version] = [named(/^(-a|--pacticipant)$/), named(/^(-e|--version|--version-number)$/)];
  const versions = version.map(([, value]) => ['--version', value] as const);
  const missing = ABOUT_A_VERSION.includes(verb) && version.length === 0;
  const others = options.filter((option) => !who.includes(option) && !version.includes(option));
  // can-i-deploy of pact-cli 18.1.2 ignores a --version that does not follow the pacticipant, and answers yes.
  const words = [...who, ...versions].flat().map(shellWord);
  const line = [
    verb,
    ...words,
    ...(missing ? ['--version "$VERSION"'] : []),
    ...others.flat().map(shellWord),
  ];
  return `contracts ${verb}: removed; Pact's own program does it (npm install --save-dev @pact-foundation/pact-cli), with the same PACT_BROKER_… variables:
  npx pact-broker ${line.filter((word) => word !== '').join(' ')}${NOTES[verb] ?? ''}`;
}

const NOTES: Readonly<Record<string, string>> = {
  'can-i-deploy':
    '\nIts exit 1 may be an outage of the broker too. Leave -o json out: with it the exit code is 0 on "no".',
  'record-deployment':
    '\nThe version of a service that announces none is recorded by `legacy-conformance contracts provider`.',
};

function optionsIn(args: readonly string[]): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const [, name = '', value] = /^(--[^=]+)=(.*)$/s.exec(args[index] ?? '') ?? [];
    if (value !== undefined) found.push([name, value]);
    else if (WITHOUT_VALUE.test(args[index] ?? '')) found.push([args[index] ?? '', '']);
    else {
      found.push([args[index] ?? '', args[index + 1] ?? '']);
      index += 1;
    }
  }
  return found;
}

function shellWord(word: string): string {
  return word === '' || /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

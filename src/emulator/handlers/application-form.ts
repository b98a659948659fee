import type { FieldError } from '../pages/field.ts';
import type { ReceivedParameters } from '../parameters.ts';

const NAME_LENGTH = 100;
const ADDRESSES = 20;
const ADDRESS_LENGTH = 2_000;

export interface ApplicationForm {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

export interface RefusedApplicationForm {
  readonly values: { readonly name: string; readonly redirectUris: string };
  readonly errors: readonly FieldError[];
}

/** Validates `name` and `redirect_uris` (one address per line, RFC 6749 section 3.1.2). */
export function judgeApplicationForm(form: ReceivedParameters): ApplicationForm | RefusedApplicationForm {
  const name = (form.get('name') ?? '').trim();
  const typed = form.get('redirect_uris') ?? '';
  const redirectUris = typed
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const errors = [...nameErrors(name), ...addressErrors(redirectUris)];
  if (errors.length > 0) return { values: { name, redirectUris: typed.replaceAll('\r\n', '\n') }, errors };
  return { name, redirectUris };
}

function nameErrors(name: string): readonly FieldError[] {
  if (name === '') return [{ field: 'name', message: 'Give the application a name.' }];
  if (name.length <= NAME_LENGTH) return [];
  return [
    { field: 'name', message: `Shorten the name to ${NAME_LENGTH} characters; it has ${name.length}.` },
  ];
}

function addressErrors(addresses: readonly string[]): readonly FieldError[] {
  const field = 'redirect_uris';
  if (addresses.length === 0) return [{ field, message: 'Give at least one redirect address.' }];
  if (addresses.length > ADDRESSES) {
    return [
      { field, message: `Give ${ADDRESSES} redirect addresses at most; these are ${addresses.length}.` },
    ];
  }
  return addresses.flatMap((address) => {
    const problem = redirectUriProblem(address);
    return problem === undefined ? [] : [{ field, message: `${shortened(address)}: ${problem}` }];
  });
}

export function redirectUriProblem(address: string): string | undefined {
  if (address.length > ADDRESS_LENGTH) return `is longer than ${ADDRESS_LENGTH} characters.`;
  const url = URL.parse(address);
  if (url === null) return 'is no absolute address. Write one like https://client.example/callback.';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https:// or http://.';
  if (address.includes('#')) return 'must not have a fragment (RFC 6749 section 3.1.2).';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password.';
  return undefined;
}

function shortened(address: string): string {
  return address.length > 80 ? `${address.slice(0, 79)}…` : address;
}

import { turned } from '../flow/never-issued.ts';

export { neverIssued, unknownId } from '../flow/never-issued.ts';

/**
 * What a value becomes when somebody gets it almost right: first, middle or last character changed, cut short, longer,
 * or in another letter case. Each once, none equal to the value.
 */
export function alterations(value: string): readonly string[] {
  const middle = Math.floor(value.length / 2);
  const altered = [
    changedAt(value, 0),
    changedAt(value, middle),
    changedAt(value, value.length - 1),
    value.slice(0, -1),
    value.slice(0, Math.max(1, middle)),
    `${value}x`,
    swapCase(value),
  ];
  return [...new Set(altered)].filter((a) => a !== value && a !== '');
}

/** {@link alterations}, and what only a form can carry: a NUL after the value, as padding to some length adds it. */
export function alterationsInForm(value: string): readonly string[] {
  return [...alterations(value), `${value}\0`];
}

/**
 * In which way a parameter's value differs from the usual one, without telling either: `client_secret cut short`. What
 * fails for one alteration alone must read otherwise than what fails for all.
 */
export function howAltered(name: string, value: string, usual: string | undefined): string {
  if (value === '') return `empty ${name}`;
  if (usual === undefined) return `own ${name}`;
  if (value === `${usual}\0`) return `${name} followed by NUL`;
  if (value.startsWith(usual)) return `${name} made longer`;
  if (usual.startsWith(value)) return `${name} cut short`;
  if (value.toLowerCase() === usual.toLowerCase()) return `${name} in another letter case`;
  const differing = [...value].filter((character, i) => character !== usual[i]).length;
  if (value.length === usual.length && differing === 1) return `${name} altered by a character`;
  return `another ${name}`;
}

function changedAt(value: string, index: number): string {
  return value.slice(0, index) + turned(value[index] ?? 'a', 1) + value.slice(index + 1);
}

function swapCase(value: string): string {
  return [...value].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
}

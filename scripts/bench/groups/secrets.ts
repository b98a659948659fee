import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { SecretRegistry } from '../../../src/http/secrets/registry.ts';
import { type Group, type Measurement, ratioTarget } from '../figures.ts';

const ROUNDS = 3;

/** Characters of each text: five times what a full report holds. */
const SIZE = 5_000_000;

/** Number of secrets in a long run on a live target. */
const SECRETS = 5_000;

/** A search reads a text some thirty times, gzip once: for escapes, and for each possible encoding of bytes. */
const MOST = 25;

const filled = (text: string) => text.repeat(Math.ceil(SIZE / text.length)).slice(0, SIZE);

const TEXTS: readonly (readonly [name: string, text: () => string])[] = [
  ['prose', () => filled(readFileSync('README.md', 'utf8'))],
  ['JSON in JSON', () => filled(JSON.stringify(JSON.stringify(readFileSync('package-lock.json', 'utf8'))))],
  ['base64', () => filled(randomBytes(3_000_000).toString('base64'))],
  ['hexadecimal', () => filled(randomBytes(3_000_000).toString('hex'))],
  ['percent-encoded many times over', () => filled(`%${'25'.repeat(1_000)}41`)],
];

/** Measures the search of a text for all secrets of a run, in every encoding. */
export async function secretsGroup(): Promise<Group> {
  const registry = new SecretRegistry();
  for (let count = 0; count < SECRETS; count += 1) {
    registry.register('access_token', randomBytes(32).toString('base64url'));
  }
  const found = TEXTS.map(([name, make]) => {
    const text = make();
    return {
      name,
      searched: timesOf(() => registry.find(text)),
    };
  });
  const chance = randomBytes(SIZE);
  const packed = timesOf(() => gzipSync(chance));
  return {
    name: 'secrets',
    title: `Searching 5 MB for ${SECRETS} secrets in every encoding, beside gzip of as many bytes of chance, ${ROUNDS} rounds`,
    measurements: [
      { name: 'gzip', unit: 'ms', rounds: packed },
      ...found.map(({ name, searched }): Measurement => ({ name, unit: 'ms', rounds: searched })),
    ],
    targets: found.map(({ name, searched }) =>
      ratioTarget('at-most', MOST, `search / gzip, ${name}`, searched, packed),
    ),
  };
}

function timesOf(work: () => unknown): readonly number[] {
  return Array.from({ length: ROUNDS }, () => {
    const begun = performance.now();
    work();
    return performance.now() - begun;
  });
}

import { createHash, randomBytes } from 'node:crypto';
import { readCode } from '../../flow/read-code.ts';
import type { Lab } from '../lab.ts';
import { noteTokenRefusal } from '../notes.ts';
import type { Probe } from '../probe.ts';

/** Open point 15: an S256 challenge (RFC 7636), with a wrong verifier and with the right one. */
export const pkce: Probe = {
  openPoint: 'pkce',
  aspects: ['pkce.support', 'token-failures.exchange.wrong-verifier'],
  requests: 8,
  async run(lab) {
    const verifier = randomBytes(32).toString('base64url');
    const code = await codeFor(lab, verifier);
    if (code === undefined) {
      lab.see('pkce.support', 'refused');
      return lab.see('token-failures.exchange.wrong-verifier', null);
    }
    const wrong = { code_verifier: randomBytes(32).toString('base64url') };
    const answer = await lab.exchange('exchange with a wrong code_verifier', code, wrong);
    noteTokenRefusal(lab, 'exchange.wrong-verifier', answer);
    if (lab.pairOf(answer) !== undefined) return lab.see('pkce.support', 'ignored');
    const right = await lab.exchange(
      'exchange with the code_verifier',
      (await codeFor(lab, verifier)) ?? '',
      {
        code_verifier: verifier,
      },
    );
    lab.see('pkce.support', lab.pairOf(right) === undefined ? 'refused' : 'verified');
  },
};

async function codeFor(lab: Lab, verifier: string): Promise<string | undefined> {
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const extra = [
    ['code_challenge', challenge],
    ['code_challenge_method', 'S256'],
  ] as const;
  const code = readCode(await lab.authorize(lab.authorization({}, { extra })));
  return code.ok ? code.value : undefined;
}

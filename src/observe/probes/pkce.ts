import { createHash, randomBytes } from 'node:crypto';
import { readCode } from '../../flow/read-code.ts';
import { noteTokenRefusal } from '../note-refusal.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';

/** Open point 15: an S256 challenge (RFC 7636), with a wrong verifier and with the right one. */
export const pkce: Probe = {
  openPoint: 'pkce',
  aspects: ['pkce.support', 'token-failures.exchange.wrong-verifier'],
  requests: 8,
  async run(context) {
    const verifier = randomBytes(32).toString('base64url');
    const code = await codeFor(context, verifier);
    if (code === undefined) {
      context.see('pkce.support', 'refused');
      return context.see('token-failures.exchange.wrong-verifier', null);
    }
    const wrong = { code_verifier: randomBytes(32).toString('base64url') };
    const answer = await context.exchange('exchange with a wrong code_verifier', code, wrong);
    noteTokenRefusal(context, 'exchange.wrong-verifier', answer);
    if (context.pairOf(answer) !== undefined) return context.see('pkce.support', 'ignored');
    const right = await context.exchange(
      'exchange with the code_verifier',
      (await codeFor(context, verifier)) ?? '',
      {
        code_verifier: verifier,
      },
    );
    context.see('pkce.support', context.pairOf(right) === undefined ? 'refused' : 'verified');
  },
};

async function codeFor(context: ProbeContext, verifier: string): Promise<string | undefined> {
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const extra = [
    ['code_challenge', challenge],
    ['code_challenge_method', 'S256'],
  ] as const;
  const code = readCode(await context.authorize(context.authorization({}, { extra })));
  return code.ok ? code.value : undefined;
}

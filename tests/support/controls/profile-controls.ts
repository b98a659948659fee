import type { WholeProfile } from '../../../src/emulator/profile.ts';
import { consistent } from './consistent.ts';
import type { Control } from './control.ts';
import { combined, type FactorValue } from './factor.ts';
import { FACTORS } from './factors.ts';
import { pairwise } from './pairwise.ts';

/** One control of every factor's first answer, and one for each row of a pairwise covering set over all answers. */
export function profileControls(): readonly Control[] {
  const rows = [FACTORS.map(() => 0), ...pairwise(FACTORS.map((values) => values.length))];
  const width = String(rows.length).length;
  return rows.map((row, index) => {
    const chosen = FACTORS.flatMap((values, factor) => values[row[factor] ?? 0] ?? []);
    const name = `pairwise ${String(index + 1).padStart(width, '0')}`;
    const warns = [...new Set(chosen.flatMap((value) => value.warns))];
    return {
      name,
      warns,
      profile: profileOf(name.replace(' ', '-'), chosen, warns),
      // Every second one is met as a live target is: where ids and tokens go is not told, it is found out.
      ...(index % 2 === 0 ? {} : { target: withoutHints }),
    };
  });
}

function profileOf(name: string, chosen: readonly FactorValue[], warns: Control['warns']): WholeProfile {
  return {
    name,
    title: name,
    summary: 'One row of a pairwise covering set over the answers to the open points.',
    warnings: warns.map((requirement) => ({ requirement, reason: 'One of the answers breaks it.' })),
    answers: consistent(combined(chosen) as unknown as WholeProfile['answers']),
  };
}

const withoutHints: NonNullable<Control['target']> = ({ userIdPointer: _, presentation: __, ...target }) =>
  target;

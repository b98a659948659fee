/**
 * Returns the first second at which something is over. Bisects, so the predicate is called about as often as the longest time has
 * binary digits.
 *
 * @param earliest a second at which it is not over yet
 * @param longest if it is not over then, it counts as unlimited
 */
export async function firstSecondOver(
  earliest: number,
  longest: number,
  isOver: (seconds: number) => Promise<boolean>,
): Promise<number | 'unlimited'> {
  if (!(await isOver(longest))) return 'unlimited';
  let [alive, dead] = [earliest, longest];
  while (dead - alive > 1) {
    const middle = Math.floor((alive + dead) / 2);
    if (await isOver(middle)) dead = middle;
    else alive = middle;
  }
  return dead;
}

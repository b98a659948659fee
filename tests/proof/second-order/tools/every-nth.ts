/** Says yes at every n-th call. */
export function everyNth(n: number): () => boolean {
  let calls = 0;
  return () => {
    calls += 1;
    return calls % n === 0;
  };
}

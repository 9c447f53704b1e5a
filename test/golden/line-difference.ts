// Computes the shortest difference of two texts, as runs of kept, removed and added lines.

export interface LineRun {
  readonly kind: 'kept' | 'removed' | 'added';
  readonly lines: readonly string[];
}

/** Uses the longest common subsequence of lines; time and memory grow with the product of the line counts. */
export function lineDifference(before: string, after: string): LineRun[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const width = b.length + 1;
  // length[i * width + j]: how many lines a[i..] and b[j..] have in common.
  const length = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => length[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      length[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }

  const runs: { kind: LineRun['kind']; lines: string[] }[] = [];
  const add = (kind: LineRun['kind'], line: string | undefined) => {
    const last = runs.at(-1);
    if (last?.kind === kind) last.lines.push(line ?? '');
    else runs.push({ kind, lines: [line ?? ''] });
  };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add('kept', a[i]);
      [i, j] = [i + 1, j + 1];
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) add('removed', a[i++]);
    else add('added', b[j++]);
  }
  return runs;
}

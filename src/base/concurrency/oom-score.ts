// Makes the kernel end a child process before the server when memory runs out.

import { writeFileSync } from 'node:fs';

/** The highest score there is (proc(5), oom_score_adj). */
const FIRST = '1000';

/**
 * Call at once after the process has been started: its own children inherit the score. Raising it needs no right; where
 * there is no /proc, nothing happens.
 */
export function endFirst(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, FIRST);
  } catch {} // No Linux, or the process has ended already.
}

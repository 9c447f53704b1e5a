// Collects the garbage of this thread now.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | null = null;

/** Runs V8's full garbage collection. Takes some 10 ms for each 100 MB of live objects. */
export function collectGarbage(): void {
  if (collect === null) {
    // The function exists in contexts made after the flag was set, and this one is not shared with anything.
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
    setFlagsFromString('--no-expose-gc');
  }
  collect();
}

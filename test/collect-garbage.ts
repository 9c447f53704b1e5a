// Collects garbage at once, so that a test can see what is still referenced.

import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Returns how many of the objects are still referenced. */
export async function countKept(objects: readonly WeakRef<object>[]): Promise<number> {
  // A WeakRef keeps its object until the turn in which it was made or read is over.
  for (let turn = 0; turn < 3; turn += 1) {
    await setTimeout(1);
    collect();
  }
  return objects.filter((object) => object.deref() !== undefined).length;
}

// A moment, as how long ago it was; pointing at it tells the exact time.

import { ago, exactTime } from '../shell/format.ts';

export function Time({ at }: { at: string }) {
  return (
    <time datetime={at} title={exactTime(at)}>
      {ago(at)}
    </time>
  );
}

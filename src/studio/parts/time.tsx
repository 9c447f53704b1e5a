// A time as how long ago it was, with the exact time as tooltip.

import { ago, exactTime } from '../shell/format.ts';

export function Time({ at }: { at: string }) {
  return (
    <time datetime={at} title={exactTime(at)}>
      {ago(at)}
    </time>
  );
}

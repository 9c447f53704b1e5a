// The state of a render as a badge. One that was made with warnings is not shown as a plain success.

import { Badge, type Tone } from '../../parts/states.tsx';
import type { Render } from '../../shell/contract.ts';
import { texts } from '../../texts/pages.ts';

const TONES: Readonly<Record<Render['status'], Tone>> = {
  queued: 'neutral',
  processing: 'info',
  done: 'good',
  error: 'bad',
};

/** How many warnings a list stands for: its last entry may be `+N more`. */
function warningCount(warnings: readonly string[]): number {
  const [, more] = /^\+(\d+) more$/.exec(warnings.at(-1) ?? '') ?? [];
  return more === undefined ? warnings.length : warnings.length - 1 + Number(more);
}

export function RenderState({ status, warnings }: Pick<Render, 'status' | 'warnings'>) {
  const count = warningCount(warnings);
  if (count > 0) return <Badge tone="warn">{texts.value.renders.doneWith(count)}</Badge>;
  return <Badge tone={TONES[status]}>{texts.value.renderStates[status]}</Badge>;
}

// The state of a render as a badge. One that was made with warnings is not shown as a plain success.

import { Badge, type Tone } from '../../parts/states.tsx';
import type { Render } from '../../shell/contract.ts';
import { plural } from '../../shell/format.ts';

export const STATES: Readonly<Record<Render['status'], { readonly label: string; readonly tone: Tone }>> = {
  queued: { label: 'Queued', tone: 'neutral' },
  processing: { label: 'In progress', tone: 'info' },
  done: { label: 'Done', tone: 'good' },
  error: { label: 'Failed', tone: 'bad' },
};

/** How many warnings a list stands for: its last entry may be `+N more`. */
export function warningCount(warnings: readonly string[]): number {
  const [, more] = /^\+(\d+) more$/.exec(warnings.at(-1) ?? '') ?? [];
  return more === undefined ? warnings.length : warnings.length - 1 + Number(more);
}

export function RenderState({ status, warnings }: Pick<Render, 'status' | 'warnings'>) {
  const count = warningCount(warnings);
  if (count > 0) return <Badge tone="warn">Done with {plural(count, 'warning')}</Badge>;
  return <Badge tone={STATES[status].tone}>{STATES[status].label}</Badge>;
}

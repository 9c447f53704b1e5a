// Finds the values and labels of a chart that cannot be seen whole, so that a render can warn of them: those that are not
// drawn, and those that are cut off where the scale, or their room, ends.

import { quoted } from '../diagnostics.ts';
import type { ChartEntry, ChartNode } from '../resolve/scene.ts';
import type { ChartMark } from '../resources.ts';

/** The most entries, or labels, of one chart that are named. */
const MAX_NAMED = 5;

type Kind = ChartNode['chart'];
/** Kinds that draw the first value of each entry, and kinds that draw one value in all, as sentences name them. */
const OF_ONE_SERIES: Partial<Record<Kind, string>> = { pie: 'a pie', sparkline: 'a sparkline' };
const OF_ONE_VALUE: Partial<Record<Kind, string>> = { progress: 'a progress', stars: 'a row of stars' };

/** A sentence about each loss, without its end. */
export function lostValues(node: ChartNode): readonly string[] {
  const { chart, entries } = node;
  const lost: string[] = [];
  const add = (what: string, isLost: (entry: ChartEntry) => boolean) => {
    const names = entries.flatMap((entry, i) => (isLost(entry) ? [nameOf(entry, i)] : []));
    if (names.length > 0) lost.push(`${what}: ${listed(names)}`);
  };
  const alone = OF_ONE_VALUE[chart];
  const count = entries.reduce((sum, { values }) => sum + values.length, 0);
  if (alone !== undefined) {
    if (count > 1) lost.push(`${alone} shows one value, the first of ${count}`);
    return lost;
  }
  const series = OF_ONE_SERIES[chart];
  if (series !== undefined) add(`${series} shows the first value of an entry only`, ({ values }) => values.length > 1);
  if (chart === 'pie' && entries.length > 0 && !entries.some(({ values: [value] }) => (value ?? 0) > 0))
    lost.push('a pie without a value above 0 is blank');
  if (chart === 'pie') add('a pie has no slice for a value below 0', ({ values: [value] }) => (value ?? 0) < 0);
  else add('a value beyond the `min` or `max` of its chart is cut there', (entry) => isCut(node, entry));
  return lost;
}

/** A sentence about the labels that end with an ellipsis, without its end; null = none does. */
export function cutLabels(marks: readonly ChartMark[]): string | null {
  const names = marks.flatMap((mark) =>
    mark.kind === 'label' && mark.paragraph.lines.at(-1)?.ellipsized ? [quoted(mark.span.text)] : [],
  );
  return names.length > 0 ? `there is no room for all of its labels, and an ellipsis ends ${listed(names)}` : null;
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return `${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}

function nameOf({ label }: ChartEntry, index: number): string {
  return `data[${index}]${label && ` (${quoted(label)})`}`;
}

function isCut({ chart, stacked, min, max }: ChartNode, { values }: ChartEntry): boolean {
  const known = (chart === 'sparkline' ? values.slice(0, 1) : values).filter((value) => value !== null);
  const ends = stacked && (chart === 'bar' || chart === 'area') ? stackEnds(known) : known;
  // The scale ignores an end that is not above its beginning.
  const most = max !== null && max > (min ?? -Infinity) ? max : Infinity;
  return ends.some((end) => end > most || end < (min ?? -Infinity));
}

/** How far a stack reaches, up and down. */
function stackEnds(values: readonly number[]): readonly number[] {
  const [up, down] = [values.filter((value) => value >= 0), values.filter((value) => value < 0)];
  return [up, down].filter(({ length }) => length > 0).map((side) => side.reduce((sum, value) => sum + value, 0));
}
